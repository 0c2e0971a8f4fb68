// OverviewStrip: the whole trace in one strip, with the visible range as a window in it.
//
// Lives on the GUI thread; shares the trace's pyramids. Three bands: host, copies, kernels. A click or a drag
// moves the visible range there, its edges can be pulled.
#pragma once

#include <memory>

#include <QPixmap>
#include <QWidget>

#include "app/timeline/overview_spans.h"
#include "core/base/interval.h"
#include "core/lod/trace_pyramids.h"

namespace overlane
{

class ViewRange;

class OverviewStrip : public QWidget
{
    Q_OBJECT

public:
    explicit OverviewStrip(ViewRange* view, QWidget* parent = nullptr);
    // Null for no trace.
    void setTrace(std::shared_ptr<const TracePyramids> pyramids);
    ViewRange* view() const { return m_view; }

signals:
    void contextMenuRequested(std::int64_t ns, QPoint globalPos);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    enum class Grip { Middle, Left, Right };
    int bandsPx() const;
    void drawBands();

    ViewRange* m_view;
    std::shared_ptr<const TracePyramids> m_pyramids;
    std::shared_ptr<OverviewSpans> m_spans;  // of m_pyramids; null until something is drawn
    QPixmap m_bands;
    Grip m_grip = Grip::Middle;
    std::int64_t m_gripNs = 0;  // from the press to the range's start
};

}  // namespace overlane
