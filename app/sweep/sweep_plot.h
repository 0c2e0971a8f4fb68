// SweepPlot: sweeps drawn: a line per sweep and value of its second setting with the spread of the
// repeats and the ideal bound, or one sweep over two settings as a heat map; or curves of a profile.
//
// Lives on the GUI thread; keeps copies of nothing but what it draws. The pointer tells what a point is,
// a click asks for its trace. Sweeps of different first settings do not share an axis: those of another
// than the chosen one's are left out and named by leftOut().
#pragma once

#include <vector>

#include "app/plot/point_plot.h"
#include "app/sweep/sweep_library.h"

class QCPColorMap;
class QCPColorScale;
class QLabel;

namespace overlane
{

struct Palette;

class SweepPlot : public PointPlot
{
    Q_OBJECT

public:
    enum class View : std::uint8_t { Lines, HeatMap };
    enum class Scale : std::uint8_t { Auto, Linear, Logarithmic };

    explicit SweepPlot(SweepLibrary* library, QWidget* parent = nullptr);

    void setChosen(int id);
    void setMetric(const RunMetric& metric);
    void setView(View view);
    void setScale(Scale scale);
    View view() const { return m_view; }
    // Whether the chosen sweep has two settings, so that a heat map of it can be drawn.
    bool hasHeatMap() const;
    void refresh();

    // What is drawn, for tests and tool tips: the points with their places on the plot.
    struct Point {
        int sweep = 0;
        std::size_t point = 0;
        std::size_t curve = 0;  // of a sheet
        double x = 0;
        double y = 0;
        double low = 0;
        double high = 0;
    };
    const std::vector<Point>& points() const { return m_points; }
    QPoint placeOf(const Point& point) const;
    QString describe(const Point& point) const;
    QStringList leftOut() const { return m_leftOut; }
    // PNG, SVG or PDF; a sentence where it fails.
    QString write(const QString& path);

signals:
    void pointChosen(int sweep, qulonglong point);

protected:
    void redraw() override { refresh(); }
    std::vector<QPoint> places() const override;
    std::optional<std::size_t> pointNear(QPoint place) const override;
    QString describePoint(std::size_t point) const override { return describe(m_points[point]); }
    void choosePoint(std::size_t point) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    static constexpr int kReachPx = 24;

    struct Axis;
    void clear();
    const Palette& colors() const;
    QSize paper() const;  // what is drawn on: this widget, or a picture
    void drawLines();
    void drawSheet(const KeptSweep& sweep);
    void drawHeatMap(const KeptSweep& sweep);
    void drawSweep(const KeptSweep& sweep, const SweepAxis& shared, std::size_t& line, const Palette& colors);
    void addLine(const QString& name, const std::vector<Point>& points, const QColor& color, bool spread);
    void addIdeal(const std::vector<std::pair<double, double>>& bound, const QColor& color, bool named);
    void fitAxes(const SweepAxis* x, const FigureUnit& unit);
    bool logarithmicY(const FigureUnit& unit) const;

    SweepLibrary* m_library;
    QLabel* m_empty;
    QCPColorMap* m_map = nullptr;
    QCPColorScale* m_colors = nullptr;
    int m_chosen = 0;
    const RunMetric* m_metric = &runMetric(metric_key::kBatch);
    View m_view = View::Lines;
    Scale m_scale = Scale::Auto;
    std::vector<Point> m_points;
    QStringList m_leftOut;
    bool m_onPaper = false;  // drawn for a file: on white, large enough to be read
};

}  // namespace overlane
