// SettingRow: the label and the controls of one setting of the laboratory, made from its description.
//
// Lives on the GUI thread. Numbers get a slider and a QuantityBox, switches a check box, choices
// radio buttons (up to three) or a combo box. A value shown is never told back as an edit.
#pragma once

#include <QGridLayout>
#include <QObject>

#include "core/loader/settings.h"

class QAbstractButton;
class QButtonGroup;
class QCheckBox;
class QComboBox;
class QSlider;

namespace overlane
{

class QuantityBox;

class SettingRow : public QObject
{
    Q_OBJECT

public:
    static constexpr int kSliderSteps = 1000;

    // Adds its widgets as row `row` of `grid`; they belong to `parent`.
    SettingRow(const Setting& setting, QGridLayout* grid, int row, QWidget* parent);

    const Setting& setting() const { return m_setting; }
    void show(double value);

signals:
    void edited(double value);
    void gestureBegan();
    void gestureEnded();

private:
    void addNumber(QGridLayout* grid, int row, QWidget* parent);
    void addChoice(QGridLayout* grid, int row, QWidget* parent);
    int position(double value) const;
    double valueAt(int position) const;

    const Setting& m_setting;
    QSlider* m_slider = nullptr;
    QuantityBox* m_box = nullptr;
    QCheckBox* m_check = nullptr;
    QComboBox* m_combo = nullptr;
    QButtonGroup* m_radios = nullptr;
};

}  // namespace overlane
