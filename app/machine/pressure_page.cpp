#include "app/machine/pressure_page.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "app/machine/bytes_text.h"
#include "app/theme/palette.h"
#include "app/widgets/marked_label.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/pressure/pressure_blocks.h"

namespace overlane
{

namespace
{

constexpr int kLookAgainMs = 2000;

QLabel* paragraph(const QString& name, const QString& words, QWidget* parent)
{
    auto* label = new QLabel(words, parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

PressurePage::PressurePage(QWidget* parent)
    : QWidget(parent),
      m_facts([](const PressurePlan& plan) { return pressureFacts(plan); }),
      m_promise(paragraph("pressurePromise", {}, this)),
      m_refused(new QWidget(this)),
      m_reasons(new QVBoxLayout(m_refused)),
      m_start(new QPushButton(this)),
      m_cancel(new QPushButton(u"Cancel"_s, this)),
      m_progress(new QProgressBar(this)),
      m_now(paragraph("pressureNow", {}, this)),
      m_table(new QTableView(this)),
      m_conclusion(new MarkedLabel(this))
{
    setObjectName("pressurePage");
    m_start->setObjectName("pressureStart");
    m_cancel->setObjectName("pressureCancel");
    m_progress->setObjectName("pressureProgress");
    m_table->setObjectName("pressureTable");
    m_conclusion->setObjectName("pressureConclusion");
    m_refused->setObjectName("pressureRefused");
    for (QPushButton* button : {m_start, m_cancel})
        button->setAutoDefault(false);
    m_reasons->setContentsMargins(0, 0, 0, 0);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_table->setModel(&m_steps);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setFocusPolicy(Qt::NoFocus);
    m_table->setAccessibleName(u"What the experiment showed"_s);

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_start);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_progress, 1);
    buttons->addStretch(1);
    auto* more = new QLabel(u"<a href=\"pressure\">About memory and swap</a>"_s, this);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(8);
    column->addWidget(paragraph("pressureAbout",
                                u"What happens when too much memory is pinned, for real: a small loader with "
                                "little RAM and a swap file of its own locks more of it step by step. The page "
                                "cache of its files leaves first, then ordinary memory goes to swap, and batches "
                                "become slow. It takes memory from itself only."_s,
                                this));
    column->addWidget(m_promise);
    column->addWidget(m_refused);
    column->addLayout(buttons);
    column->addWidget(m_now);
    column->addWidget(m_conclusion);
    column->addWidget(m_table, 1);
    column->addWidget(more);
    column->addStretch(0);

    connect(m_start, &QPushButton::clicked, this, [this] {
        refresh();
        if (m_refusals.empty() && !m_run.program().isEmpty())
            m_run.start();
    });
    connect(m_cancel, &QPushButton::clicked, &m_run, &PressureRun::cancel);
    connect(&m_run, &PressureRun::runningChanged, this, &PressurePage::showRunning);
    connect(&m_run, &PressureRun::progressed, this, [this](double fraction, const QString& line) {
        m_progress->setValue(static_cast<int>(fraction * m_progress->maximum()));
        m_now->setText(line);
    });
    connect(&m_run, &PressureRun::finished, this, &PressurePage::showReport);
    connect(&m_run, &PressureRun::failed, this,
            [this](const QString& sentence) { say(sentence, Palette::current(palette()).error); });
    connect(more, &QLabel::linkActivated, this, &PressurePage::helpRequested);
    m_lookAgain.setInterval(kLookAgainMs);
    m_lookAgain.setSingleShot(true);
    connect(&m_lookAgain, &QTimer::timeout, this, [this] {
        if (isVisible())
            refresh();
    });
    m_conclusion->hide();
    m_table->hide();
    showRunning();
}

void PressurePage::setFacts(std::function<PressureFacts(const PressurePlan&)> facts)
{
    m_facts = std::move(facts);
    refresh();
}

void PressurePage::refresh()
{
    if (!m_run.running())
        showPlan();
}

void PressurePage::showPlan()
{
    const PressurePlan plan = withSteps({});
    const PressureFacts facts = m_facts(plan);
    m_refusals = pressureRefusals(plan, facts);
    std::vector<std::string> reasons = m_refusals;
    if (m_run.program().isEmpty())
        reasons.push_back(
            u"The program overlane, which runs it, is neither next to this one nor on the PATH: install it."_s
                .toStdString());
    while (QLayoutItem* item = m_reasons->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const auto add = [this](const QString& words, bool marked) {
        auto* label = new MarkedLabel(m_refused);
        label->setText(words);
        const Palette& colors = Palette::current(palette());
        label->setMark(marked ? colors.warning : colors.panel);
        m_reasons->addWidget(label);
    };
    if (!reasons.empty()) {
        // The experiment leaves a machine for a moment as one that is short of memory.
        add(m_table->isHidden() ? u"<b>It will not run here.</b>"_s : u"<b>It will not run again just now.</b>"_s,
            true);
        for (const std::string& reason : reasons)
            add(QString::fromStdString(reason).toHtmlEscaped(), true);
        if (!facts.mayAdminister)
            add(u"In a terminal: <code>sudo overlane pressure</code>"_s, false);
    }
    m_refused->setVisible(!reasons.empty());
    m_promise->setVisible(reasons.empty());
    m_promise->setText(QString::fromStdString(pressurePromise(plan, facts)));
    const double seconds = plan.secondsPerStep * static_cast<double>(plan.pinnedBytes.size());
    m_start->setText(u"&Start: about %1 s"_s.arg(qRound(seconds)));
    m_start->setEnabled(reasons.empty());
    if (!reasons.empty() && isVisible())
        m_lookAgain.start();
}

void PressurePage::showRunning()
{
    const bool running = m_run.running();
    m_start->setVisible(!running);
    m_cancel->setVisible(running);
    m_cancel->setEnabled(!m_run.cancelling());
    m_cancel->setText(m_run.cancelling() ? u"Cleaning up \u2026"_s : u"&Cancel"_s);
    m_progress->setVisible(running);
    m_now->setVisible(running);
    if (!running || m_run.cancelling())
        return;
    m_progress->setValue(0);
    m_now->setText(u"Making the swap file and the control group \u2026"_s);
    m_conclusion->hide();
    m_table->hide();
}

void PressurePage::say(const QString& words, const QColor& color)
{
    auto* label = static_cast<MarkedLabel*>(m_conclusion);
    label->setText(words);
    label->setMark(color);
    label->show();
    refresh();
}

void PressurePage::showReport(const PressureReport& report)
{
    m_steps.set(pressureTable(report).picked({"pinned_bytes", "batches", "median_ns", "p90_ns", "cache_bytes",
                                              "cache_model_bytes", "swap_bytes", "swap_model_bytes"}));
    m_table->setVisible(!report.steps.empty());
    const Palette& colors = Palette::current(palette());
    say(richText(outcomeBlocks(report), colors), report.ended.empty() ? colors.accent : colors.warning);
}

void PressurePage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void PressurePage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    // Later: labels that are still to hear of it may not go now.
    if (event->type() == QEvent::PaletteChange && isVisible())
        QMetaObject::invokeMethod(this, &PressurePage::refresh, Qt::QueuedConnection);
}

}  // namespace overlane
