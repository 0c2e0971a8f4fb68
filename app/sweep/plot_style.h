// How plots of sweeps and of the advisor look, and how they are written to files.
//
// GUI thread. Colours from the theme; files on white, as for print.
#pragma once

#include <QColor>
#include <QString>

class QCustomPlot;
class QWidget;

namespace overlane
{

struct Palette;

// Background, axes, grid and legend in the theme's colours.
void dressPlot(QCustomPlot& plot, const Palette& colours);
// A colour per line, in order; repeats after the theme's series.
QColor lineColour(const Palette& colours, std::size_t line);

// PNG, SVG or PDF by the file's ending. The Error is a sentence; empty where it is written.
QString writePlot(QCustomPlot& plot, const QString& path);

}  // namespace overlane
