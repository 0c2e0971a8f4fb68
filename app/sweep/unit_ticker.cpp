#include "app/sweep/unit_ticker.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QFontMetrics>
#include <QRegularExpression>
#include <qcustomplot.h>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

// Ticks are round values: "8.00 MiB" says no more than "8 MiB".
QString withoutZeros(const QString& label)
{
    static const QRegularExpression kZeros(u"^(\\D*\\d+)\\.0+(?!\\d)"_s);
    return QString(label).replace(kZeros, u"\\1"_s);
}

constexpr double kRounding = 1e-9;
constexpr double kAtTheTop = 0.04;  // of the range

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
    // One tick gives no scale.
    double getTickStep(const QCPRange& range) override
    {
        double step = widestStep(range);
        // A label at the very top is not drawn, since it would stand out of the picture.
        const double top = range.upper - kAtTheTop * range.size();
        const auto inside = [&] { return std::floor(top / step) - std::ceil(range.lower / step) + 1; };
        for (int halved = 0; halved < 2 && inside() < 2; ++halved)
            step /= 2;
        return step;
    }

private:
    // Rounded up: never more ticks than there is room for.
    double widestStep(const QCPRange& range) const
    {
        const double least = range.size() / mTickCount;
        if (m_kind == TickKind::Binary)
            return std::exp2(std::ceil(std::log2(least)));
        const double power = std::pow(10.0, std::floor(std::log10(least)));
        for (const double nice : {1.0, 2.0, 2.5, 5.0})
            if (nice * power >= least * (1 - kRounding))
                return nice * power;
        return 10 * power;
    }

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
    // than three, 1, 2 and 5 of each, or 1 and 3, as far as there is room.
    QVector<double> createTickVector(double, const QCPRange& range) override
    {
        if (range.lower <= 0)
            return {};
        const double powers = std::log(range.upper / range.lower) / std::log(m_base);
        const bool few = m_base > 2 && powers < 2.5;
        const std::vector<double> between = few && 3 * powers <= m_wanted   ? std::vector<double>{2, 5}
                                            : few && 2 * powers <= m_wanted ? std::vector<double>{3}
                                            : few && powers < 1             ? std::vector<double>{2, 5}
                                                                            : std::vector<double>{};
        const double every = std::max(1.0, std::ceil(powers / std::max(2, m_wanted)));
        const double step = std::pow(m_base, every);
        QVector<double> ticks = ticksOf(range, step, between);
        // One tick gives no scale.
        for (const std::vector<double>& finer : {std::vector{2.0, 3.0, 5.0}, {1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0}})
            if (few && std::count_if(ticks.begin(), ticks.end(), [&](double at) { return range.contains(at); }) < 2)
                ticks = ticksOf(range, step, finer);
        return ticks;
    }

private:
    static QVector<double> ticksOf(const QCPRange& range, double step, const std::vector<double>& between)
    {
        QVector<double> ticks;
        double at = std::pow(step, std::floor(std::log(range.lower) / std::log(step)));
        for (; at <= range.upper; at *= step) {
            ticks.push_back(at);
            for (const double more : between)
                ticks.push_back(at * more);
        }
        return ticks;
    }

    TickText m_label;
    double m_base = 10;
    int m_wanted;
};

}  // namespace

int acrossPx(const QCustomPlot& plot, QSize size)
{
    constexpr int kNumbersPx = 84;
    const QCPLayoutGrid& grid = *plot.plotLayout();
    int across = size.width() - kNumbersPx;
    for (int column = 1; column < grid.columnCount(); ++column) {
        int widest = 0;
        for (int row = 0; row < grid.rowCount(); ++row)
            if (const QCPLayoutElement* element =
                    plot.plotLayout()->hasElement(row, column) ? grid.element(row, column) : nullptr)
                widest = std::max(widest, element->minimumOuterSizeHint().width());
        across -= widest;
    }
    return across;
}

int ticksThatFit(const QFont& font, int lengthPx, const QStringList& widest)
{
    constexpr int kBetweenPx = 14;
    const QFontMetrics metrics(font);
    int labelPx = 1;
    for (const QString& label : widest)
        labelPx = std::max(labelPx, metrics.horizontalAdvance(label));
    return std::max(2, lengthPx / (labelPx + kBetweenPx));
}

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
