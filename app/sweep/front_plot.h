// FrontPlot: time per batch against pinned memory: the settings that no other beats in both, the present
// ones and the advised ones with the range that their time stands for, and where it stops paying.
//
// Lives on the GUI thread. The pointer tells what a point's settings are, a click asks to use them.
#pragma once

#include <optional>

#include <QPoint>
#include <QWidget>

#include "core/sweep/advisor.h"

class QCustomPlot;

namespace overlane
{

class PlotCursor;

class FrontPlot : public QWidget
{
    Q_OBJECT

public:
    explicit FrontPlot(QWidget* parent = nullptr);

    void setAdvice(const std::optional<Advice>& advice);
    QPoint placeOf(std::size_t front) const;
    QString describe(const AdvisorCandidate& candidate) const;
    QCustomPlot* canvas() const { return m_plot; }

signals:
    void candidateChosen(const overlane::AdvisorCandidate& candidate);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    static constexpr int kSmallestPlotPx = 8;
    static constexpr int kReachPx = 20;

    void rebuild();
    void placeCursor();
    // The candidate nearest to a place, if one is near.
    const AdvisorCandidate* candidateAt(QPoint place) const;

    QCustomPlot* m_plot;
    PlotCursor* m_cursor;
    std::optional<Advice> m_advice;
};

}  // namespace overlane
