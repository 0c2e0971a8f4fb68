// SettingRow: the label and the controls of one setting of the laboratory, made from its description.
//
// Lives on the GUI thread. Numbers get a slider and a QuantityBox, switches a check box, choices
// radio buttons (two) or a combo box; every row a button that takes its value back. A slider
// runs over the values people choose (all small counts, then rounder ones; ratios for sizes and times);
// the box takes any. A value shown is never told back as an edit.
#pragma once

#include <vector>

#include <QGridLayout>
#include <QObject>

#include "core/loader/settings.h"

class QAbstractButton;
class QButtonGroup;
class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

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
    // `reference` is what the button takes the value back to; `whyNoEffect` disables the row where it is
    // not empty.
    void show(double value, double reference, const QString& whyNoEffect);

signals:
    void edited(double value);
    void gestureBegan();
    void gestureEnded();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addSwitch(QGridLayout* grid, int row, QWidget* parent);
    void addNumber(QGridLayout* grid, int row, QWidget* parent);
    void addChoice(QGridLayout* grid, int row, QWidget* parent);
    void addReset(QGridLayout* grid, int row, QWidget* parent);
    void explain(const QString& whyNoEffect);
    QString valueText(double value) const;
    int position(double value) const;
    double valueAt(int position) const;

    const Setting& m_setting;
    std::vector<double> m_stops;  // of the slider of a count; empty for sizes and times
    double m_reference = 0;
    QString m_whyNoEffect;
    std::vector<QWidget*> m_controls;  // what is disabled together, with the label
    QLabel* m_label = nullptr;
    QSlider* m_slider = nullptr;
    QuantityBox* m_box = nullptr;
    QCheckBox* m_check = nullptr;
    QComboBox* m_combo = nullptr;
    QButtonGroup* m_radios = nullptr;
    QToolButton* m_reset = nullptr;
};

}  // namespace overlane
