// FrontPlot: time per batch against pinned memory: the settings that no other beats in both, the present
// ones and the advised ones with the range that their time stands for, and where it stops paying.
//
// Lives on the GUI thread. The pointer tells what a point's settings are, a click asks to use them.
#pragma once

#include <optional>

#include "app/plot/point_plot.h"
#include "core/sweep/advisor.h"

namespace overlane
{

class FrontPlot : public PointPlot
{
    Q_OBJECT

public:
    explicit FrontPlot(QWidget* parent = nullptr);

    void setAdvice(const std::optional<Advice>& advice);
    QPoint placeOf(std::size_t front) const;
    QString describe(const AdvisorCandidate& candidate) const;

signals:
    void candidateChosen(const overlane::AdvisorCandidate& candidate);

protected:
    void redraw() override;
    std::vector<QPoint> places() const override;
    std::optional<std::size_t> pointNear(QPoint place) const override;
    QString describePoint(std::size_t point) const override { return describe(candidate(point)); }
    void choosePoint(std::size_t point) override { emit candidateChosen(AdvisorCandidate(candidate(point))); }

private:
    static constexpr int kReachPx = 20;

    // Those of the front, behind them the advised one and the present one.
    const AdvisorCandidate& candidate(std::size_t point) const;
    QPoint placeOf(const AdvisorCandidate& candidate) const;

    std::optional<Advice> m_advice;
};

}  // namespace overlane
