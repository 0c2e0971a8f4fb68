// AxisEditor: one setting to sweep and its values: from, to, how many and in which steps, or, for a
// setting with choices, which of them.
//
// Lives on the GUI thread. A range that is impossible is said by problem() and never run.
#pragma once

#include <optional>

#include <QWidget>

#include "core/sweep/sweep_axis.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QSpinBox;
class QToolButton;

namespace overlane
{

class QuantityBox;

class AxisEditor : public QWidget
{
    Q_OBJECT

public:
    enum class Need : std::uint8_t { Required, Optional };  // an optional one may be "none"

    AxisEditor(const QString& title, Need need, const QString& objectName, QWidget* parent = nullptr);

    // Nothing where there is no second setting, or where the range is impossible.
    std::optional<SweepAxis> axis() const;
    QString problem() const;
    // Shows an axis, or none; its ends, count and steps.
    void setAxis(const std::optional<SweepAxis>& axis);
    // The range of a setting that is chosen afresh lies around this scenario's value.
    void setScenario(const Scenario& scenario) { m_scenario = scenario; }

signals:
    void changed();

private:
    const Setting* setting() const;
    void takeSetting();
    void makeBoxes(const Setting& setting);
    Result<SweepAxis> made() const;

    Need m_need;
    Scenario m_scenario;
    QHBoxLayout* m_line;
    QComboBox* m_key;
    QWidget* m_numbers = nullptr;
    QuantityBox* m_from = nullptr;
    QuantityBox* m_to = nullptr;
    QSpinBox* m_count = nullptr;
    QComboBox* m_steps = nullptr;
    QToolButton* m_choices = nullptr;
    QMenu* m_menu = nullptr;
    std::vector<double> m_listed;  // values that no range makes; shown as they are until somebody changes them
};

}  // namespace overlane
