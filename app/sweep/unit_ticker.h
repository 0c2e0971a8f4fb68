// Tickers whose labels carry the unit that fits: times, sizes, rates, shares, counts; linear or in ratios.
//
// GUI thread. Sizes tick at powers of two.
#pragma once

#include <functional>

#include <QSharedPointer>
#include <QSize>
#include <QString>
#include <QStringList>

class QCPAxisTicker;
class QCustomPlot;
class QFont;

namespace overlane
{

enum class TickKind : std::uint8_t { Decimal, Binary };

using TickText = std::function<QString(double)>;

// About how wide the axes are on a plot of this size: without their numbers and what stands beside them.
int acrossPx(const QCustomPlot& plot, QSize size);
// How many labels as wide as the widest of these stand side by side on a length; at least two.
int ticksThatFit(const QFont& font, int lengthPx, const QStringList& widest);

// At most about `ticks` of them.
QSharedPointer<QCPAxisTicker> unitTicker(TickKind kind, bool logarithmic, TickText label, int ticks);
// One tick per place 0, 1, 2, ... with its label; thinned out to `most`.
QSharedPointer<QCPAxisTicker> placeTicker(const QStringList& labels, int most);

}  // namespace overlane
