// CalibrationPlotView: one plot of a calibration: curves with their spread as error bars, sizes, times and rates on
// logarithmic axes, and the bound that no curve can pass.
//
// Lives on the GUI thread; owns copies of what it shows. The pointer tells a point's figures. Files are drawn on white,
// as for print.
#pragma once

#include <optional>
#include <vector>

#include <QColor>
#include <QPoint>
#include <QWidget>

#include "core/calibration/calibration_plots.h"

class QCustomPlot;

namespace overlane
{

struct Palette;

class CalibrationPlotView : public QWidget
{
    Q_OBJECT

public:
    explicit CalibrationPlotView(QWidget* parent = nullptr);

    void setPlot(const CalibrationPlot& plot);
    void clear();
    const CalibrationPlot& plot() const { return m_shown; }
    // Curves that are not drawn, by name.
    void setHidden(const QStringList& names);
    static QColor curveColor(const Palette& colors, std::size_t curve);
    // How its points are drawn, for a list of curves.
    static QPixmap curveSwatch(const Palette& colors, std::size_t curve, qreal devicePixelRatio);

    QPoint placeOf(std::size_t curve, std::size_t point) const;
    // What the pointer would tell there; empty where no point is near.
    QString tipAt(QPoint place) const;
    QCustomPlot* canvas() const { return m_plot; }
    QSize sizeHint() const override { return {640, 360}; }

    // PNG, SVG, PDF or CSV by the file's ending. A sentence where it fails, else empty.
    QString write(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void rebuild(const Palette& colors);
    void dress(const Palette& colors);
    void addCurve(const PlotCurve& curve, std::size_t number, const Palette& colors);
    void addBound(const PlotBound& bound, const Palette& colors);
    void fitAxes();
    bool hidden(const PlotCurve& curve) const;

    QCustomPlot* m_plot;
    CalibrationPlot m_shown;
    QStringList m_hidden;
};

}  // namespace overlane
