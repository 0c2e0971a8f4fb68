#include "app/timeline/spoken_lanes.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <QAccessibleWidget>

#include "app/timeline/lane_canvas.h"
#include "app/timeline/selection.h"
#include "app/timeline/spoken_part.h"
#include "app/timeline/view_range.h"
#include "app/widgets/text.h"
#include "core/base/counted.h"
#include "core/base/exact_time.h"
#include "core/base/short_name.h"
#include "core/base/units.h"
#include "core/trace/track_kinds.h"

namespace overlane
{

namespace
{

// Events of the ranges that lie in a range of time, in order of the rows.
std::vector<EventRange> eventsInSight(const Trace& trace, const std::vector<EventRange>& rows, Interval range)
{
    const auto& starts = trace.columns().startNs;
    std::vector<EventRange> inSight;
    for (const EventRange row : rows) {
        const auto begin = starts.begin() + row.first;
        const auto end = starts.begin() + row.last;
        auto first = static_cast<std::uint32_t>(std::upper_bound(begin, end, range.startNs) - starts.begin());
        if (first > row.first && trace.interval(EventIndex(first - 1)).endNs > range.startNs)
            --first;
        const auto last = static_cast<std::uint32_t>(std::lower_bound(begin, end, range.endNs) - starts.begin());
        if (first < last)
            inSight.push_back({first, last});
    }
    return inSight;
}

class SpokenLanes;

class SpokenEvent : public SpokenPart, public QAccessibleActionInterface
{
public:
    SpokenEvent(SpokenLanes* lanes, LaneCanvas* canvas, int lane, EventIndex event)
        : SpokenPart(canvas, {}), m_lanes(lanes), m_canvas(canvas), m_lane(lane), m_event(event)
    {
    }
    EventIndex event() const { return m_event; }
    QAccessibleInterface* parent() const override;
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.selectable = true;
        state.focusable = true;
        state.selected = m_canvas->selection()->event() == m_event;
        state.focused = state.selected;
        state.invisible = m_canvas->rectOf(m_event).isNull();
        return state;
    }
    QString text(QAccessible::Text kind) const override
    {
        const Trace& trace = *m_canvas->trace();
        if (kind == QAccessible::Name)
            return overlane::text(shortName(trace.name(m_event)));
        if (kind == QAccessible::Description)
            return spokenEvent(trace, m_event);
        return kind == QAccessible::Value ? overlane::text(formatExactTime(trace.interval(m_event).lengthNs()))
                                          : QString();
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    QStringList actionNames() const override { return {pressAction(), setFocusAction()}; }
    void doAction(const QString&) override { m_canvas->selection()->setEvent(m_event); }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

protected:
    QRect placePx() const override { return m_canvas->rectOf(m_event); }

private:
    SpokenLanes* m_lanes;
    LaneCanvas* m_canvas;
    int m_lane;
    EventIndex m_event;
};

class SpokenLane : public SpokenPart
{
public:
    SpokenLane(SpokenLanes* lanes, LaneCanvas* canvas, int lane)
        : SpokenPart(canvas, {}), m_lanes(lanes), m_canvas(canvas), m_lane(lane)
    {
    }
    QAccessibleInterface* parent() const override;
    QAccessible::Role role() const override { return QAccessible::List; }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        const LaneRow& lane = row();
        state.expandable = lane.collapsible;
        state.collapsed = lane.collapsible && lane.collapsed;
        state.expanded = lane.collapsible && !lane.collapsed;
        return state;
    }
    QString text(QAccessible::Text kind) const override;
    QAccessibleInterface* child(int index) const override;
    int childCount() const override
    {
        std::size_t count = 0;
        for (const EventRange range : inSight())
            count += range.size();
        return static_cast<int>(std::min<std::size_t>(count, kMostSpokenEvents));
    }
    int indexOfChild(const QAccessibleInterface* child) const override
    {
        const auto* spoken = dynamic_cast<const SpokenEvent*>(child);
        int before = 0;
        for (const EventRange range : inSight()) {
            if (spoken != nullptr && spoken->event().value() >= range.first && spoken->event().value() < range.last)
                return before + static_cast<int>(spoken->event().value() - range.first);
            before += static_cast<int>(range.size());
        }
        return -1;
    }
    // Of the lane and of the further rows of its track.
    std::vector<EventRange> inSight() const;
    const LaneRow& row() const;

protected:
    QRect placePx() const override;

private:
    SpokenLanes* m_lanes;
    LaneCanvas* m_canvas;
    int m_lane;  // of those in the layout
};

class SpokenLanes : public QAccessibleWidget
{
public:
    explicit SpokenLanes(LaneCanvas* canvas) : QAccessibleWidget(canvas, QAccessible::List), m_canvas(canvas) {}
    ~SpokenLanes() override { forget(); }
    int childCount() const override { return static_cast<int>(lanes().size()); }
    QAccessibleInterface* child(int index) const override
    {
        return index >= 0 && index < childCount() ? lane(index) : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override
    {
        for (int index = 0; index < childCount(); ++index)
            if (lane(index) == child)
                return index;
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        for (int index = 0; index < childCount(); ++index)
            if (lane(index)->rect().contains(x, y))
                return lane(index);
        return nullptr;
    }
    QAccessibleInterface* focusChild() const override
    {
        const EventIndex selected = m_canvas->selection()->event();
        return selected.valid() ? const_cast<SpokenLanes*>(this)->event(selected) : nullptr;
    }
    QStringList actionNames() const override { return QAccessibleWidget::actionNames() << spokenTableAction(); }
    void doAction(const QString& action) override
    {
        if (action == spokenTableAction())
            emit m_canvas->tableRequested();
        else
            QAccessibleWidget::doAction(action);
    }
    QString text(QAccessible::Text kind) const override
    {
        if (kind != QAccessible::Description || !m_canvas->trace())
            return QAccessibleWidget::text(kind);
        const Interval range = m_canvas->view()->range();
        return u"%1 lanes, %2 from %3"_s.arg(childCount())
            .arg(overlane::text(formatDuration(range.lengthNs())), overlane::text(formatExactTime(range.startNs)));
    }
    // Rows of the layout that carry a label.
    std::vector<int> lanes() const
    {
        std::vector<int> first;
        const auto& rows = m_canvas->trackLayout().rows;
        for (std::size_t row = 0; row < rows.size(); ++row)
            if (rows[row].rowInTrack == 0)
                first.push_back(static_cast<int>(row));
        return first;
    }
    QAccessibleInterface* lane(int number) const
    {
        return kept({number, -1},
                    [this, number] { return new SpokenLane(const_cast<SpokenLanes*>(this), m_canvas, number); });
    }
    QAccessibleInterface* event(int lane, EventIndex event) const
    {
        return kept({lane, std::int64_t{event.value()}}, [this, lane, event] {
            return new SpokenEvent(const_cast<SpokenLanes*>(this), m_canvas, lane, event);
        });
    }
    // On its lane; null where none shows it.
    QAccessibleInterface* event(EventIndex event) const
    {
        const int row = m_canvas->trace() ? m_canvas->trackLayout().rowOf(*m_canvas->trace(), event) : -1;
        if (row < 0)
            return nullptr;
        const std::vector<int> first = lanes();
        const auto after = std::upper_bound(first.begin(), first.end(), row);
        return this->event(static_cast<int>(after - first.begin()) - 1, event);
    }

private:
    using Key = std::pair<int, std::int64_t>;  // a lane, and an event or -1
    template <typename Make>
    QAccessibleInterface* kept(Key key, Make make) const
    {
        if (m_trace.lock() != m_canvas->trace()) {
            forget();
            m_trace = m_canvas->trace();
        }
        auto [found, isNew] = m_parts.try_emplace(key, 0);
        if (isNew)
            found->second = QAccessible::registerAccessibleInterface(make());
        return QAccessible::accessibleInterface(found->second);
    }
    void forget() const
    {
        for (const auto& [key, id] : std::exchange(m_parts, {}))
            QAccessible::deleteAccessibleInterface(id);
    }

    LaneCanvas* m_canvas;
    mutable std::weak_ptr<const Trace> m_trace;
    mutable std::map<Key, QAccessible::Id> m_parts;
};

QAccessibleInterface* SpokenEvent::parent() const
{
    return m_lanes->lane(m_lane);
}

QAccessibleInterface* SpokenLane::parent() const
{
    return m_lanes;
}

const LaneRow& SpokenLane::row() const
{
    static const LaneRow kNone;
    const std::vector<int> lanes = m_lanes->lanes();
    if (m_lane >= static_cast<int>(lanes.size()))
        return kNone;
    return m_canvas->trackLayout().rows[static_cast<std::size_t>(lanes[static_cast<std::size_t>(m_lane)])];
}

std::vector<EventRange> SpokenLane::inSight() const
{
    const std::vector<int> lanes = m_lanes->lanes();
    if (m_lane >= static_cast<int>(lanes.size()))
        return {};
    const auto& rows = m_canvas->trackLayout().rows;
    std::vector<EventRange> all;
    auto at = static_cast<std::size_t>(lanes[static_cast<std::size_t>(m_lane)]);
    do {
        all.insert(all.end(), rows[at].rows.begin(), rows[at].rows.end());
        ++at;
    } while (at < rows.size() && rows[at].rowInTrack > 0);
    return eventsInSight(*m_canvas->trace(), all, m_canvas->view()->range());
}

QRect SpokenLane::placePx() const
{
    const LaneRow& lane = row();
    return {0, lane.topPx - m_canvas->scrollPx(), m_canvas->width(), lane.heightPx};
}

QString SpokenLane::text(QAccessible::Text kind) const
{
    const LaneRow& lane = row();
    if (!lane.track.valid())
        return {};
    const Trace& trace = *m_canvas->trace();
    if (kind == QAccessible::Name)
        return overlane::text(rowTitle(trace, lane));
    if (kind == QAccessible::Description) {
        std::int64_t count = 0;
        for (const EventRange range : inSight())
            count += range.size();
        return u"%1, %2 in sight"_s.arg(overlane::text(rowOf(trace.track(lane.track).kind).name))
            .arg(overlane::text(counted(count, "event")));
    }
    const EventIndex selected = m_canvas->selection()->event();
    if (kind == QAccessible::Value && selected.valid() && trace.trackOf(selected) == lane.track)
        return spokenEvent(trace, selected);
    return {};
}

QAccessibleInterface* SpokenLane::child(int index) const
{
    if (index < 0 || index >= kMostSpokenEvents)
        return nullptr;
    auto left = static_cast<std::uint32_t>(index);
    for (const EventRange range : inSight()) {
        if (left < range.size())
            return m_lanes->event(m_lane, EventIndex(range.first + left));
        left -= range.size();
    }
    return nullptr;
}

}  // namespace

QAccessibleInterface* spokenLanes(LaneCanvas* canvas)
{
    return new SpokenLanes(canvas);
}

QString spokenEvent(const Trace& trace, EventIndex event)
{
    const Interval at = trace.interval(event);
    return u"%1 on %2, starts at %3, takes %4"_s.arg(
        overlane::text(shortName(trace.name(event))), overlane::text(laneTitle(trace, trace.trackOf(event))),
        overlane::text(formatExactTime(at.startNs)), overlane::text(formatExactTime(at.lengthNs())));
}

void focusSpoken(LaneCanvas* lanes, EventIndex event)
{
    if (!QAccessible::isActive() || !event.valid())
        return;
    const auto* spoken = dynamic_cast<SpokenLanes*>(QAccessible::queryAccessibleInterface(lanes));
    if (QAccessibleInterface* found = spoken != nullptr ? spoken->event(event) : nullptr) {
        QAccessibleEvent focus(found, QAccessible::Focus);
        QAccessible::updateAccessibility(&focus);
    }
}

}  // namespace overlane
