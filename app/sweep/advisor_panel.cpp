#include "app/sweep/advisor_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/session/document.h"
#include "app/sweep/front_plot.h"
#include "app/theme/code_font.h"
#include "app/theme/palette.h"
#include "app/widgets/flat_button.h"
#include "app/widgets/quantity_box.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/sweep/advisor_text.h"

namespace overlane
{

AdvisorPanel::AdvisorPanel(Document* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_ram(new QuantityBox(*findSetting("ram_bytes"), this)),
      m_pinned(new QuantityBox(*findSetting("file_bytes"), this)),
      m_cores(new QSpinBox(this)),
      m_search(new QPushButton(u"Find the &best settings"_s, this)),
      m_progress(new QProgressBar(this)),
      m_words(new QLabel),
      m_plot(new FrontPlot(this)),
      m_code(new QPlainTextEdit(this)),
      m_copy(flatButton(u"Copy the code"_s, "adviceCopy", u"Copy the DataLoader and the copy loop"_s, this)),
      m_use(new QPushButton(u"&Use these settings"_s, this)),
      m_confirm(new QPushButton(u"&Confirm on the GPU"_s, this))
{
    setObjectName("advisorPanel");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(4);
    column->addWidget(makeLimits());
    auto* across = new QSplitter(Qt::Horizontal, this);
    across->setChildrenCollapsible(false);
    across->addWidget(makeAnswer());
    across->addWidget(m_plot);
    auto* paste = new QWidget(this);
    auto* pasteColumn = new QVBoxLayout(paste);
    pasteColumn->setContentsMargins(0, 0, 0, 0);
    pasteColumn->setSpacing(2);
    pasteColumn->addWidget(m_code, 1);
    pasteColumn->addWidget(m_copy);
    across->addWidget(paste);
    across->setSizes({330, 360, 310});
    column->addWidget(across, 1);

    m_code->setObjectName("adviceCode");
    m_code->setAccessibleName(u"Code to paste"_s);
    m_code->setReadOnly(true);
    showAsCode(m_code);
    m_code->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_code->setMinimumWidth(120);

    connect(m_search, &QPushButton::clicked, this, [this] { busy() ? m_worker.cancel() : search(); });
    connect(m_use, &QPushButton::clicked, this, [this] {
        if (m_advice)
            use(AdvisorCandidate(m_advice->advised));
    });
    connect(m_confirm, &QPushButton::clicked, this, &AdvisorPanel::confirm);
    connect(m_copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_code->toPlainText()); });
    connect(m_plot, &FrontPlot::candidateChosen, this, &AdvisorPanel::use);
    connect(&m_worker, &BackgroundWorker::busyChanged, this, &AdvisorPanel::showState);
    connect(&m_worker, &BackgroundWorker::progressed, this,
            [this](double fraction) { m_progress->setValue(static_cast<int>(fraction * kProgressSteps)); });
    connect(m_document->laboratory(), &Laboratory::changed, this, &AdvisorPanel::showState);
    connect(m_document->gpuRuns(), &GpuRuns::supportChanged, this, &AdvisorPanel::showState);
    showAdvice();
}

QWidget* AdvisorPanel::makeLimits()
{
    auto* row = new QWidget(this);
    m_ram->setObjectName("adviceRam");
    m_ram->setMinimum(0);
    m_ram->setSpecialValueText(u"all"_s);
    m_ram->setToolTip(u"Main memory that may be used; settings that swap within it are left out"_s);
    m_pinned->setObjectName("advicePinned");
    m_pinned->setMaximum(findSetting("ram_bytes")->maximum);
    m_pinned->setSpecialValueText(u"no limit"_s);
    m_pinned->setToolTip(u"Pinned memory at most"_s);
    m_cores->setObjectName("adviceCores");
    m_cores->setRange(0, 1024);
    m_cores->setSpecialValueText(u"all"_s);
    m_cores->setToolTip(u"CPU cores that workers, pin thread and training may use"_s);
    m_search->setObjectName("adviceSearch");
    m_use->setObjectName("adviceUse");
    m_confirm->setObjectName("adviceConfirm");
    m_progress->setObjectName("adviceProgress");
    m_progress->setRange(0, kProgressSteps);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(100);
    auto* how = flatButton(u"How"_s, "adviceHow", u"What is searched, and what an advice leaves out"_s, row);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    const auto add = [&](const QString& name, QWidget* box) {
        auto* label = new QLabel(name, row);
        label->setBuddy(box);
        box->setAccessibleName(name);
        line->addWidget(label);
        line->addWidget(box);
    };
    add(u"RAM"_s, m_ram);
    add(u"Pinned"_s, m_pinned);
    add(u"Cores"_s, m_cores);
    line->addWidget(m_search);
    line->addWidget(m_progress);
    line->addStretch(1);
    line->addWidget(m_use);
    line->addWidget(m_confirm);
    line->addWidget(how);
    connect(how, &QToolButton::clicked, this, [this] { emit helpRequested(u"advisor"_s, {}); });
    return row;
}

QWidget* AdvisorPanel::makeAnswer()
{
    m_words->setObjectName("adviceWords");
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::RichText);
    m_words->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_words->setContentsMargins(6, 4, 6, 4);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setAutoFillBackground(true);
    m_words->setBackgroundRole(QPalette::Base);
    auto* area = new QScrollArea(this);
    area->setWidget(m_words);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setMinimumWidth(180);
    return area;
}

void AdvisorPanel::search()
{
    AdvisorLimits limits;
    limits.ramBytes = static_cast<std::int64_t>(m_ram->value());
    limits.pinnedBytes = static_cast<std::int64_t>(m_pinned->value());
    limits.cores = m_cores->value();
    m_asked = m_document->laboratory()->scenario();
    m_error.clear();
    m_worker.run(
        u"Searching"_s,
        [asked = m_asked, device = m_document->laboratory()->device(), limits](Progress& progress) {
            return advise(asked, device, limits, progress);
        },
        [this](Result<Advice> advice) {
            if (advice.ok())
                m_advice = std::move(advice).value();
            else
                m_error = text(advice.error());
            showAdvice();
        });
}

void AdvisorPanel::confirm()
{
    if (!m_advice || busy())
        return;
    MeasuredRunOptions options;
    options.device = m_document->gpuRuns()->device();
    m_error.clear();
    m_worker.run(
        u"Measuring"_s,
        [advice = *m_advice, options](Progress& progress) { return confirmAdvice(advice, options, progress); },
        [this](Result<AdviceMeasurement> measured) {
            if (measured.ok() && m_advice)
                m_advice->measured = std::move(measured).value();
            else if (!measured.ok())
                m_error = text(measured.error());
            showAdvice();
        });
}

void AdvisorPanel::use(const AdvisorCandidate& candidate)
{
    // The limits were of the search; the settings are the person's own but for what was searched.
    Scenario scenario = m_document->laboratory()->scenario();
    for (const char* key :
         {"pin", "allocator", "non_blocking", "copy_stream", "device_buffers", "workers", "prefetch_factor"}) {
        const Setting& setting = *findSetting(key);
        setting.set(scenario, setting.get(candidate.scenario));
    }
    m_document->laboratory()->setScenario(scenario, u"Advised settings"_s);
}

void AdvisorPanel::showAdvice()
{
    m_plot->setAdvice(m_advice);
    QString words;
    if (!m_error.isEmpty())
        words += u"<p><b>%1</b></p>"_s.arg(m_error.toHtmlEscaped());
    if (!m_advice) {
        words +=
            u"<p>Which settings of the loader are the best for this data, compute and machine? The advisor "
            "simulates every combination of pin_memory, non_blocking, side stream, workers and "
            "prefetch_factor, and weighs time against pinned memory.</p><p>Set limits if there are any, and "
            "press <b>Find the best settings</b>.</p>"_s;
        m_code->clear();
        m_code->setPlaceholderText(u"The code to paste comes here."_s);
    } else {
        words += richText(adviceBlocks(*m_advice), Palette::current(palette()));
        m_code->setPlainText(text(pastedCode(m_advice->advised.scenario)));
    }
    m_words->setText(words);
    showState();
}

void AdvisorPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showAdvice();
}

void AdvisorPanel::showState()
{
    const bool running = busy();
    m_search->setText(running ? u"&Cancel"_s : u"Find the &best settings"_s);
    m_progress->setVisible(running);
    if (!running)
        m_progress->setValue(0);
    const bool usable = m_advice && m_advice->kind != AdviceKind::NothingFits;
    const bool changes = usable && !changedKeys(m_advice->now.scenario, m_advice->advised.scenario).empty();
    m_use->setEnabled(changes && !running);
    m_copy->setEnabled(usable);
    const auto& support = m_document->gpuRuns()->support();
    const bool gpu = support && support->state == GpuSupport::State::Ready;
    m_confirm->setEnabled(usable && !running && gpu);
    m_confirm->setToolTip(
        gpu ? u"Run the settings as they are and as advised on this machine's GPU"_s
            : u"There is no GPU to confirm it on: %1"_s.arg(support ? text(support->sentence) : QString()));
    Scenario present = m_document->laboratory()->scenario();
    present.name = m_asked.name;
    const bool stale = m_advice && !(present == m_asked);
    m_search->setToolTip(stale ? u"The laboratory's settings have changed since this advice"_s
                               : u"Simulate every combination for the laboratory's settings"_s);
}

}  // namespace overlane
