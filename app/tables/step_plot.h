// StepPlot: the time of every step as a point, the median as a line in the band of the middle half.
//
// Lives on the GUI thread. A click chooses a step, a drag all steps between; what is chosen is shaded.
// Warm-up is hollow, what stands out is a triangle.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QWidget>

#include "core/analysis/steps.h"

class QCustomPlot;
class QCPItemRect;

namespace overlane
{

class StepPlot : public QWidget
{
    Q_OBJECT

public:
    explicit StepPlot(QWidget* parent = nullptr);

    // In order of start.
    void setSteps(const std::vector<Step>& steps);
    // Shades the steps from the first to one past the last; none where they are equal.
    void setChosen(std::pair<int, int> steps);
    // Where a step is drawn.
    QPoint placeOf(int step) const;
    // What takes the mouse; places are in its pixels.
    QWidget* canvas() const;
    QSize sizeHint() const override { return {280, 120}; }

signals:
    void stepsChosen(int first, int last);  // both included

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void rebuild();
    int stepAt(int xPx) const;

    QCustomPlot* m_plot;
    QCPItemRect* m_shade = nullptr;
    std::vector<Step> m_steps;
    std::int64_t m_medianNs = 0;
    std::int64_t m_highestNs = 1;  // what is drawn at the upper edge, longer warm-ups too
    std::pair<int, int> m_chosen{0, 0};
    std::optional<int> m_pressed;
};

}  // namespace overlane
