#include "app/timeline/timeline_accessible.h"

#include <QAccessibleWidget>

#include "app/timeline/gauge_panel.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/overview_strip.h"
#include "app/timeline/spoken_gauges.h"
#include "app/timeline/spoken_lanes.h"
#include "app/timeline/time_ruler.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/view_range.h"
#include "app/widgets/text.h"
#include "core/base/exact_time.h"
#include "core/base/units.h"

namespace overlane
{

namespace
{

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

// The timeline as a whole, which has the focus of the keyboard.
class SpokenTimeline : public QAccessibleWidget
{
public:
    explicit SpokenTimeline(TimelineView* timeline) : QAccessibleWidget(timeline), m_timeline(timeline) {}
    QStringList actionNames() const override { return QAccessibleWidget::actionNames() << spokenTableAction(); }
    void doAction(const QString& action) override
    {
        if (action == spokenTableAction())
            emit m_timeline->tableRequested();
        else
            QAccessibleWidget::doAction(action);
    }

private:
    TimelineView* m_timeline;
};

}  // namespace

QAccessibleInterface* timelineAccessible(const QString&, QObject* object)
{
    if (auto* canvas = qobject_cast<LaneCanvas*>(object))
        return spokenLanes(canvas);
    if (auto* gauges = qobject_cast<GaugePanel*>(object))
        return spokenGauges(gauges);
    if (auto* overview = qobject_cast<OverviewStrip*>(object))
        return new SpokenOverview(overview);
    if (auto* ruler = qobject_cast<TimeRuler*>(object))
        return new SpokenRuler(ruler);
    if (auto* timeline = qobject_cast<TimelineView*>(object))
        return new SpokenTimeline(timeline);
    return nullptr;
}

}  // namespace overlane
