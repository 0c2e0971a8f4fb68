// A plot as a picture in a file, written whole or not at all. GUI thread.
#pragma once

#include <QSize>
#include <QString>

class QCustomPlot;

namespace overlane
{

// PNG, SVG or PDF by the file's ending. Answers a sentence where that fails, nothing where it is written.
QString writePlot(QCustomPlot& plot, const QString& path, QSize size, const QString& title);

}  // namespace overlane
