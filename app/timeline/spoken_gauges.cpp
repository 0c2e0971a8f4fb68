#include "app/timeline/spoken_gauges.h"

#include <optional>
#include <utility>
#include <vector>

#include <QAccessibleWidget>

#include "app/timeline/gauge_order.h"
#include "app/timeline/gauge_panel.h"
#include "app/timeline/spoken_part.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

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
            return overlane::text(gaugeTitle(*m_panel->pyramids(), m_panel->counter(m_number)->series().track));
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

}  // namespace

QAccessibleInterface* spokenGauges(GaugePanel* panel)
{
    return new SpokenGauges(panel);
}

}  // namespace overlane
