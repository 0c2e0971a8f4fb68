// SweepTool: sweeps and advisor as tabs of the window, with their menu entries.
//
// Lives on the GUI thread, as a child of the window it is plugged into. With a folder, sweeps are kept there.
#pragma once

#include <QObject>
#include <QString>

namespace overlane
{

class AdvisorPanel;
class Shell;
class SweepLibrary;
class SweepPanel;

class SweepTool : public QObject
{
    Q_OBJECT

public:
    SweepTool(Shell* shell, const QString& folder);

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
    void addMenu();

    Shell* m_shell;
    SweepLibrary* m_library;
    SweepPanel* m_panel;
    AdvisorPanel* m_advisor;
};

}  // namespace overlane
