// How plots of figures look and answer the mouse.
//
// GUI thread. Colors from the theme.
#pragma once

#include <QColor>
#include <QPoint>
#include <QSize>
#include <QString>

class QCPAxis;
class QCustomPlot;

namespace overlane
{

struct Palette;

// Background, axes, grid and legend in the theme's colors.
void dressPlot(QCustomPlot& plot, const Palette& colors);
// A color per line, in order; repeats after the theme's series.
QColor lineColor(const Palette& colors, std::size_t line);

// Names an upright axis of a plot this high, unless it is too low for the words: cut ones name nothing.
void nameUpright(QCPAxis& axis, const QString& name, int plotPx);

// Shows the legend where it hides nothing: right of the axes, else above them; not at all where it would take
// more than it explains. Made for a plot of this size.
void placeLegend(QCustomPlot& plot, QSize size);
// Takes the legend away, and its place with it.
void removeLegend(QCustomPlot& plot);

// What lies under the mouse, beside it; nothing where the text is empty.
void showReadOut(QCustomPlot& plot, QPoint globalPos, const QString& text);

}  // namespace overlane
