#include "app/findings/finding_row.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/findings/finding_marks.h"
#include "app/findings/finding_text.h"
#include "app/theme/palette.h"
#include "app/widgets/elided_label.h"
#include "app/widgets/explain_role.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/findings/finding_blocks.h"
#include "core/findings/rule.h"
#include "core/lessons/explanations.h"

namespace overlane
{

namespace
{

constexpr int kNarrowPx = 560;
constexpr int kIndentPx = 30;  // of the body: below the title

bool hasWhatIf(RuleId rule)
{
    return rule != RuleId::None && !rowOf(rule).whatIf.empty();
}

QToolButton* button(const QString& label, const QString& tip, QWidget* parent)
{
    auto* made = new QToolButton(parent);
    made->setText(label);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setAutoRaise(true);
    return made;
}

}  // namespace

FindingRow::FindingRow(QWidget* parent)
    : QFrame(parent),
      m_mark(new SeverityMark(this)),
      m_title(new ElidedLabel(this)),
      m_sentence(new ElidedLabel(this)),
      m_cost(new QLabel(this)),
      m_bar(new CostBar(this)),
      m_show(button(u"Show"_s, u"Show the longest evidence on the timeline"_s, this))
{
    setObjectName("findingRow");
    setFocusPolicy(Qt::StrongFocus);
    m_title->setObjectName("findingTitle");
    m_title->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);  // cut last
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_sentence->setObjectName("findingSentence");
    m_cost->setObjectName("findingCost");
    m_cost->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_show->setObjectName("findingShow");
    m_show->setFocusPolicy(Qt::TabFocus);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 2, 8, 2);
    line->setSpacing(8);
    line->addWidget(m_mark);
    line->addWidget(m_title);
    line->addWidget(m_sentence, 1);
    line->addWidget(m_cost);
    line->addWidget(m_bar);
    line->addWidget(m_show);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(line);
    // A click anywhere but on a button is one on the row.
    for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_sentence, m_cost, m_bar})
        part->setAttribute(Qt::WA_TransparentForMouseEvents);
    connect(m_show, &QToolButton::clicked, this, [this] { showEvidence(0); });
    color();
}

void FindingRow::setFinding(std::shared_ptr<const Trace> trace, const Finding& finding)
{
    m_trace = std::move(trace);
    if (finding.evidence != m_finding.evidence) {
        m_place = 0;
        m_visited = false;
    }
    m_finding = finding;
    explainAs(this, explanationKey(finding.rule));
    m_mark->setSeverity(finding.severity);
    m_title->setText(text(finding.title));
    m_sentence->setText(text(finding.sentence));
    m_cost->setText(text(costCell(finding.cost).text));
    m_bar->setShare(finding.cost.shareOfWall);
    m_show->setVisible(!finding.evidence.empty());
    QSizePolicy keep = m_show->sizePolicy();
    keep.setRetainSizeWhenHidden(true);
    m_show->setSizePolicy(keep);
    shareWidth();
    setAccessibleName(u"%1: %2. %3"_s.arg(severityText(finding.severity), text(finding.title), text(finding.sentence)));
    setAccessibleDescription(m_cost->text());
    setToolTip(m_open ? QString() : text(finding.sentence));
    if (m_body != nullptr)
        fillBody();
}

void FindingRow::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    shareWidth();
}

void FindingRow::shareWidth()
{
    const bool narrow = width() < kNarrowPx;
    // In a wide one the bars stand in one column.
    const QString widest = narrow ? m_cost->text() : u"host blocked 888 ms a step"_s;
    m_cost->setFixedWidth(m_cost->fontMetrics().horizontalAdvance(widest) + 4);
    QSizePolicy keep = m_bar->sizePolicy();
    keep.setRetainSizeWhenHidden(!narrow);
    m_bar->setSizePolicy(keep);
    m_bar->setVisible(!narrow && m_finding.cost.gpuIdleNs > 0);
}

void FindingRow::setOpen(bool open)
{
    if (open == m_open)
        return;
    m_open = open;
    if (open && m_body == nullptr)
        makeBody();
    if (m_body != nullptr)
        m_body->setVisible(open);
    setToolTip(m_open ? QString() : text(m_finding.sentence));
    m_sentence->setVisible(!open);  // it stands in full below
    if (open)
        emit opened();
    static_cast<QBoxLayout*>(layout()->itemAt(0)->layout())->setStretch(1, open ? 1 : 0);
    updateGeometry();
    update();
}

void FindingRow::makeBody()
{
    m_body = new QWidget(this);
    m_words = new QLabel(m_body);
    m_words->setObjectName("findingWords");
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::RichText);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_evidence = new QLabel(m_body);
    m_evidence->setObjectName("findingEvidence");
    m_previous = button(u"\u25c0"_s, u"Previous evidence (P)"_s, m_body);
    m_previous->setObjectName("findingPrevious");
    m_next = button(u"\u25b6"_s, u"Next evidence (N)"_s, m_body);
    m_next->setObjectName("findingNext");
    m_whatIf = button(u"What if"_s, u"Predict the timeline with this changed (W)"_s, m_body);
    m_whatIf->setObjectName("findingWhatIf");
    auto* why = button(u"Why"_s, u"What this means, and what to change: opens the help"_s, m_body);
    why->setObjectName("findingWhy");
    auto* copy = button(u"Copy"_s, u"Copy this finding as text (Ctrl+C)"_s, m_body);
    copy->setObjectName("findingCopy");
    auto* line = new QHBoxLayout;
    line->setSpacing(4);
    line->addWidget(m_previous);
    line->addWidget(m_next);
    line->addWidget(m_evidence, 1);
    line->addWidget(m_whatIf);
    line->addWidget(why);
    line->addWidget(copy);
    auto* column = new QVBoxLayout(m_body);
    column->setContentsMargins(kIndentPx, 0, 8, 4);
    column->setSpacing(2);
    column->addWidget(m_words);
    column->addLayout(line);
    layout()->addWidget(m_body);
    connect(m_previous, &QToolButton::clicked, this, [this] { showEvidence(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { showEvidence(1); });
    connect(m_whatIf, &QToolButton::clicked, this, [this] { emit whatIfRequested(m_finding.rule); });
    connect(why, &QToolButton::clicked, this,
            [this] { emit whyRequested(text(m_finding.helpPage), text(m_finding.id)); });
    connect(copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(findingText(*m_trace, m_finding)); });
    fillBody();
}

void FindingRow::fillBody()
{
    m_words->setText(richText(findingBlocks(m_finding), Palette::current(palette())));
    m_whatIf->setVisible(hasWhatIf(m_finding.rule));
    nameEvidence();
}

void FindingRow::nameEvidence()
{
    if (m_evidence == nullptr)
        return;
    const auto listed = static_cast<int>(m_finding.evidence.size());
    m_previous->setVisible(listed > 1);
    m_next->setVisible(listed > 0);
    if (listed == 0) {
        m_evidence->setText(u"No representative event."_s);
        return;
    }
    const QString of = m_finding.evidenceCount > listed
                           ? u"%1 (the longest %2)"_s.arg(text(formatCount(m_finding.evidenceCount))).arg(listed)
                           : QString::number(listed);
    m_evidence->setText(
        u"Evidence %1 of %2: %3"_s.arg(m_place + 1)
            .arg(of, text(evidenceText(*m_trace, m_finding.evidence[static_cast<std::size_t>(m_place)]))));
}

void FindingRow::showEvidence(int step)
{
    const auto listed = static_cast<int>(m_finding.evidence.size());
    if (listed == 0)
        return;
    // The first step leads to the event that is named already.
    if (m_visited || step < 0)
        m_place = (m_place + step + listed) % listed;
    m_visited = true;
    nameEvidence();
    emit showRequested(m_finding.evidence[static_cast<std::size_t>(m_place)]);
}

QString FindingRow::body() const
{
    if (m_body == nullptr)
        return {};
    QTextDocument document;
    document.setHtml(m_words->text());
    return document.toPlainText() + '\n' + m_evidence->text();
}

void FindingRow::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(findingText(*m_trace, m_finding));
        return;
    }
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            return setOpen(!m_open);
        case Qt::Key_Right:
            return setOpen(true);
        case Qt::Key_Left:
            return setOpen(false);
        case Qt::Key_N:
            return showEvidence(1);
        case Qt::Key_P:
            return showEvidence(-1);
        case Qt::Key_W:
            if (hasWhatIf(m_finding.rule))
                emit whatIfRequested(m_finding.rule);
            return;
        case Qt::Key_Down:
            emit moveRequested(1);
            return;
        case Qt::Key_Up:
            emit moveRequested(-1);
            return;
        default:
            QFrame::keyPressEvent(event);
    }
}

void FindingRow::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QFrame::mousePressEvent(event);
    setFocus(Qt::MouseFocusReason);
    // The body is for reading and selecting.
    if (m_body == nullptr || !m_body->isVisible() || event->position().y() < m_body->y())
        setOpen(!m_open);
}

void FindingRow::focusInEvent(QFocusEvent* event)
{
    QFrame::focusInEvent(event);
    update();
}

void FindingRow::focusOutEvent(QFocusEvent* event)
{
    QFrame::focusOutEvent(event);
    update();
}

void FindingRow::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    color();
    if (m_body != nullptr)
        fillBody();
}

void FindingRow::color()
{
    const QColor muted = Palette::current(palette()).mutedText;
    if (m_sentence->palette().color(QPalette::WindowText) == muted)
        return;
    QPalette quiet = m_sentence->palette();
    quiet.setColor(QPalette::WindowText, muted);
    m_sentence->setPalette(quiet);
}

void FindingRow::paintEvent(QPaintEvent*)
{
    const Palette& colors = Palette::current(palette());
    QPainter painter(this);
    if (m_open)
        painter.fillRect(rect(), colors.lanesAlternate);
    painter.fillRect(0, height() - 1, width(), 1, colors.grid);
    if (hasFocus())
        painter.fillRect(0, 0, 3, height(), colors.accent);
}

}  // namespace overlane
