#include "app/timeline/second_lanes.h"

#include <cmath>

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/theme/palette.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/title_label.h"
#include "app/widgets/flat_button.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr double kNudgeShare = 0.01;  // of what is visible
constexpr int kLeastRows = 6;

Interval moved(Interval range, std::int64_t byNs)
{
    return {range.startNs + byNs, range.endNs + byNs};
}

std::optional<Interval> moved(const std::optional<Interval>& range, std::int64_t byNs)
{
    return range ? std::optional(moved(*range, byNs)) : std::nullopt;
}

QToolButton* button(const QString& label, const QString& name, const QString& tip, QWidget* parent)
{
    auto* made = flatButton(label, name, tip, parent);
    made->setAccessibleName(tip);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

}  // namespace

SecondLanes::SecondLanes(ViewRange* first, Selection* firstSelection, QWidget* parent)
    : QWidget(parent),
      m_first(first),
      m_firstSelection(firstSelection),
      m_head(new QWidget(this)),
      m_title(new TitleLabel(m_head)),
      m_meetAt(new QComboBox(m_head)),
      m_step(new QSpinBox(m_head)),
      m_left(button(u"\u25c2"_s, "secondLeft", u"Move this timeline a little to the left"_s, m_head)),
      m_right(button(u"\u25b8"_s, "secondRight", u"Move this timeline a little to the right"_s, m_head)),
      m_swap(button(u"Swap"_s, "secondSwap", u"Change places: let the other timeline be the second one"_s, m_head)),
      m_close(button(u"\u2715"_s, "secondClose", u"Take this timeline away"_s, m_head)),
      m_lanes(new LaneCanvas(&m_view, &m_selection, this))
{
    makeHead();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_lanes, 1);
    column->setSizeConstraint(QLayout::SetMinAndMaxSize);  // no higher than the lanes may be
    m_lanes->setMinimumHeight(kLeastRows * kRowPx);
    m_lanes->setAccessibleName(u"Second timeline"_s);
    connect(m_first, &ViewRange::rangeChanged, this, &SecondLanes::followRange);
    connect(m_first, &ViewRange::limitsChanged, this, &SecondLanes::followRange);
    connect(&m_view, &ViewRange::rangeChanged, this, &SecondLanes::lead);
    const auto moveCursor = [this](ViewRange* from, ViewRange* to, int sign) {
        connect(from->cursor(), &TimeCursor::moved, this, [this, from, to, sign] {
            const std::optional<std::int64_t> ns = from->cursor()->ns();
            if (shown())
                to->cursor()->pointAt(ns ? std::optional(*ns + sign * offsetNs()) : std::nullopt);
        });
    };
    moveCursor(m_first, &m_view, 1);
    moveCursor(&m_view, m_first, -1);
    connect(m_firstSelection, &Selection::rangeChanged, this, &SecondLanes::followSelectedRange);
    connect(&m_selection, &Selection::rangeChanged, this, [this](const std::optional<Interval>& range) {
        if (!m_following)
            m_firstSelection->setRange(moved(range, -offsetNs()));
    });
    connect(m_lanes, &LaneCanvas::eventDoubleClicked, this, [this](EventIndex event) {
        const Interval interval = m_second.trace->interval(event);
        const std::int64_t marginNs = std::max(interval.lengthNs(), ViewRange::kMinimumNs / 2);
        m_first->glideTo(moved({interval.startNs - marginNs, interval.endNs + marginNs}, -offsetNs()));
    });
    hide();
}

SecondLanes::~SecondLanes() = default;

void SecondLanes::makeHead()
{
    m_head->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_title->setObjectName("secondTitle");
    m_meetAt->setObjectName("secondMeetAt");
    m_meetAt->setAccessibleName(u"Align timelines by"_s);
    m_meetAt->setToolTip(u"Align timelines by"_s);
    m_meetAt->setFrame(false);
    m_step->setObjectName("secondStep");
    m_step->setAccessibleName(u"Step at which the two timelines meet"_s);
    m_step->setToolTip(u"The step at which the two timelines meet, counted from 0"_s);
    m_step->setFrame(false);
    m_step->setKeyboardTracking(false);
    m_swap->setToolButtonStyle(Qt::ToolButtonTextOnly);
    for (QToolButton* nudging : {m_left, m_right})
        nudging->setAutoRepeat(true);
    auto* row = new QHBoxLayout(m_head);
    row->setContentsMargins(8, 1, 4, 1);
    row->setSpacing(3);
    row->addWidget(m_title, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_meetAt, m_step, m_left, m_right, m_swap, m_close})
        row->addWidget(widget);
    connect(m_meetAt, &QComboBox::activated, this, &SecondLanes::askToMeet);
    connect(m_step, &QSpinBox::valueChanged, this, &SecondLanes::askToMeet);
    connect(m_left, &QToolButton::clicked, this, [this] { nudge(-kNudgeShare); });
    connect(m_right, &QToolButton::clicked, this, [this] { nudge(kNudgeShare); });
    connect(m_swap, &QToolButton::clicked, this, &SecondLanes::swapRequested);
    connect(m_close, &QToolButton::clicked, this, &SecondLanes::closeRequested);
}

void SecondLanes::setSecond(const SecondTrace& second)
{
    const bool otherPlace = second.offsetNs != m_second.offsetNs || second.meetAt != m_second.meetAt;
    const bool otherTrace = second.trace != m_second.trace;
    m_second = second;
    if (otherPlace || !second.trace)
        m_nudgeNs = 0;
    if (otherTrace) {
        m_following = true;
        m_selection.clear();
        m_following = false;
        m_lanes->setTrace(second.trace, second.pyramids);
    }
    setVisible(shown());
    showHead();
    emit offsetChanged();
    followRange();
    followSelectedRange();
}

void SecondLanes::showHead()
{
    if (!shown())
        return;
    const Palette& colors = Palette::current(palette());
    m_title->setTitle(m_second.notReal ? colors.warning : colors.accent, m_second.badge, m_second.title, m_second.rest);
    const QSignalBlocker quietMeet(m_meetAt);
    const QSignalBlocker quietStep(m_step);
    m_meetAt->clear();
    const auto offer = [this](MeetAt at, const QString& label) { m_meetAt->addItem(label, static_cast<int>(at)); };
    offer(MeetAt::Start, u"aligned: starts"_s);
    if (m_second.hasKernels)
        offer(MeetAt::FirstKernel, u"aligned: first kernels"_s);
    if (m_second.stepCount > 0)
        offer(MeetAt::Step, u"aligned: step"_s);
    if (m_second.meetAt == MeetAt::Event)
        offer(MeetAt::Event, u"aligned: chosen events"_s);
    m_meetAt->setCurrentIndex(m_meetAt->findData(static_cast<int>(m_second.meetAt)));
    m_step->setRange(0, std::max(0, m_second.stepCount - 1));
    m_step->setValue(m_second.step);
    m_step->setVisible(m_second.meetAt == MeetAt::Step && m_second.stepCount > 0);
    m_swap->setVisible(m_second.canSwap);
}

void SecondLanes::askToMeet()
{
    emit meetRequested(static_cast<MeetAt>(m_meetAt->currentData().toInt()), m_step->value());
}

void SecondLanes::nudge(double share)
{
    if (!shown())
        return;
    m_nudgeNs -= std::llround(share * static_cast<double>(m_first->range().lengthNs()));
    emit offsetChanged();
    followRange();
    followSelectedRange();
}

Interval SecondLanes::spanInFirst() const
{
    return shown() ? moved(m_second.trace->span(), -offsetNs()) : Interval{};
}

void SecondLanes::reveal(EventIndex event)
{
    if (!shown() || !event.valid() || event.index() >= m_second.trace->eventCount())
        return;
    m_selection.setEvent(event);
    const TrackId track = m_second.trace->trackOf(event);
    m_lanes->changeCollapse([&](CollapseState& state, const Trace& trace) { state.reveal(trace, track); });
    m_lanes->scrollTo(event);
}

void SecondLanes::followRange()
{
    if (m_following || !shown())
        return;
    m_following = true;
    m_lanes->setBookmarkOffset(offsetNs());
    m_view.setLimits(moved(m_first->limits(), offsetNs()));
    m_view.moveTo(moved(m_first->range(), offsetNs()));
    m_following = false;
}

void SecondLanes::followSelectedRange()
{
    if (!shown())
        return;
    m_following = true;
    m_selection.setRange(moved(m_firstSelection->range(), offsetNs()));
    m_following = false;
}

void SecondLanes::lead(Interval range)
{
    if (!m_following)
        m_first->moveTo(moved(range, -offsetNs()));
}

void SecondLanes::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showHead();
    QWidget::changeEvent(event);
}

}  // namespace overlane
