#include "app/ui/verdict_bar.h"

#include <algorithm>

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QVBoxLayout>

#include "app/theme/palette.h"
#include "app/ui/document.h"
#include "app/ui/elided_label.h"
#include "app/ui/text.h"
#include "app/ui/time_bar.h"
#include "app/ui/verdict_evidence.h"
#include "app/ui/without_gpu.h"

namespace overlane
{

QString differenceSentence(const Document& document)
{
    if (!document.baseline().analysis || !document.current().analysis || document.current().partial)
        return {};
    const Summary before = document.baseline().analysis->summarise();
    const Summary now = document.current().analysis->summarise();
    const DeviceSummary* a = before.worst();
    const DeviceSummary* b = now.worst();
    if (a == nullptr || b == nullptr || a->wallNs == 0 || b->wallNs == 0)
        return {};
    const double ratio = static_cast<double>(a->wallNs) / static_cast<double>(b->wallNs);
    const std::int64_t lessNs = a->exposedCopyNs - b->exposedCopyNs;
    QString speed = QObject::tr("B is as fast as A");
    if (ratio >= 1.005)
        speed = QObject::tr("B is %1 x faster").arg(ratio, 0, 'f', 2);
    else if (ratio <= 0.995)
        speed = QObject::tr("B is %1 x slower").arg(1 / ratio, 0, 'f', 2);
    if (lessNs == 0)
        return QObject::tr("%1, with the same exposed copy").arg(speed);
    return lessNs > 0 ? QObject::tr("%1: %2 less exposed copy").arg(speed, durationText(lessNs))
                      : QObject::tr("%1: %2 more exposed copy").arg(speed, durationText(-lessNs));
}

EventIndex worstExposedCopy(const Document& document)
{
    const auto& analysis = document.current().analysis;
    return analysis ? worstExposedCopy(*analysis, document.shownRange()) : EventIndex();
}

namespace
{
// Below this width finding and advice have a third line between them, however short they are.
constexpr int kNarrowPx = 1500;
constexpr int kNarrowBarPx = 280;
constexpr int kBarPx = 400;
constexpr int kMostFindingLines = 2;
constexpr int kMostLines = 6;
constexpr int kLowPx = 760;  // a window with no room for more lines than the fewest

// What the figures are of. A verdict of a trace leaves out what came before and after the work.
QString judgedName(Document& document, const Verdict& verdict)
{
    if (verdict.perStep)
        return VerdictBar::tr("average step");
    if (document.selection()->range())
        return VerdictBar::tr("selected range");
    return verdict.range == document.trace()->span() ? VerdictBar::tr("whole trace")
                                                     : VerdictBar::tr("work of the trace");
}
}  // namespace

VerdictBar::VerdictBar(Document* document, QWidget* parent)
    : QFrame(parent),
      m_document(document),
      m_sentence(new ElidedLabel(this)),
      m_numbers(new QLabel(this)),
      m_bar(new TimeBar(this)),
      m_advice(new ElidedLabel(this)),
      m_show(new QPushButton(tr("Show me"), this))
{
    setObjectName("verdictBar");
    m_sentence->setObjectName("verdictSentence");
    m_advice->setObjectName("verdictAdvice");
    m_numbers->setObjectName("verdictNumbers");
    m_show->setObjectName("showMe");
    m_numbers->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    QFont strong = m_sentence->font();
    strong.setBold(true);
    strong.setPixelSize(15);
    m_sentence->setFont(strong);

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(12, 5, 12, 5);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(1);
    grid->addWidget(m_sentence, 0, 0);
    grid->addWidget(m_advice, 1, 0);
    auto* figures = new QVBoxLayout;
    figures->setSpacing(3);
    figures->addStretch(1);
    figures->addWidget(m_numbers);
    figures->addWidget(m_bar);
    figures->addStretch(1);
    grid->addLayout(figures, 0, 1, 2, 1);
    grid->addWidget(m_show, 0, 2, 2, 1);
    grid->setColumnStretch(0, 1);

    connect(m_show, &QPushButton::clicked, this, &VerdictBar::showEvidence);
    connect(document, &Document::traceChanged, this, [this] {
        // While a setting moves nothing below the bar may jump; another file may need less room.
        if (m_document->origin() != Document::Origin::Laboratory)
            m_heldLines = 0;
        refresh();
    });
    connect(document, &Document::baselineChanged, this, &VerdictBar::refresh);
    connect(document->selection(), &Selection::rangeChanged, this, &VerdictBar::refresh);
    refresh();
}

QString VerdictBar::sentence() const
{
    return m_sentence->text();
}

void VerdictBar::refresh()
{
    // Of the application: the bar's own palette holds the ground it was given before.
    const Palette& colours = Palette::current(QApplication::palette());
    const std::optional<Verdict> verdict = m_document->verdict();
    const VerdictTone tone = verdict ? verdict->tone : VerdictTone::Nothing;
    QColor stripe = colours.border;
    if (tone == VerdictTone::Problem)
        stripe = colours.warning;
    else if (tone == VerdictTone::Neutral)
        stripe = colours.good;
    const QString sheet =
        QStringLiteral("#verdictBar { background: %1; border-left: 5px solid %2; } #verdictAdvice { color: %3; }")
            .arg(colours.panel.name(), stripe.name(), colours.text.name());
    if (sheet != styleSheet())  // setting it changes the palette, which leads here again
        setStyleSheet(sheet);
    const bool aboutCopies = !verdict || !verdict->mainLoss || *verdict->mainLoss == LostCause::Copies;
    m_show->setVisible(aboutCopies ? worstExposedCopy(*m_document).valid() : verdict->tone == VerdictTone::Problem);
    m_show->setToolTip(aboutCopies
                           ? tr("Zoom to the copy with the most time outside kernels")
                           : tr("Zoom to the longest time lost to: %1").arg(text(lostCauseName(*verdict->mainLoss))));
    if (!verdict) {
        m_bar->hide();
        m_sentence->setText(tr("Nothing is open"));
        m_advice->setText(tr("Open a trace, or turn a setting of the laboratory."));
        m_numbers->clear();
        return;
    }
    // The finding stands alone in bold; what follows from it goes below, so that neither is cut.
    const QString whole = text(verdict->sentence);
    const qsizetype end = whole.indexOf(QStringLiteral(". ")) + 1;
    m_sentence->setText(end > 0 ? whole.left(end) : whole);
    const QString difference = differenceSentence(*m_document);
    const QString rest = end > 0 ? whole.mid(end).trimmed() : QString();
    // What to do stands before what else there is: whatever does not fit is cut at the end.
    QStringList below;
    if (!difference.isEmpty())
        below << difference + '.';
    if (m_document->current().analysis->devices().empty())
        below << withoutGpuAdvice(*m_document);
    below << text(verdict->advice) << rest;
    below.removeAll(QString());
    m_advice->setText(below.join(' '));
    showBar(*verdict);
    shareLines();
    if (verdict->nowNs == 0) {
        m_numbers->clear();
        return;
    }
    const QString muted = QStringLiteral("<span style='color:%1'>%2</span>").arg(colours.mutedText.name());
    const QString then =
        verdict->couldBeNs < verdict->nowNs
            ? muted.arg(tr("could be")) + QStringLiteral(" <b>%1</b>").arg(durationText(verdict->couldBeNs))
            : muted.arg(tr("nothing to win"));
    m_numbers->setText(muted.arg(judgedName(*m_document, *verdict)) +
                       QStringLiteral(" &nbsp;<b>%1</b> &nbsp;").arg(durationText(verdict->nowNs)) + then);
}

void VerdictBar::showBar(const Verdict& verdict)
{
    const AnalysedTrace& current = m_document->current();
    std::vector<TimePart> parts;
    if (verdict.nowNs > 0)
        parts = timeParts(verdict, current.analysis->summarise(verdict.range));
    const bool any = !parts.empty();
    m_bar->setParts(std::move(parts),
                    verdict.perStep ? static_cast<std::int64_t>(stepsWithin(current.steps, verdict.range).size()) : 0);
    m_bar->setVisible(any);
}

// As high as both texts need, so that nothing of a verdict is cut; never lower than it was, so that nothing
// below it jumps while a slider or the selection moves.
void VerdictBar::shareLines()
{
    const bool narrow = width() < kNarrowPx;
    m_bar->setFixedWidth(narrow ? kNarrowBarPx : kBarPx);
    m_bar->setNamed(narrow);
    layout()->activate();  // the texts' widths are those of the figures beside them now
    const int finding = std::min(m_sentence->linesNeeded(), kMostFindingLines);
    // A window that is not shown yet must not be made higher than it was asked to be.
    const int fewest = narrow ? 3 : 2;
    const int most = !isVisible() || window()->height() < kLowPx ? fewest : kMostLines;
    const int needed = std::min(finding + m_advice->linesNeeded(), most);
    m_heldLines = std::max({m_heldLines, needed, fewest});
    m_sentence->setLines(finding);
    m_advice->setLines(std::max(1, m_heldLines - finding));
    const QMargins margins = layout()->contentsMargins();
    const int findingPx = m_sentence->fontMetrics().lineSpacing();
    const int advicePx = m_advice->fontMetrics().lineSpacing();
    // Two lines of the finding at most, whichever of the texts takes them now.
    const int linesPx = std::min(kMostFindingLines, m_heldLines - 1) * findingPx +
                        std::max(1, m_heldLines - kMostFindingLines) * advicePx;
    setFixedHeight(margins.top() + margins.bottom() + linesPx + 6);
}

void VerdictBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        m_heldLines = 0;
    shareLines();
}

void VerdictBar::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    shareLines();
}

// Longer numbers leave less width to the texts without a change of the bar's own size.
bool VerdictBar::event(QEvent* event)
{
    const bool handled = QFrame::event(event);
    if (event->type() == QEvent::LayoutRequest)
        shareLines();
    return handled;
}

void VerdictBar::showEvidence()
{
    const AnalysedTrace& current = m_document->current();
    const std::optional<Verdict> verdict = m_document->verdict();
    if (!verdict)
        return;
    const Evidence evidence = evidenceOf(*current.trace, *current.analysis, *verdict, m_document->shownRange());
    if (evidence.event.valid()) {
        emit showRequested(evidence.event);
    } else if (!evidence.interval.empty()) {
        const std::int64_t roomNs = evidence.interval.lengthNs();
        m_document->view()->setRange({evidence.interval.startNs - roomNs, evidence.interval.endNs + roomNs});
    }
}

void VerdictBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        refresh();
}

}  // namespace overlane
