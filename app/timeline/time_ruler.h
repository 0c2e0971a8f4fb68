// TimeRuler: the time axis above the lanes; drag on it to pan, Ctrl+wheel and wheel zoom.
//
// Lives on the GUI thread; follows the visible range and the selected range.
#pragma once

#include <QWidget>

#include "core/base/interval.h"

namespace overlane
{

class Selection;
class ViewRange;

class TimeRuler : public QWidget
{
    Q_OBJECT

public:
    TimeRuler(ViewRange* view, Selection* selection, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    ViewRange* m_view;
    Selection* m_selection;
    int m_pressPx = 0;
    Interval m_pressRange;
};

}  // namespace overlane
