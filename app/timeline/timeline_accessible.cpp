#include "app/timeline/timeline_accessible.h"

#include <algorithm>
#include <map>
#include <utility>

#include <QAccessibleWidget>
#include <QPointer>

#include "app/timeline/gauge_panel.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/overview_strip.h"
#include "app/timeline/selection.h"
#include "app/timeline/time_ruler.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"
#include "app/widgets/text.h"
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

// Common to what stands for a part of a widget.
class SpokenPart : public QAccessibleInterface
{
public:
    SpokenPart(QWidget* widget, QRect placePx) : m_widget(widget), m_placePx(placePx) {}
    bool isValid() const override { return m_widget != nullptr; }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_widget ? m_widget->window()->windowHandle() : nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override
    {
        const QRect place = placePx();
        return m_widget ? QRect(m_widget->mapToGlobal(place.topLeft()), place.size()) : QRect();
    }

protected:
    virtual QRect placePx() const { return m_placePx; }
    QPointer<QWidget> m_widget;

private:
    QRect m_placePx;
};

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
        return u"%1, %2 events in sight"_s.arg(overlane::text(rowOf(trace.track(lane.track).kind).name))
            .arg(overlane::text(formatCount(count)));
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

// One gauge, by its place from above.
class SpokenGauge : public SpokenPart, public QAccessibleValueInterface
{
public:
    SpokenGauge(GaugePanel* panel, int number) : SpokenPart(panel, {}), m_panel(panel), m_number(number) {}
    bool isValid() const override { return m_widget != nullptr && m_number < m_panel->plotCount(); }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_panel); }
    QAccessible::Role role() const override { return QAccessible::Indicator; }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.readOnly = true;
        state.focusable = true;
        state.focused = m_panel->hasFocus() && m_panel->current() == m_number;
        return state;
    }
    QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        if (kind == QAccessible::Name)
            return overlane::text(m_panel->trace()->track(m_panel->counter(m_number)->series().track).name);
        return kind == QAccessible::Value ? m_panel->valueText(m_number) : QString();
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this) : nullptr;
    }
    QVariant currentValue() const override
    {
        const auto value = isValid() ? m_panel->valueAtCursor(m_number) : std::nullopt;
        return value ? QVariant(*value) : QVariant();
    }
    void setCurrentValue(const QVariant&) override {}
    QVariant maximumValue() const override
    {
        return isValid() ? m_panel->counter(m_number)->highestValue() : QVariant();
    }
    QVariant minimumValue() const override
    {
        return isValid() ? m_panel->counter(m_number)->lowestValue() : QVariant();
    }
    QVariant minimumStepSize() const override { return {}; }

protected:
    QRect placePx() const override { return isValid() ? m_panel->placeOf(m_number) : QRect(); }

private:
    GaugePanel* m_panel;
    int m_number;
};

class SpokenGauges : public QAccessibleWidget
{
public:
    explicit SpokenGauges(GaugePanel* panel) : QAccessibleWidget(panel, QAccessible::List), m_panel(panel) {}
    ~SpokenGauges() override
    {
        for (const QAccessible::Id id : std::exchange(m_gauges, {}))
            QAccessible::deleteAccessibleInterface(id);
    }
    int childCount() const override { return m_panel->plotCount(); }
    QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        while (static_cast<int>(m_gauges.size()) <= index)
            m_gauges.push_back(
                QAccessible::registerAccessibleInterface(new SpokenGauge(m_panel, static_cast<int>(m_gauges.size()))));
        return QAccessible::accessibleInterface(m_gauges[static_cast<std::size_t>(index)]);
    }
    int indexOfChild(const QAccessibleInterface* child) const override
    {
        for (int index = 0; index < childCount(); ++index)
            if (this->child(index) == child)
                return index;
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        for (int index = 0; index < childCount(); ++index)
            if (child(index)->rect().contains(x, y))
                return child(index);
        return nullptr;
    }
    QAccessibleInterface* focusChild() const override
    {
        return m_panel->hasFocus() ? child(m_panel->current()) : nullptr;
    }

private:
    GaugePanel* m_panel;
    mutable std::vector<QAccessible::Id> m_gauges;
};

// The visible range within the whole: its start is the value.
class SpokenOverview : public QAccessibleWidget, public QAccessibleValueInterface
{
public:
    explicit SpokenOverview(OverviewStrip* strip)
        : QAccessibleWidget(strip, QAccessible::ScrollBar), m_view(strip->view())
    {
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override
    {
        if (kind != QAccessible::Value)
            return QAccessibleWidget::text(kind);
        const Interval range = m_view->range();
        return u"%1 from %2, of %3"_s.arg(overlane::text(formatDuration(range.lengthNs())),
                                          overlane::text(formatExactTime(range.startNs)),
                                          overlane::text(formatDuration(m_view->limits().lengthNs())));
    }
    QVariant currentValue() const override { return qlonglong{m_view->range().startNs}; }
    void setCurrentValue(const QVariant& value) override
    {
        const qlonglong startNs = value.toLongLong();
        m_view->setRange({startNs, startNs + m_view->range().lengthNs()});
    }
    QVariant maximumValue() const override { return qlonglong{m_view->limits().endNs - m_view->range().lengthNs()}; }
    QVariant minimumValue() const override { return qlonglong{m_view->limits().startNs}; }
    QVariant minimumStepSize() const override { return qlonglong{1}; }

private:
    ViewRange* m_view;
};

class SpokenRuler : public QAccessibleWidget
{
public:
    explicit SpokenRuler(TimeRuler* ruler) : QAccessibleWidget(ruler, QAccessible::StaticText), m_view(ruler->view()) {}
    QString text(QAccessible::Text kind) const override
    {
        if (kind != QAccessible::Value)
            return QAccessibleWidget::text(kind);
        const Interval range = m_view->range();
        QString said = u"from %1 to %2"_s.arg(overlane::text(formatExactTime(range.startNs)),
                                              overlane::text(formatExactTime(range.endNs)));
        if (const auto ns = m_view->cursor()->ns()) {
            said += u"; cursor at %1"_s.arg(overlane::text(formatExactTime(*ns)));
            if (const auto fromNs = m_view->cursor()->measuredFrom())
                said += u", measured %1"_s.arg(overlane::text(formatExactTime(*ns - *fromNs)));
        }
        return said;
    }

private:
    ViewRange* m_view;
};

}  // namespace

QAccessibleInterface* timelineAccessible(const QString&, QObject* object)
{
    if (auto* canvas = qobject_cast<LaneCanvas*>(object))
        return new SpokenLanes(canvas);
    if (auto* gauges = qobject_cast<GaugePanel*>(object))
        return new SpokenGauges(gauges);
    if (auto* overview = qobject_cast<OverviewStrip*>(object))
        return new SpokenOverview(overview);
    if (auto* ruler = qobject_cast<TimeRuler*>(object))
        return new SpokenRuler(ruler);
    return nullptr;
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
