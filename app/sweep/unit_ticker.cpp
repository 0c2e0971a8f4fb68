#include "app/sweep/unit_ticker.h"

#include <cmath>

#include <QRegularExpression>
#include <qcustomplot.h>

namespace overlane
{

namespace
{

// Ticks are round values: "8.00 MiB" says no more than "8 MiB".
QString withoutZeros(const QString& label)
{
    static const QRegularExpression kZeros(QStringLiteral("^(\\D*\\d+)\\.0+(?!\\d)"));
    return QString(label).replace(kZeros, QStringLiteral("\\1"));
}

class LinearTicker : public QCPAxisTicker
{
public:
    LinearTicker(TickKind kind, TickText label, int ticks) : m_kind(kind), m_label(std::move(label))
    {
        setTickCount(ticks);
    }

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return withoutZeros(m_label(tick)); }
    int getSubTickCount(double) override { return 0; }
    double getTickStep(const QCPRange& range) override
    {
        if (m_kind == TickKind::Decimal)
            return QCPAxisTicker::getTickStep(range);
        return std::exp2(std::round(std::log2(range.size() / mTickCount)));
    }

private:
    TickKind m_kind;
    TickText m_label;
};

class RatioTicker : public QCPAxisTickerLog
{
public:
    RatioTicker(TickKind kind, TickText label, int ticks) : m_label(std::move(label)), m_wanted(ticks)
    {
        m_base = kind == TickKind::Binary ? 2 : 10;
        setSubTickCount(0);
    }

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return withoutZeros(m_label(tick)); }
    int getSubTickCount(double) override { return 0; }
    // Powers of the base, or of a power of it where they would stand too close; where the range holds fewer
    // than two, 1, 2 and 5 of each.
    QVector<double> createTickVector(double, const QCPRange& range) override
    {
        QVector<double> ticks;
        if (range.lower <= 0)
            return ticks;
        const double powers = std::log(range.upper / range.lower) / std::log(m_base);
        const bool fine = m_base > 2 && powers < 2.5;
        const double every = std::max(1.0, std::ceil(powers / std::max(2, m_wanted)));
        const double step = std::pow(m_base, every);
        double at = std::pow(step, std::floor(std::log(range.lower) / std::log(step)));
        for (; at <= range.upper; at *= step) {
            ticks.push_back(at);
            if (!fine)
                continue;
            ticks.push_back(at * 2);
            ticks.push_back(at * 5);
        }
        return ticks;
    }

private:
    TickText m_label;
    double m_base = 10;
    int m_wanted;
};

}  // namespace

QSharedPointer<QCPAxisTicker> unitTicker(TickKind kind, bool logarithmic, TickText label, int ticks)
{
    if (logarithmic)
        return QSharedPointer<QCPAxisTicker>(new RatioTicker(kind, std::move(label), ticks));
    return QSharedPointer<QCPAxisTicker>(new LinearTicker(kind, std::move(label), ticks));
}

QSharedPointer<QCPAxisTicker> placeTicker(const QStringList& labels, int most)
{
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    const auto step = std::max<qsizetype>(1, (labels.size() + most - 1) / most);
    for (qsizetype place = 0; place < labels.size(); place += step)
        ticker->addTick(static_cast<double>(place), labels[place]);
    return ticker;
}

}  // namespace overlane
