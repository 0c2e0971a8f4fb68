// SweepLab: sweeps and advisor as tabs of a window, with what they ask of it.
//
// Lives on the GUI thread, as a child of the window it adds to. With a folder, sweeps are kept there.
#pragma once

#include <QObject>
#include <QString>

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
    void makeMenu();

    MainWindow* m_window;
    SweepLibrary* m_library;
    SweepPanel* m_panel;
    AdvisorPanel* m_advisor;
};

}  // namespace overlane
