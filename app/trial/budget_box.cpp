#include "app/trial/budget_box.h"

#include <array>
#include <cmath>

#include <QRegularExpression>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr double kMinute = 60;
constexpr double kHour = 3600;
constexpr std::array kSteps = {10.0,        20.0,        30.0,         kMinute,      90.0,         2 * kMinute,
                               3 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 20 * kMinute, 30 * kMinute,
                               kHour,       2 * kHour,   4 * kHour,    8 * kHour,    24 * kHour};

}  // namespace

BudgetBox::BudgetBox(QWidget* parent) : QDoubleSpinBox(parent)
{
    setDecimals(0);
    setRange(kSteps.front(), kSteps.back());
    setCorrectionMode(QAbstractSpinBox::CorrectToNearestValue);
}

QString BudgetBox::timeText(double seconds)
{
    const double whole = std::round(seconds);
    const auto in = [whole](double unit) { return QString::number(whole / unit, 'g', 6); };
    if (whole >= kHour && std::fmod(whole, kHour / 4) == 0)
        return u"%1 h"_s.arg(in(kHour));
    if (whole >= kMinute && std::fmod(whole, kMinute / 2) == 0)
        return u"%1 min"_s.arg(in(kMinute));
    return u"%1 s"_s.arg(in(1));
}

QString BudgetBox::clockText(qint64 seconds)
{
    const auto two = [](qint64 number) { return u"%1"_s.arg(number, 2, 10, QLatin1Char('0')); };
    const qint64 minutes = seconds / 60;
    return minutes < 60 ? u"%1:%2"_s.arg(QString::number(minutes), two(seconds % 60))
                        : u"%1:%2:%3"_s.arg(QString::number(minutes / 60), two(minutes % 60), two(seconds % 60));
}

std::optional<double> BudgetBox::parsedTime(const QString& text)
{
    static const QRegularExpression kTime(
        u"^\\s*(\\d+(?:[.,]\\d*)?)\\s*(s|sec|seconds?|m|min|minutes?|h|hours?)?\\s*$"_s,
        QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = kTime.match(text);
    if (!match.hasMatch())
        return {};
    const double number = match.captured(1).replace(',', '.').toDouble();
    const QString unit = match.captured(2).left(1).toLower();
    return number * (unit == QLatin1String("s") ? 1 : unit == QLatin1String("h") ? kHour : kMinute);
}

double BudgetBox::valueFromText(const QString& text) const
{
    return parsedTime(text).value_or(value());
}

QValidator::State BudgetBox::validate(QString& text, int&) const
{
    static const QRegularExpression kPart(u"^\\s*\\d*[.,]?\\d*\\s*[a-zA-Z]*\\s*$"_s);
    const std::optional<double> seconds = parsedTime(text);
    if (seconds && *seconds >= minimum() && *seconds <= maximum())
        return QValidator::Acceptable;
    return kPart.match(text).hasMatch() ? QValidator::Intermediate : QValidator::Invalid;
}

// To the next time that people speak of.
void BudgetBox::stepBy(int steps)
{
    for (int step = 0; step < std::abs(steps); ++step) {
        const double now = value();
        double next = steps > 0 ? maximum() : minimum();
        for (const double stop : kSteps)
            if (steps > 0 ? stop > now && stop < next : stop < now && stop > next)
                next = stop;
        setValue(next);
    }
    selectAll();
}

}  // namespace overlane
