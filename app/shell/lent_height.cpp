#include "app/shell/lent_height.h"

#include <algorithm>
#include <utility>

#include <QCoreApplication>
#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QTabWidget>

namespace overlane
{

namespace
{

constexpr double kMostOfWindow = 0.4;

// Posted requests come up by one widget for each turn of the event loop.
void layOutNow(QWidget* widget)
{
    for (; widget != nullptr; widget = widget->parentWidget()) {
        QEvent request(QEvent::LayoutRequest);
        QCoreApplication::sendEvent(widget, &request);
    }
}

}  // namespace

LentHeight::LentHeight(QMainWindow* window, QDockWidget* dock, QTabWidget* pages, QWidget* timeline)
    : QObject(window), m_window(window), m_dock(dock), m_pages(pages), m_timeline(timeline)
{
    connect(pages, &QTabWidget::currentChanged, this, &LentHeight::lendToPage);
}

void LentHeight::addPlot(QWidget* page)
{
    m_plots.insert(page);
}

void LentHeight::lendToPage()
{
    lend(m_plots.contains(m_pages->currentWidget()) ? QWIDGETSIZE_MAX : m_pages->minimumSizeHint().height());
}

void LentHeight::lend(int neededPx)
{
    if (m_dock->isFloating())
        return;
    if (std::exchange(m_lentPx, 0) != m_dock->height())
        m_formerPx = m_dock->height();
    emit plotShown(m_plots.contains(m_pages->currentWidget()));
    const int mostPx = static_cast<int>(m_window->height() * kMostOfWindow);
    const int wantedPx = std::max(m_formerPx, std::min(neededPx, mostPx));
    layOutNow(m_timeline);
    m_window->resizeDocks({m_dock}, {wantedPx}, Qt::Vertical);
    layOutNow(m_dock);
    if (wantedPx > m_formerPx)
        m_lentPx = m_dock->height();
}

void LentHeight::takeBack()
{
    lend(0);
}

}  // namespace overlane
