// LentHeight: lends the dock below the timeline the height that its page needs, for as long as the page is shown.
//
// Lives on the GUI thread, as a child of the window. The panel of a dock is scrolled where it has no room, so that
// its least height says nothing to the dock any more. No page is lent more than two fifths of the window, and what
// a person makes of the height stays. The tabs are below their pages, so that they stay below the mouse. Pixels.
#pragma once

#include <QObject>
#include <QSet>

class QDockWidget;
class QMainWindow;
class QTabWidget;

namespace overlane
{

class LentHeight : public QObject
{
    Q_OBJECT

public:
    LentHeight(QMainWindow* window, QDockWidget* dock, QTabWidget* pages, QWidget* timeline);

    // A page with a plot: it is lent as much as any page may have.
    void addPlot(QWidget* page);
    // What the page shown needs, also where the dock was made lower since.
    void lendToPage();
    // Where what the page shows needs more.
    void lend(int neededPx);
    // The height before anything was lent.
    void takeBack();

signals:
    // The timeline may be lower beside a plot than usual.
    void plotShown(bool shown);

private:
    QMainWindow* m_window;
    QDockWidget* m_dock;
    QTabWidget* m_pages;
    QWidget* m_timeline;
    QSet<const QWidget*> m_plots;
    int m_formerPx = 0;  // before anything was lent
    int m_lentPx = 0;    // as high as the dock was made; 0 where nothing is lent
};

}  // namespace overlane
