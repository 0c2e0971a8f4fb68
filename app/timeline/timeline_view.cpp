#include "app/timeline/timeline_view.h"

#include <algorithm>
#include <cstdlib>

#include <QAccessible>
#include <QEvent>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>

#include "app/theme/focus_mark.h"
#include "app/theme/palette.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/held_keys.h"
#include "app/timeline/lane_stack.h"
#include "app/timeline/legend_row.h"
#include "app/timeline/overview_strip.h"
#include "app/timeline/second_lanes.h"
#include "app/timeline/selection.h"
#include "app/timeline/spoken_lanes.h"
#include "app/timeline/time_ruler.h"
#include "app/timeline/timeline_accessible.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/title_label.h"
#include "app/timeline/view_range.h"
#include "app/widgets/text.h"
#include "core/base/units.h"

namespace overlane
{

namespace
{

// Host and device of one process in sight; of two runs at least their devices.
constexpr int kLeastLanesPx = 11 * kRowPx;
constexpr int kLeastComparedPx = 6 * kRowPx;
constexpr int kLeastOfThreePx = 4 * kRowPx;
constexpr int kLeastYieldingPx = 3 * kRowPx;
constexpr int kBelowLanesPx = 6;
constexpr int kLowWindowPx = 640;  // lower ones have no room for more

// Nobody watches a picture that is drawn offscreen.
int motionMs(const QWidget& widget)
{
    constexpr int kLongestMs = 120;
    const QString platform = QGuiApplication::platformName();
    if (platform == QLatin1String("offscreen") || platform == QLatin1String("minimal") ||
        qEnvironmentVariable("OVERLANE_MOTION") == QLatin1String("0"))
        return 0;
    return std::min(kLongestMs, widget.style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &widget));
}

// Before the parts are made: one that is asked about while it is made keeps the answer.
ViewRange* withSpokenParts(ViewRange* view)
{
    QAccessible::installFactory(timelineAccessible);
    return view;
}

}  // namespace

TimelineView::TimelineView(ViewRange* view, Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_view(withSpokenParts(view)),
      m_selection(selection),
      m_bookmarks(new Bookmarks(this)),
      m_held(new HeldKeys(
          view, [this] { return anchorNs(); }, this)),
      m_overview(new OverviewStrip(view, this)),
      m_ruler(new TimeRuler(view, selection, m_bookmarks, this)),
      m_above(new SecondLanes(view, selection, this)),
      m_shownTitle(new TitleLabel(this)),
      m_stack(new LaneStack(view, selection, this)),
      m_lanes(m_stack->lanes()),
      m_below(new SecondLanes(view, selection, this)),
      m_legend(new LegendRow(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_overview);
    column->addWidget(m_ruler);
    column->addWidget(m_above, 1);
    column->addWidget(m_shownTitle);
    column->addWidget(m_stack, 1);
    column->addWidget(m_below, 1);
    column->addWidget(m_legend);
    m_shownTitle->setContentsMargins(8, 3, 8, 3);
    m_shownTitle->hide();
    m_above->setObjectName("lanesAbove");
    m_below->setObjectName("lanesBelow");
    for (LaneCanvas* lanes : {m_above->lanes(), m_lanes, m_below->lanes()}) {
        connect(lanes, &LaneCanvas::scrolled, this, [this, lanes] { scrollAlike(lanes); });
        lanes->setBookmarks(m_bookmarks);
    }
    m_stack->setMinimumHeight(kLeastLanesPx);
    pinned()->setBookmarks(m_bookmarks);
    setFocusPolicy(Qt::StrongFocus);
    FocusMark::askFor(this);
    setAccessibleName(u"Timeline"_s);
    m_overview->setAccessibleName(u"Whole run"_s);
    m_ruler->setAccessibleName(u"Times"_s);
    connect(m_selection, &Selection::eventChanged, this, &TimelineView::speakSelection);
    setEmptyText(u"Open a trace, or run the laboratory."_s);
    m_view->setMotionMs(motionMs(*this));
    connect(m_above->lanes(), &LaneCanvas::foldingChanged, this, &TimelineView::shareHeight);
    connect(m_lanes, &LaneCanvas::foldingChanged, this, &TimelineView::foldingChanged);
    for (LaneCanvas* lanes : {m_lanes, pinned()}) {
        connect(lanes, &LaneCanvas::rowsMoved, this, &TimelineView::rowsMoved);
        connect(lanes, &LaneCanvas::tableRequested, this, &TimelineView::tableRequested);
        connect(lanes, &LaneCanvas::eventHovered, this, &TimelineView::eventHovered);
        connect(lanes, &LaneCanvas::contextMenuRequested, this, &TimelineView::contextMenuRequested);
        connect(lanes, &LaneCanvas::eventDoubleClicked, this, &TimelineView::zoomTo);
    }
    connect(m_ruler, &TimeRuler::contextMenuRequested, this, &TimelineView::timeMenuRequested);
    connect(m_overview, &OverviewStrip::contextMenuRequested, this, &TimelineView::timeMenuRequested);
    for (SecondLanes* second : {m_above, m_below})
        connect(second, &SecondLanes::offsetChanged, this, [this] {
            shareHeight();
            updateLimits();
        });
}

TimelineView::~TimelineView() = default;

void TimelineView::setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const TracePyramids> pyramids)
{
    if (trace != m_lanes->trace()) {
        m_selection->setEvent({});
        m_view->cursor()->measureFrom({});
    }
    const auto isRun = [](const Trace* shown) { return shown && shown->metadata().isLaboratoryRun(); };
    if (!isRun(m_lanes->trace().get()) || !isRun(trace.get()))
        m_bookmarks->clear();
    m_stack->setTrace(std::move(trace), std::move(pyramids));
    m_ruler->setStepMarks({});
    m_steps.clear();
    updateLimits();
    m_overview->setTrace(m_lanes->pyramids());
}

// The description of what has the focus is read when it changes.
void TimelineView::speakSelection(EventIndex event)
{
    const bool known = trace() && event.valid() && event.index() < trace()->eventCount();
    setAccessibleDescription(known ? spokenEvent(*trace(), event) : QString());
    if (known && hasFocus())
        focusSpoken(m_stack->showing(event), event);
}

const std::shared_ptr<const Trace>& TimelineView::trace() const
{
    return m_lanes->trace();
}

void TimelineView::scrollAlike(LaneCanvas* from)
{
    const std::optional<LanePlace> place = from->topPlace();
    if (!place)
        return;
    for (LaneCanvas* lanes : {m_above->lanes(), m_lanes, m_below->lanes()})
        if (lanes != from && lanes->trace())
            lanes->scrollToPlace(*place);
}

void TimelineView::shareHeight()
{
    const int others = (m_above->shown() ? 1 : 0) + (m_below->shown() ? 1 : 0);
    const bool yielding = m_yielding || window()->height() < kLowWindowPx;
    const auto unlessYielding = [yielding](int px) { return yielding ? std::min(px, kLeastYieldingPx) : px; };
    const int leastPx = unlessYielding(others == 0 ? kLeastLanesPx : others == 1 ? kLeastComparedPx : kLeastOfThreePx);
    m_stack->setMinimumHeight(leastPx);
    m_stack->setAlone(others == 0);
    for (SecondLanes* second : {m_above, m_below})
        second->lanes()->setMinimumHeight(std::min(leastPx, kLeastComparedPx));
    // What the baseline does not need is for what is shown.
    LaneCanvas* above = m_above->lanes();
    above->setMaximumHeight(std::max(above->minimumHeight(), above->trackLayout().heightPx + kBelowLanesPx));
}

void TimelineView::setYielding(bool yielding)
{
    m_yielding = yielding;
    shareHeight();
}

void TimelineView::updateLimits()
{
    Interval limits = m_lanes->trace() ? m_lanes->trace()->span() : Interval{};
    const auto widen = [&limits](Interval span) {
        limits = limits.empty() ? span
                                : Interval{std::min(limits.startNs, span.startNs), std::max(limits.endNs, span.endNs)};
    };
    for (const SecondLanes* second : {m_above, m_below})
        if (second->shown())
            widen(second->spanInFirst());
    m_view->setLimits(limits);
    showTitles();
    m_legend->setTraces({m_lanes->pyramid(), m_above->lanes()->pyramid(), m_below->lanes()->pyramid()});
}

void TimelineView::showTitles()
{
    const Trace* shown = m_lanes->trace().get();
    const SecondTrace& other = (m_above->shown() ? m_above : m_below)->second();
    m_shownTitle->setVisible(shown != nullptr && other.trace != nullptr);
    if (m_shownTitle->isHidden())
        return;
    QString rest = QString::fromStdString(formatDuration(shown->span().lengthNs()));
    if (!other.firstRest.isEmpty())
        rest += u" \u00b7 "_s + other.firstRest;
    m_shownTitle->setTitle(Palette::current(palette()).accent, other.firstBadge,
                           m_shownName.isEmpty() ? QString::fromStdString(shown->metadata().title) : m_shownName, rest);
}

void TimelineView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showTitles();
    if (event->type() == QEvent::StyleChange)
        m_view->setMotionMs(motionMs(*this));
    QWidget::changeEvent(event);
}

void TimelineView::setShownName(const QString& name)
{
    m_shownName = name;
    showTitles();
}

void TimelineView::setEmptyText(const QString& text)
{
    m_lanes->setEmptyText(text);
}

void TimelineView::setBundling(std::optional<Interval> active)
{
    m_lanes->setBundling(active);
    const auto others = active ? std::optional(Interval{}) : std::nullopt;
    m_above->lanes()->setBundling(others);
    m_below->lanes()->setBundling(others);
}

bool TimelineView::isCollapsed(TrackId track) const
{
    return trace() && m_lanes->collapse().collapsed(*trace(), track);
}

void TimelineView::setCollapsed(TrackId track, bool collapsed)
{
    m_lanes->changeCollapse([&](CollapseState& state, const Trace& shown) { state.set(shown, track, collapsed); });
}

void TimelineView::collapseAll()
{
    m_lanes->changeCollapse([](CollapseState& state, const Trace& shown) { state.setAll(shown, true); });
}

void TimelineView::expandAll()
{
    m_lanes->changeCollapse([](CollapseState& state, const Trace& shown) { state.setAll(shown, false); });
}

void TimelineView::arrange(const std::function<void(TrackArrangement&, const Trace&)>& change)
{
    m_lanes->changeCollapse(
        [&change](CollapseState& state, const Trace& shown) { change(state.arrangement(), shown); });
}

const CollapseState& TimelineView::tracks() const
{
    return m_lanes->collapse();
}

void TimelineView::setEnginesKept(bool kept)
{
    m_stack->setEnginesKept(kept);
}

bool TimelineView::enginesKept() const
{
    return m_stack->enginesKept();
}

std::vector<EventRange> TimelineView::rowsInSight() const
{
    std::vector<EventRange> inSight = m_lanes->rowsInSight();
    if (pinned()->isVisible()) {
        const std::vector<EventRange> kept = pinned()->rowsInSight();
        inSight.insert(inSight.end(), kept.begin(), kept.end());
    }
    return inSight;
}

LaneCanvas* TimelineView::lanes() const
{
    return m_lanes;
}

LaneCanvas* TimelineView::pinned() const
{
    return m_stack->pinned();
}

QString TimelineView::folding() const
{
    QJsonObject folded;
    for (const auto& [path, collapsed] : m_lanes->collapse().byPath())
        folded.insert(QString::fromStdString(path), collapsed);
    // A track that is arranged has an object instead.
    for (const auto& [path, look] : m_lanes->collapse().arrangement().all()) {
        QJsonObject json = lookJson(look);
        const QString key = QString::fromStdString(path);
        if (folded.contains(key))
            json["closed"] = folded[key].toBool();
        folded.insert(key, json);
    }
    return folded.isEmpty() ? QString() : QString::fromUtf8(QJsonDocument(folded).toJson(QJsonDocument::Compact));
}

void TimelineView::setFolding(const QString& folding)
{
    std::map<std::string, bool> byPath;
    CollapseState state;
    const QJsonObject folded = QJsonDocument::fromJson(folding.toUtf8()).object();
    for (auto each = folded.begin(); each != folded.end(); ++each) {
        const QJsonValue closed = each.value().isObject() ? each.value().toObject()["closed"] : each.value();
        if (closed.isBool())
            byPath[each.key().toStdString()] = closed.toBool();
        if (each.value().isObject())
            state.arrangement().set(each.key().toStdString(), lookFrom(each.value().toObject()));
    }
    state.setByPath(std::move(byPath));
    m_lanes->setCollapse(std::move(state));
    m_stack->place();
}

void TimelineView::setAnalysis(std::shared_ptr<const Analysis> analysis)
{
    pinned()->setAnalysis(analysis);
    m_lanes->setAnalysis(std::move(analysis));
}

void TimelineView::setIdleShown(bool shown)
{
    m_idleShown = shown;
    m_lanes->setIdleShown(shown);
    pinned()->setIdleShown(shown);
}

void TimelineView::setBadges(TrackBadges badges)
{
    pinned()->setBadges(badges);
    m_lanes->setBadges(std::move(badges));
}

void TimelineView::setStepMarks(std::vector<RulerMark> marks)
{
    m_ruler->setStepMarks(std::move(marks));
}

std::optional<Interval> TimelineView::stepAt(std::int64_t ns) const
{
    const auto after = std::upper_bound(m_steps.begin(), m_steps.end(), ns,
                                        [](std::int64_t at, const Interval& step) { return at < step.startNs; });
    return after != m_steps.begin() && std::prev(after)->contains(ns) ? std::optional(*std::prev(after)) : std::nullopt;
}

void TimelineView::setHighlights(const EventSet& events)
{
    pinned()->setHighlights(events);
    m_lanes->setHighlights(events);
}

void TimelineView::ensureVisible(EventIndex event)
{
    if (!trace() || !event.valid() || event.index() >= trace()->eventCount())
        return;
    const TrackId track = trace()->trackOf(event);
    m_lanes->changeCollapse([&](CollapseState& state, const Trace& shown) { state.reveal(shown, track); });
    m_lanes->scrollTo(event);
    const Interval interval = trace()->interval(event);
    const Interval range = m_view->target();
    if (interval.startNs >= range.startNs && interval.endNs <= range.endNs)
        return;
    const std::int64_t lengthNs = std::max(range.lengthNs(), interval.lengthNs() + interval.lengthNs() / 5);
    const std::int64_t startNs = interval.startNs + interval.lengthNs() / 2 - lengthNs / 2;
    m_view->glideTo({startNs, startNs + lengthNs});
}

void TimelineView::ensureLegible(EventIndex event)
{
    constexpr double kLegiblePx = 8;
    if (!trace() || !event.valid() || event.index() >= trace()->eventCount())
        return;
    const Interval at = trace()->interval(event);
    const Interval shown = m_view->target();
    const auto plotPx = static_cast<double>(std::max(1, plotWidthPx(m_lanes->width())));
    const double px =
        plotPx * static_cast<double>(at.lengthNs()) / static_cast<double>(std::max<std::int64_t>(1, shown.lengthNs()));
    if (px >= kLegiblePx)
        return;
    const auto lengthNs =
        static_cast<std::int64_t>(plotPx / kLegiblePx * static_cast<double>(std::max<std::int64_t>(1, at.lengthNs())));
    const std::int64_t middleNs = at.startNs + at.lengthNs() / 2;
    m_view->glideTo({middleNs - lengthNs / 2, middleNs + lengthNs / 2});
}

void TimelineView::zoomTo(EventIndex event)
{
    if (!trace() || !event.valid() || event.index() >= trace()->eventCount())
        return;
    const Interval interval = trace()->interval(event);
    const std::int64_t marginNs = std::max(interval.lengthNs(), ViewRange::kMinimumNs / 2);
    m_view->glideTo({interval.startNs - marginNs, interval.endNs + marginNs});
    ensureVisible(event);
}

}  // namespace overlane
