#include "app/widgets/quantity_box.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <QRegularExpression>
#include <QStyle>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

struct Unit {
    const char* name;
    double factor;
};

constexpr std::array kByteUnits = {Unit{"B", 1}, Unit{"KiB", 1024}, Unit{"MiB", 1048576}, Unit{"GiB", 1073741824},
                                   Unit{"TiB", 1099511627776}};
constexpr std::array kWorkUnits = {Unit{"FLOP", 1}, Unit{"MFLOP", 1e6}, Unit{"GFLOP", 1e9}, Unit{"TFLOP", 1e12},
                                   Unit{"PFLOP", 1e15}};
constexpr std::array kTimeUnits = {Unit{"µs", 1}, Unit{"ms", 1e3}, Unit{"s", 1e6}};

// Of plain counts: typed, not shown.
constexpr std::array kCountUnits = {Unit{"k", 1e3}, Unit{"m", 1e6}, Unit{"g", 1e9}};

std::span<const Unit> unitsOf(const Setting& setting)
{
    if (setting.kind == SettingKind::Bytes)
        return kByteUnits;
    if (setting.unit == "us")
        return kTimeUnits;
    if (setting.unit == "FLOP")
        return kWorkUnits;
    return {};
}

// Whether the least value of a setting stands for the figure of the device's machine.
bool leastIsTheDevices(const Setting& setting)
{
    static constexpr std::array kKeys = {"ram_bytes", "swap_bytes", "cores", "run_ahead"};
    return std::find(kKeys.begin(), kKeys.end(), setting.key) != kKeys.end();
}

QString digits(double value)
{
    return QString::number(value, 'g', value >= 1000 ? 6 : 4);
}

// The number that a text means; none where it is not one.
std::optional<double> parsed(const Setting& setting, const QString& text)
{
    static const QRegularExpression form(u"^\\s*(-?[0-9]*\\.?[0-9]+(?:[eE][0-9]+)?)\\s*([a-zA-Zµ]*)\\s*$"_s);
    const QRegularExpressionMatch match = form.match(QString(text).replace(',', '.'));
    if (!match.hasMatch())
        return {};
    const double number = match.captured(1).toDouble();
    const QString unit = match.captured(2).toLower();
    if (unit.isEmpty())
        return setting.kind == SettingKind::Bytes && number > 0 ? number * 1048576 : number;
    const std::span<const Unit> units = unitsOf(setting);
    for (const Unit& known : units.empty() ? std::span<const Unit>(kCountUnits) : units) {
        const QString name = QString::fromUtf8(known.name).toLower();
        if (unit == name || (name == u"µs"_s && unit == "us") || (name.size() == 3 && unit == name.left(1)) ||
            (name.size() == 3 && unit == name.left(1) + "b"))
            return number * known.factor;
    }
    return {};
}

}  // namespace

QuantityBox::QuantityBox(const Setting& setting, QWidget* parent) : QDoubleSpinBox(parent), m_setting(setting)
{
    setDecimals(setting.kind == SettingKind::Real ? 3 : 0);
    setRange(setting.minimum, setting.maximum);
    setKeyboardTracking(false);
    setAlignment(Qt::AlignRight);
    setButtonSymbols(QAbstractSpinBox::NoButtons);
    if (setting.kind == SettingKind::Real && setting.maximum <= 1)
        setSingleStep(0.05);
}

QString QuantityBox::textFromValue(double value) const
{
    if (value == m_setting.minimum && leastIsTheDevices(m_setting))
        return u"as device"_s;
    if (value <= 0 && (m_setting.kind == SettingKind::Bytes || m_setting.unit == "FLOP"))
        return u"none"_s;
    const std::span<const Unit> units = unitsOf(m_setting);
    if (units.empty())
        return digits(value);
    const Unit* best = units.data();
    for (const Unit& unit : units)
        if (value >= unit.factor)
            best = &unit;
    return digits(value / best->factor) + QChar(' ') + QString::fromUtf8(best->name);
}

double QuantityBox::valueFromText(const QString& text) const
{
    if (text == u"as device"_s)
        return m_setting.minimum;
    if (text == u"none"_s)
        return 0;
    return std::clamp(parsed(m_setting, text).value_or(value()), m_setting.minimum, m_setting.maximum);
}

QValidator::State QuantityBox::validate(QString& text, int&) const
{
    if (text == u"as device"_s || text == u"none"_s)
        return QValidator::Acceptable;
    const std::optional<double> number = parsed(m_setting, text);
    return number && *number >= m_setting.minimum && *number <= m_setting.maximum ? QValidator::Acceptable
                                                                                  : QValidator::Intermediate;
}

void QuantityBox::stepBy(int steps)
{
    if (!m_setting.logarithmic) {
        QDoubleSpinBox::stepBy(steps);
        return;
    }
    const double ratio = m_setting.kind == SettingKind::Bytes ? 2.0 : 1.25;
    const double floor = m_setting.kind == SettingKind::Bytes ? 1048576.0 : 1.0;
    double next = value() <= 0 && steps > 0 ? floor : value() * std::pow(ratio, steps);
    if (m_setting.kind == SettingKind::Integer && std::abs(next - value()) < 1)
        next = value() + steps;
    if (steps < 0 && m_setting.minimum <= 0 && next < floor)
        next = m_setting.minimum;
    setValue(std::clamp(next, m_setting.minimum, m_setting.maximum));
}

QSize QuantityBox::sizeHint() const
{
    const int text = std::max(fontMetrics().horizontalAdvance(u"999.9 MiB"_s),
                              fontMetrics().horizontalAdvance(u"as device"_s));  // the widest of the usual ones
    return {text + 18, QDoubleSpinBox::sizeHint().height()};
}

}  // namespace overlane
