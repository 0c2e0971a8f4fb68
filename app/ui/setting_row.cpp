#include "app/ui/setting_row.h"

#include <algorithm>
#include <cmath>

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QSlider>

#include "app/ui/quantity_box.h"
#include "app/ui/text.h"

namespace overlane
{

namespace
{

// A slider over more values than this cannot hit any of them.
constexpr double kMostLinearSteps = 10'000;

double logarithmicFloor(const Setting& setting)
{
    if (setting.minimum > 0)
        return setting.minimum;
    return setting.kind == SettingKind::Bytes ? 1048576.0 : 1.0;
}

}  // namespace

SettingRow::SettingRow(const Setting& setting, QGridLayout* grid, int row, QWidget* parent)
    : QObject(parent), m_setting(setting)
{
    if (setting.kind == SettingKind::Switch) {
        m_check = new QCheckBox(text(setting.label), parent);
        m_check->setObjectName(text(setting.key));
        m_check->setToolTip(text(setting.description));
        grid->addWidget(m_check, row, 0, 1, 3);
        connect(m_check, &QCheckBox::toggled, this, [this](bool on) { emit edited(on ? 1 : 0); });
        return;
    }
    auto* label = new QLabel(text(setting.label), parent);
    label->setToolTip(text(setting.description));
    grid->addWidget(label, row, 0);
    if (setting.kind == SettingKind::Choice)
        addChoice(grid, row, parent);
    else
        addNumber(grid, row, parent);
}

void SettingRow::addNumber(QGridLayout* grid, int row, QWidget* parent)
{
    m_box = new QuantityBox(m_setting, parent);
    m_box->setObjectName(text(m_setting.key));
    m_box->setAccessibleName(text(m_setting.label));
    m_box->setToolTip(text(m_setting.description));
    connect(m_box, &QDoubleSpinBox::valueChanged, this, &SettingRow::edited);
    m_box->setFixedWidth(m_box->fontMetrics().horizontalAdvance("1 000 000 µs") + 28);
    grid->addWidget(m_box, row, 2);

    if (!m_setting.logarithmic && m_setting.maximum - m_setting.minimum > kMostLinearSteps)
        return;
    m_slider = new QSlider(Qt::Horizontal, parent);
    m_slider->setObjectName(text(m_setting.key) + "_slider");
    m_slider->setAccessibleName(text(m_setting.label));
    m_slider->setToolTip(text(m_setting.description));
    m_slider->setMinimumWidth(36);
    const bool counted = !m_setting.logarithmic && m_setting.kind == SettingKind::Integer;
    m_slider->setRange(0, counted ? static_cast<int>(m_setting.maximum - m_setting.minimum) : kSliderSteps);
    m_slider->setSingleStep(counted ? 1 : kSliderSteps / 100);
    m_slider->setPageStep(counted ? 4 : kSliderSteps / 20);
    connect(m_slider, &QSlider::valueChanged, this, [this](int at) { emit edited(valueAt(at)); });
    connect(m_slider, &QSlider::sliderPressed, this, &SettingRow::gestureBegan);
    connect(m_slider, &QSlider::sliderReleased, this, &SettingRow::gestureEnded);
    grid->addWidget(m_slider, row, 1);
}

void SettingRow::addChoice(QGridLayout* grid, int row, QWidget* parent)
{
    if (m_setting.choices.size() > 3) {
        m_combo = new QComboBox(parent);
        m_combo->setObjectName(text(m_setting.key));
        m_combo->setAccessibleName(text(m_setting.label));
        m_combo->setToolTip(text(m_setting.description));
        for (const std::string_view choice : m_setting.choices)
            m_combo->addItem(text(choice));
        connect(m_combo, &QComboBox::currentIndexChanged, this, [this](int index) { emit edited(index); });
        grid->addWidget(m_combo, row, 1, 1, 2);
        return;
    }
    auto* holder = new QWidget(parent);
    auto* line = new QHBoxLayout(holder);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    m_radios = new QButtonGroup(this);
    for (std::size_t i = 0; i < m_setting.choices.size(); ++i) {
        auto* radio = new QRadioButton(text(m_setting.choices[i]), holder);
        radio->setObjectName(text(m_setting.key) + "_" + text(m_setting.choices[i]));
        radio->setAccessibleName(text(m_setting.label) + ": " + text(m_setting.choices[i]));
        radio->setToolTip(text(m_setting.description));
        m_radios->addButton(radio, static_cast<int>(i));
        line->addWidget(radio);
    }
    line->addStretch();
    connect(m_radios, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on)
            emit edited(id);
    });
    grid->addWidget(holder, row, 1, 1, 2);
}

void SettingRow::show(double value)
{
    const QSignalBlocker quiet(this);
    if (m_check != nullptr)
        m_check->setChecked(value != 0);
    if (m_combo != nullptr)
        m_combo->setCurrentIndex(static_cast<int>(value));
    if (m_radios != nullptr)
        m_radios->button(static_cast<int>(value))->setChecked(true);
    if (m_box != nullptr)
        m_box->setValue(value);
    // A slider that is held stays where the hand is; its steps are coarser than the value.
    if (m_slider != nullptr && !m_slider->isSliderDown())
        m_slider->setValue(position(value));
}

int SettingRow::position(double value) const
{
    if (!m_setting.logarithmic) {
        const double share = (value - m_setting.minimum) / (m_setting.maximum - m_setting.minimum);
        return static_cast<int>(std::lround(share * m_slider->maximum()));
    }
    const double floor = logarithmicFloor(m_setting);
    if (value < floor)
        return 0;
    const double share = std::log(value / floor) / std::log(m_setting.maximum / floor);
    return std::clamp(static_cast<int>(std::lround(share * kSliderSteps)), 0, kSliderSteps);
}

double SettingRow::valueAt(int position) const
{
    if (position <= 0)
        return m_setting.minimum;
    if (!m_setting.logarithmic)
        return m_setting.minimum + (m_setting.maximum - m_setting.minimum) * position / m_slider->maximum();
    const double floor = logarithmicFloor(m_setting);
    const double value = floor * std::pow(m_setting.maximum / floor, static_cast<double>(position) / kSliderSteps);
    if (m_setting.kind == SettingKind::Integer)
        return std::round(value);
    // Two digits, in whole MiB above one: numbers that people would choose.
    const double unit = m_setting.kind == SettingKind::Bytes ? (value >= 1048576 ? 1048576 : 1024) : 1;
    const double scale = std::pow(10.0, std::floor(std::log10(value / unit)) - 1);
    const double rounded = std::round(value / unit / scale) * scale * unit;
    return std::clamp(rounded, m_setting.minimum, m_setting.maximum);
}

}  // namespace overlane
