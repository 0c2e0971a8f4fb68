// Tickers whose labels carry the unit that fits: times, sizes, rates, shares, counts; linear or in ratios.
//
// GUI thread. Sizes tick at powers of two.
#pragma once

#include <functional>

#include <QSharedPointer>
#include <QString>

class QCPAxisTicker;

namespace overlane
{

enum class TickKind : std::uint8_t { Decimal, Binary };

using TickText = std::function<QString(double)>;

QSharedPointer<QCPAxisTicker> unitTicker(TickKind kind, bool logarithmic, TickText label, int ticks);
// One tick per place 0, 1, 2, ... with its label; thinned out to `most`.
QSharedPointer<QCPAxisTicker> placeTicker(const QStringList& labels, int most);

}  // namespace overlane
