#include "app/widgets/setting_row.h"

#include <algorithm>
#include <cmath>

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include "app/widgets/explain_role.h"
#include "app/widgets/quantity_box.h"
#include "app/widgets/text.h"
#include "core/base/units.h"
#include "core/lessons/explanations.h"

namespace overlane
{

namespace
{

// So that a hand hits what it means.
constexpr int kLeastSliderPx = 120;
// A count over more values than this is typed: no slider could hit any of them.
constexpr double kMostLinearSteps = 10'000;
// Counts up to here are all on the slider; beyond, eight to each doubling.
constexpr double kAllUpTo = 16;
constexpr double kPerDoubling = 8;

std::vector<double> stopsOf(const Setting& setting)
{
    std::vector<double> stops;
    double step = 1;
    for (double value = setting.minimum; value < setting.maximum; value += step) {
        stops.push_back(value);
        if (value >= kAllUpTo)
            step = std::exp2(std::floor(std::log2(value))) / kPerDoubling;
    }
    stops.push_back(setting.maximum);
    return stops;
}

// Where a slider in ratios begins; its very left end is the setting's minimum.
double logarithmicFloor(const Setting& setting)
{
    if (setting.unit == "FLOP")
        return 1e9;
    if (setting.kind != SettingKind::Bytes)
        return std::max(setting.minimum, 1.0);
    return setting.group == "Machine" ? static_cast<double>(kGiB)
                                      : std::max(setting.minimum, static_cast<double>(64 * kKiB));
}

}  // namespace

SettingRow::SettingRow(const Setting& setting, QGridLayout* grid, int row, QWidget* parent)
    : QObject(parent), m_setting(setting)
{
    if (setting.kind == SettingKind::Switch) {
        addSwitch(grid, row, parent);
    } else {
        m_label = new QLabel(text(setting.label), parent);
        m_label->setWordWrap(setting.kind != SettingKind::Choice);  // a slider needs the room more
        m_controls.push_back(m_label);
        grid->addWidget(m_label, row, 0);
        if (setting.kind == SettingKind::Choice)
            addChoice(grid, row, parent);
        else
            addNumber(grid, row, parent);
    }
    addReset(grid, row, parent);
    explain({});
}

void SettingRow::addSwitch(QGridLayout* grid, int row, QWidget* parent)
{
    m_check = new QCheckBox(text(m_setting.label), parent);
    m_check->setObjectName(text(m_setting.key));
    grid->addWidget(m_check, row, 0, 1, 3);
    m_controls.push_back(m_check);
    connect(m_check, &QCheckBox::toggled, this, [this](bool on) { emit edited(on ? 1 : 0); });
}

void SettingRow::addNumber(QGridLayout* grid, int row, QWidget* parent)
{
    m_box = new QuantityBox(m_setting, parent);
    m_box->setObjectName(text(m_setting.key));
    m_box->setAccessibleName(text(m_setting.label));
    connect(m_box, &QDoubleSpinBox::valueChanged, this, &SettingRow::edited);
    m_box->setFixedWidth(m_box->sizeHint().width());
    grid->addWidget(m_box, row, 2);
    m_controls.push_back(m_box);

    const bool counted = m_setting.kind == SettingKind::Integer;
    if (counted && !m_setting.logarithmic && m_setting.maximum - m_setting.minimum > kMostLinearSteps)
        return;
    if (counted)
        m_stops = stopsOf(m_setting);
    m_slider = new QSlider(Qt::Horizontal, parent);
    m_slider->setObjectName(text(m_setting.key) + "_slider");
    m_slider->setAccessibleName(text(m_setting.label));
    m_slider->setMinimumWidth(kLeastSliderPx);
    m_slider->setRange(0, counted ? static_cast<int>(m_stops.size()) - 1 : kSliderSteps);
    m_slider->setSingleStep(counted ? 1 : kSliderSteps / 100);
    m_slider->setPageStep(counted ? 4 : kSliderSteps / 20);
    connect(m_slider, &QSlider::valueChanged, this, [this](int at) { emit edited(valueAt(at)); });
    for (QWidget* turned : std::initializer_list<QWidget*>{m_slider, m_box})
        turned->installEventFilter(this);
    grid->addWidget(m_slider, row, 1);
    m_controls.push_back(m_slider);
}

// A gesture lasts from a button or key going down to its going up, wherever on the slider the button is and
// however often the key repeats.
bool SettingRow::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
        case QEvent::MouseButtonPress:
        case QEvent::MouseButtonDblClick:
            emit gestureBegan();
            break;
        case QEvent::KeyPress:
            if (!static_cast<QKeyEvent*>(event)->isAutoRepeat())
                emit gestureBegan();
            break;
        case QEvent::KeyRelease:
            if (!static_cast<QKeyEvent*>(event)->isAutoRepeat())
                emit gestureEnded();
            break;
        case QEvent::MouseButtonRelease:
        case QEvent::EnabledChange:
        case QEvent::FocusOut:
            emit gestureEnded();
            break;
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

void SettingRow::addChoice(QGridLayout* grid, int row, QWidget* parent)
{
    if (m_setting.choices.size() > 2) {
        m_combo = new QComboBox(parent);
        m_combo->setObjectName(text(m_setting.key));
        m_combo->setAccessibleName(text(m_setting.label));
        for (const std::string_view choice : m_setting.choices)
            m_combo->addItem(text(choice));
        connect(m_combo, &QComboBox::currentIndexChanged, this, [this](int index) { emit edited(index); });
        grid->addWidget(m_combo, row, 1, 1, 2);
        m_controls.push_back(m_combo);
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
        m_radios->addButton(radio, static_cast<int>(i));
        line->addWidget(radio);
    }
    line->addStretch();
    connect(m_radios, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on)
            emit edited(id);
    });
    grid->addWidget(holder, row, 1, 1, 2);
    m_controls.push_back(holder);
}

void SettingRow::addReset(QGridLayout* grid, int row, QWidget* parent)
{
    m_reset = new QToolButton(parent);
    m_reset->setObjectName(text(m_setting.key) + "_reset");
    m_reset->setText(u"↺"_s);
    m_reset->setAutoRaise(true);
    m_reset->setFixedSize(18, 18);
    m_reset->setAccessibleName(u"Reset %1"_s.arg(text(m_setting.label)));
    QSizePolicy policy = m_reset->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_reset->setSizePolicy(policy);
    m_reset->hide();
    connect(m_reset, &QToolButton::clicked, this, [this] { emit edited(m_reference); });
    grid->addWidget(m_reset, row, 3);
}

void SettingRow::show(double value, double reference, const QString& whyNoEffect)
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
    m_reference = reference;
    m_reset->setVisible(value != reference);
    m_reset->setToolTip(u"Back to %1"_s.arg(valueText(reference)));
    if (whyNoEffect != m_whyNoEffect)
        explain(whyNoEffect);
}

void SettingRow::explain(const QString& whyNoEffect)
{
    m_whyNoEffect = whyNoEffect;
    QString about = u"<p>%1</p>"_s.arg(text(m_setting.description).toHtmlEscaped());
    if (!whyNoEffect.isEmpty())
        about += u"<p><b>%1</b></p>"_s.arg(whyNoEffect.toHtmlEscaped());
    for (QWidget* control : m_controls) {
        control->setEnabled(whyNoEffect.isEmpty());
        control->setToolTip(about);
        explainAs(control, settingExplanationKey(m_setting.key));
        control->setAccessibleDescription(whyNoEffect.isEmpty() ? text(m_setting.description) : whyNoEffect);
    }
}

QString SettingRow::valueText(double value) const
{
    if (m_box != nullptr)
        return m_box->textFromValue(value);
    if (m_check != nullptr)
        return value != 0 ? u"on"_s : u"off"_s;
    return text(m_setting.choices[static_cast<std::size_t>(value)]);
}

int SettingRow::position(double value) const
{
    if (!m_stops.empty()) {
        const auto above = std::lower_bound(m_stops.begin(), m_stops.end(), value);
        if (above == m_stops.begin())
            return 0;
        if (above == m_stops.end())
            return static_cast<int>(m_stops.size()) - 1;
        const auto nearest = value - *(above - 1) < *above - value ? above - 1 : above;
        return static_cast<int>(nearest - m_stops.begin());
    }
    if (!m_setting.logarithmic) {
        const double share = (value - m_setting.minimum) / (m_setting.maximum - m_setting.minimum);
        return static_cast<int>(std::lround(share * m_slider->maximum()));
    }
    const double floor = logarithmicFloor(m_setting);
    if (value < floor)
        return 0;
    const double share = std::log(value / floor) / std::log(m_setting.maximum / floor);
    return std::clamp(static_cast<int>(std::lround(share * kSliderSteps)), 1, kSliderSteps);
}

double SettingRow::valueAt(int position) const
{
    if (!m_stops.empty())
        return m_stops[static_cast<std::size_t>(position)];
    if (position <= 0)
        return m_setting.minimum;
    if (!m_setting.logarithmic) {
        const double value =
            m_setting.minimum + (m_setting.maximum - m_setting.minimum) * position / m_slider->maximum();
        return std::round(value * 1e3) / 1e3;
    }
    const double floor = logarithmicFloor(m_setting);
    const double value = floor * std::pow(m_setting.maximum / floor, static_cast<double>(position) / kSliderSteps);
    // Two digits of the unit that is shown: numbers that people would choose.
    double unit = 1;
    const double ratio = m_setting.kind == SettingKind::Bytes ? kKiB : 1e3;
    while (value / unit >= ratio)
        unit *= ratio;
    const double digits = std::floor(std::log10(value / unit)) - 1;
    const double up = std::pow(10.0, std::max(0.0, digits));
    const double down = std::pow(10.0, std::max(0.0, -digits));  // powers above 1, which are exact
    const double rounded = std::round(value / unit / up * down) * up * unit / down;
    return std::clamp(rounded, m_setting.minimum, m_setting.maximum);
}

}  // namespace overlane
