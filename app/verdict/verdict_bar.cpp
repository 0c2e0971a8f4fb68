#include "app/verdict/verdict_bar.h"

#include <algorithm>

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/session/document.h"
#include "app/session/without_gpu.h"
#include "app/theme/palette.h"
#include "app/verdict/time_bar.h"
#include "app/verdict/verdict_evidence.h"
#include "app/widgets/elided_label.h"
#include "app/widgets/text.h"
#include "core/analysis/verdict_text.h"
#include "core/compare/comparison.h"
#include "core/replay/prediction_blocks.h"

namespace overlane
{

QString differenceSentence(const Document& document)
{
    const AnalyzedTrace& kept = document.baseline();
    const AnalyzedTrace& shown = document.current();
    if (!kept.analysis || !shown.analysis || shown.partial)
        return {};
    const Summary before = kept.analysis->summarize();
    const Summary now = shown.analysis->summarize();
    const DeviceSummary* a = before.worst();
    const DeviceSummary* b = now.worst();
    if (a == nullptr || b == nullptr || a->wallNs == 0 || b->wallNs == 0)
        return {};
    const Speed speed = speedOf({kept.trace.get(), kept.analysis.get(), &kept.steps},
                                {shown.trace.get(), shown.analysis.get(), &shown.steps});
    if (speed.by == ClaimBy::Nothing)
        return {};
    QString said = u"B is %1"_s.arg(text(speedText(speed, "A")));
    if (speed.pace == Pace::NotSure)
        return said;
    const std::int64_t lessNs = a->exposedCopyNs - b->exposedCopyNs;
    if (lessNs == 0)
        return u"%1, with the same exposed copy"_s.arg(said);
    return lessNs > 0 ? u"%1: %2 less exposed copy"_s.arg(said, durationText(lessNs))
                      : u"%1: %2 more exposed copy"_s.arg(said, durationText(-lessNs));
}

EventIndex worstExposedCopy(const Document& document)
{
    const auto& analysis = document.current().analysis;
    return analysis ? worstExposedCopy(*analysis, document.judgedRange()) : EventIndex();
}

namespace
{
// Below this width the figures have less of it.
constexpr int kNarrowPx = 1500;
constexpr int kNarrowBarPx = 280;
constexpr int kBarPx = 400;
constexpr int kUsualFindingLines = 2;
constexpr int kMostAdviceLines = 2;  // in a low window there is room for one
constexpr int kLowPx = 760;
constexpr int kTextGapPx = 6;
constexpr int kLabelGapPx = 2;  // of it, that a label needs
constexpr int kMorePx = 720;

// What the figures are of. A verdict of a trace leaves out what came before and after the work.
QString judgedName(Document& document, const Verdict& verdict)
{
    if (verdict.perStep)
        return u"average step"_s;
    if (document.selection()->range())
        return u"selected range"_s;
    return verdict.range == document.trace()->span() ? u"whole trace"_s : u"active range"_s;
}
}  // namespace

VerdictBar::VerdictBar(Document* document, QWidget* parent)
    : TintedBar(parent),
      m_document(document),
      m_sentence(new ElidedLabel(this)),
      m_numbers(new QLabel(this)),
      m_bar(new TimeBar(this)),
      m_easiest(new QLabel(this)),
      m_source(document),
      m_advice(new ElidedLabel(this)),
      m_show(new QPushButton(u"Show me"_s, this)),
      m_showMore(new QToolButton(this))
{
    setObjectName("verdictBar");
    m_sentence->setObjectName("verdictSentence");
    m_advice->setObjectName("verdictAdvice");
    m_numbers->setObjectName("verdictNumbers");
    m_show->setObjectName("showMe");
    m_showMore->setObjectName("verdictShowMore");
    m_showMore->setText(u"More"_s);
    m_showMore->setAutoRaise(true);
    QSizePolicy kept = m_showMore->sizePolicy();
    kept.setRetainSizeWhenHidden(true);  // the texts keep their width
    m_showMore->setSizePolicy(kept);
    m_showMore->setToolTip(u"The whole verdict, with what else costs time and what was left out"_s);
    m_numbers->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_easiest->setObjectName("verdictEasiest");
    m_easiest->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_easiest->setFixedHeight(m_easiest->fontMetrics().lineSpacing() + kLabelGapPx);
    m_easiest->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_easiest->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_easiest->setFocusPolicy(Qt::StrongFocus);
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
    figures->addWidget(m_easiest);
    figures->addStretch(1);
    grid->addLayout(figures, 0, 1, 2, 1);
    auto* buttons = new QVBoxLayout;
    buttons->setSpacing(1);
    buttons->addStretch(1);
    buttons->addWidget(m_show);
    buttons->addWidget(m_showMore, 0, Qt::AlignHCenter);
    buttons->addStretch(1);
    grid->addLayout(buttons, 0, 2, 2, 1);
    grid->setColumnStretch(0, 1);

    connect(m_show, &QPushButton::clicked, this, &VerdictBar::showEvidence);
    connect(m_showMore, &QToolButton::clicked, this, &VerdictBar::showMore);
    connect(m_easiest, &QLabel::linkActivated, this, &VerdictBar::requestEasiest);
    connect(&m_source, &EasiestSource::changed, this, &VerdictBar::refresh);
    connect(document, &Document::traceChanged, this, &VerdictBar::refresh);
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
    const QScopedValueRollback refreshing(m_refreshing, true);
    const Palette& colors = Palette::current(QApplication::palette());
    const Judgement* judgement = m_document->judgement();
    const Verdict* verdict = judgement ? &judgement->verdict : nullptr;
    const VerdictTone tone = verdict ? verdict->tone : VerdictTone::Nothing;
    QColor stripe = colors.border;
    if (tone == VerdictTone::Problem)
        stripe = colors.warning;
    else if (tone == VerdictTone::Neutral)
        stripe = colors.good;
    tint(colors.panel, colors.text);
    drawEdge(Edge::Left, 5, stripe);
    const bool aboutCopies = !verdict || !verdict->mainLoss || *verdict->mainLoss == LostCause::Copies;
    m_show->setVisible(aboutCopies ? worstExposedCopy(*m_document).valid() : verdict->tone == VerdictTone::Problem);
    m_show->setToolTip(aboutCopies
                           ? u"Zoom to the copy with the most time outside kernels"_s
                           : u"Zoom to the longest time lost to: %1"_s.arg(text(lostCauseName(*verdict->mainLoss))));
    if (!verdict) {
        m_hasBar = false;
        m_sentence->setText(u"Nothing is open"_s);
        m_below = {u"Open a trace, or change a setting in the laboratory."_s};
        m_numbers->clear();
        shareLines();
        return;
    }
    // The finding stands alone in bold; what follows from it goes below, so that neither is cut.
    m_sentence->setText(text(judgement->headline()));
    const QString difference = differenceSentence(*m_document);
    // What to do stands before what else there is.
    m_below.clear();
    if (!difference.isEmpty())
        m_below << difference + '.';
    if (m_document->current().analysis->devices().empty())
        m_below << withoutGpuAdvice(*m_document);
    m_below << text(verdict->advice);
    for (const std::string& detail : judgement->details())
        m_below << text(detail);
    m_below.removeAll(QString());
    showBar(*judgement);
    shareLines();
    if (verdict->nowNs == 0) {
        m_numbers->clear();
        return;
    }
    const QString muted = u"<span style='color:%1'>%2</span>"_s.arg(colors.mutedText.name());
    const bool mayWin = saysWhatIsWon(*verdict);
    // What a range without iterations or kernels loses is not told as a win, nor is it nothing.
    const bool isFull = tone != VerdictTone::Nothing && (verdict->computeBound || verdict->losses.empty());
    const QString then = mayWin ? muted.arg(verdict->linkBound ? u"at least"_s : u"without it"_s) +
                                      u" <b>%1</b>"_s.arg(durationText(verdict->couldBeNs))
                         : isFull ? muted.arg(u"nothing to win"_s)
                                  : QString();
    m_numbers->setToolTip(
        mayWin ? u"It takes %1 now, %2 %3. The tab What if predicts what a change does."_s.arg(
                     durationText(verdict->nowNs), durationText(verdict->couldBeNs), text(withoutLossText(*verdict)))
               : QString());
    m_numbers->setText(muted.arg(judgedName(*m_document, *verdict)) +
                       u" &nbsp;<b>%1</b> &nbsp;"_s.arg(durationText(verdict->nowNs)) + then);
}

void VerdictBar::showBar(const Judgement& judgement)
{
    const std::vector<DeviceSummary>& devices = judgement.summary.devices;
    const auto device = std::find_if(devices.begin(), devices.end(), [&](const DeviceSummary& each) {
        return each.id == judgement.verdict.device && judgement.verdict.nowNs > 0;
    });
    m_bar->setTime(judgement, device != devices.end() ? &*device : nullptr);
    m_hasBar = !m_bar->parts().empty();
}

// It is predicted for the whole trace, so that it is none of a selected range.
void VerdictBar::showEasiest()
{
    const std::optional<Prediction>& easiest = m_source.easiest();
    if (!easiest || m_document->selection()->range())
        return m_easiest->setText(QString());  // clear() would ask for a layout each time
    const std::vector<std::string> forms = easiestChangeForms(*easiest);
    const auto fits = [this](const std::string& form) {
        return m_easiest->fontMetrics().horizontalAdvance(text(form)) + kLabelGapPx <= m_bar->width();
    };
    const auto shown = std::ranges::find_if(forms, fits);
    const QString words = text(shown != forms.end() ? *shown : forms.back());
    m_easiest->setText(u"<a href=\"easiest\">%1</a>"_s.arg(words.toHtmlEscaped()));
    const QString how = easiest->advice.empty() ? QString() : ' ' + text(easiest->advice.front());
    m_easiest->setToolTip(u"<p>%1%2</p><p>A click shows it in the tab What if, with what it assumes.</p>"_s.arg(
        text(easiestChangeText(*easiest)).toHtmlEscaped(), how.toHtmlEscaped()));
}

void VerdictBar::requestEasiest()
{
    if (m_source.easiest())
        emit changeRequested(m_source.easiest()->changes.front());
}

// One height for a width; the finding takes what it needs of it, and the sentences below it what is left.
void VerdictBar::shareLines()
{
    const bool narrow = width() < kNarrowPx;
    m_bar->setFixedWidth(narrow ? kNarrowBarPx : kBarPx);
    showEasiest();  // its form is chosen by this width
    const QMargins margins = layout()->contentsMargins();
    const int findingPx = m_sentence->fontMetrics().lineSpacing();
    const int advicePx = m_advice->fontMetrics().lineSpacing();
    const bool isLow = window()->height() < kLowPx;
    const int adviceLines = isLow ? kMostAdviceLines - 1 : kMostAdviceLines;
    const int linesPx = kUsualFindingLines * findingPx + adviceLines * advicePx;
    setFixedHeight(margins.top() + margins.bottom() + linesPx + kTextGapPx);

    const int most = (linesPx + kTextGapPx - kLabelGapPx) / findingPx;  // with no line below it
    const bool figures = fitsBesideFigures(most);
    m_bar->setVisible(m_hasBar && figures);
    const bool isNamed = !m_easiest->text().isEmpty();
    const bool numbers = figures && !(isLow && isNamed);
    m_numbers->setVisible(numbers);
    m_easiest->setVisible(figures && isNamed);
    m_easiest->setMinimumWidth(m_numbers->sizeHint().width());
    QSizePolicy kept = m_easiest->sizePolicy();
    kept.setRetainSizeWhenHidden(figures && !isLow);  // nothing moves when it comes
    m_easiest->setSizePolicy(kept);
    layout()->activate();  // the texts' widths are those of the figures beside them now
    const int finding = std::min(m_sentence->linesNeeded(), most);
    m_sentence->setLines(finding);
    const int lines = (linesPx - finding * findingPx) / advicePx;
    m_advice->setVisible(lines > 0);
    m_advice->setLines(std::max(1, lines));
    qsizetype fits = m_below.size();
    while (fits > 1 && m_advice->linesNeeded(m_below.first(fits).join(' ')) > m_advice->lines())
        --fits;
    m_advice->setText(m_below.first(fits).join(' '));
    m_more = m_below.sliced(lines > 0 ? fits : 0).join(' ');
    const bool cut = m_advice->linesNeeded() > m_advice->lines() || m_sentence->linesNeeded() > finding;
    m_showMore->setVisible(cut || !m_more.isEmpty() || !numbers);
}

// By their widths alone: what is hidden or shown here asks for another layout, and for this once more.
bool VerdictBar::fitsBesideFigures(int lines) const
{
    const QMargins margins = layout()->contentsMargins();
    const int spacingPx = static_cast<QGridLayout*>(layout())->horizontalSpacing();
    const int buttonsPx = std::max(m_show->isHidden() ? 0 : m_show->sizeHint().width(), m_showMore->sizeHint().width());
    const int figuresPx = std::max(m_numbers->sizeHint().width(), m_hasBar ? m_bar->width() : 0);
    const int leftPx = width() - margins.left() - margins.right() - buttonsPx - figuresPx - 2 * spacingPx;
    return m_sentence->linesNeeded(m_sentence->text(), leftPx) <= lines;
}

void VerdictBar::showMore()
{
    const QString whole =
        u"<p><b>%1</b></p><p>%2</p>"_s.arg(m_sentence->text().toHtmlEscaped(), m_below.join(' ').toHtmlEscaped()) +
        (m_numbers->isHidden() ? u"<p>%1</p>"_s.arg(m_numbers->text()) : QString()) +
        (m_easiest->text().isEmpty() ? QString() : u"<p>%1</p>"_s.arg(m_easiest->text()));
    // A frame around the label: a label keeps the clicks and keys that close a popup.
    auto* page = new QFrame(this, Qt::Popup);
    page->setObjectName("verdictMore");
    page->setAttribute(Qt::WA_DeleteOnClose);
    page->setAttribute(Qt::WA_NoMouseReplay);  // a click on "More" closes, and does not open it again
    page->setFrameShape(QFrame::StyledPanel);
    auto* words = new QLabel(whole, page);
    words->setObjectName("verdictMoreText");
    words->setWordWrap(true);
    connect(words, &QLabel::linkActivated, page, [this, page] {
        page->close();
        requestEasiest();
    });
    words->setMargin(layout()->contentsMargins().left());
    const int widePx = std::min(width(), kMorePx);
    words->setFixedSize(widePx, words->heightForWidth(widePx));
    auto* around = new QVBoxLayout(page);
    around->setContentsMargins({});
    around->addWidget(words);
    page->adjustSize();
    page->move(mapToGlobal(QPoint(width() - page->width(), height())));
    page->show();
}

void VerdictBar::resizeEvent(QResizeEvent* event)
{
    TintedBar::resizeEvent(event);
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
    const AnalyzedTrace& current = m_document->current();
    const Judgement* judgement = m_document->judgement();
    if (!judgement)
        return;
    const Evidence evidence =
        evidenceOf(*current.trace, *current.analysis, judgement->verdict, m_document->shownRange());
    if (evidence.event.valid()) {
        emit showRequested(evidence.event);
    } else if (!evidence.interval.empty()) {
        const std::int64_t roomNs = evidence.interval.lengthNs();
        m_document->view()->setRange({evidence.interval.startNs - roomNs, evidence.interval.endNs + roomNs});
    }
}

void VerdictBar::changeEvent(QEvent* event)
{
    TintedBar::changeEvent(event);
    // Its own tint is a change of the palette, too.
    if (m_refreshing || (event->type() != QEvent::PaletteChange && event->type() != QEvent::StyleChange))
        return;
    m_easiest->setText(QString());  // a link keeps the color that it was set with
    refresh();
}

}  // namespace overlane
