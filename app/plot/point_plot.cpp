#include "app/plot/point_plot.h"

#include <QMouseEvent>
#include <qcustomplot.h>

#include "app/plot/plot_cursor.h"
#include "app/plot/plot_style.h"

namespace overlane
{
namespace
{

// The plot queues replots of its own, also before a layout gave it room: on an area of nothing they fail.
constexpr int kSmallestPointPlotPx = 8;

}  // namespace

PointPlot::PointPlot(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot(this)), m_cursor(new PlotCursor(this))
{
    setMinimumSize(160, 90);
    m_plot->setMinimumSize(kSmallestPointPlotPx, kSmallestPointPlotPx);
    m_plot->resize(m_plot->minimumSize());
    m_plot->setViewport(m_plot->rect());
    m_plot->setMouseTracking(true);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->installEventFilter(this);
    setFocusPolicy(Qt::StrongFocus);
}

void PointPlot::placeCursor()
{
    m_cursor->setPlaces(places());
}

void PointPlot::resizeEvent(QResizeEvent*)
{
    m_plot->setGeometry(rect());
    redraw();
    placeCursor();
}

void PointPlot::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        redraw();
    QWidget::changeEvent(event);
}

void PointPlot::keyPressEvent(QKeyEvent* event)
{
    // Where the lines stand is known once they are laid out.
    placeCursor();
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && m_cursor->current()) {
        choosePoint(*m_cursor->current());
        return;
    }
    if (!m_cursor->move(event->key())) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (m_cursor->current())
        showReadOut(*m_plot, mapToGlobal(m_cursor->place()), describePoint(*m_cursor->current()));
}

void PointPlot::focusInEvent(QFocusEvent* event)
{
    placeCursor();
    m_cursor->setShown(event->reason() != Qt::MouseFocusReason);
    QWidget::focusInEvent(event);
}

void PointPlot::focusOutEvent(QFocusEvent* event)
{
    m_cursor->setShown(false);
    showReadOut(*m_plot, {}, {});
    QWidget::focusOutEvent(event);
}

bool PointPlot::eventFilter(QObject* watched, QEvent* event)
{
    const bool moved = event->type() == QEvent::MouseMove;
    const bool released = event->type() == QEvent::MouseButtonRelease;
    if (watched != m_plot || (!moved && !released))
        return (watched == m_plot && event->type() == QEvent::MouseButtonPress) || QWidget::eventFilter(watched, event);
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const std::optional<std::size_t> point = pointNear(mouse->pos());
    if (moved) {
        m_plot->setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
        showReadOut(*m_plot, mouse->globalPosition().toPoint(), point ? describePoint(*point) : QString());
    } else if (point && mouse->button() == Qt::LeftButton) {
        choosePoint(*point);
    }
    return true;
}

}  // namespace overlane
