// SweepLab: sweeps and advisor as tabs of a window, with what they ask of it.
//
// Lives on the GUI thread, as a child of the window it adds to. With a folder, sweeps are kept there.
#pragma once

#include <QObject>
#include <QString>

class QDockWidget;

namespace overlane
{

class AdvisorPanel;
class MainWindow;
class SweepLibrary;
class SweepPanel;

class SweepLab : public QObject
{
    Q_OBJECT

public:
    SweepLab(MainWindow* window, const QString& folder);

    SweepLibrary* library() const { return m_library; }
    SweepPanel* panel() const { return m_panel; }
    AdvisorPanel* advisor() const { return m_advisor; }
    void openSweeps();
    void openAdvisor();
    // The run behind a point: measured ones from their file, simulated ones simulated again.
    void showPoint(int sweep, std::size_t point);

    // Where a person's sweeps are kept between starts.
    static QString usualFolder();

private:
    void open(QWidget* tab);
    QDockWidget* dock() const;
    void makeMenu();
    // A plot needs more of the window than a table: it gets it while it is looked at.
    void shareHeight();
    void setHeight(int heightPx);
    void grow();

    MainWindow* m_window;
    SweepLibrary* m_library;
    SweepPanel* m_panel;
    AdvisorPanel* m_advisor;
    int m_dockPx = 0;  // as high as the dock was before a plot came; 0 where none is shown
};

}  // namespace overlane
