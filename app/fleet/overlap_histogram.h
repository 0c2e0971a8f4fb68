// OverlapHistogram: how many runs hide how much of their copies' time; a click or Enter on a bar asks for its runs.
//
// Lives on the GUI thread.
#pragma once

#include <optional>

#include "app/plot/point_plot.h"
#include "core/fleet/fleet_figures.h"

namespace overlane
{

class OverlapHistogram : public PointPlot
{
    Q_OBJECT

public:
    explicit OverlapHistogram(QWidget* parent = nullptr);

    void setFigures(const FleetFigures& figures);
    void setChosen(std::optional<std::size_t> bin);
    // In the middle of a bar.
    QPoint placeOf(std::size_t bin) const;

signals:
    void binChosen(std::size_t bin);

protected:
    void redraw() override;
    std::vector<QPoint> places() const override;
    std::optional<std::size_t> pointNear(QPoint place) const override;
    QString describePoint(std::size_t point) const override;
    void choosePoint(std::size_t point) override { emit binChosen(point); }

private:
    FleetFigures m_figures;
    std::optional<std::size_t> m_chosen;
};

}  // namespace overlane
