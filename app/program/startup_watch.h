// StartupWatch: prints how long the first paint and the first drawn trace, or whole job, took since main(), and the
// turn of the event loop that the window was first painted in and the longest one from there until all is worked out,
// in this thread's own time; then quits.
//
// GUI thread; window and clock outlive it.
#pragma once

#include <QElapsedTimer>
#include <QObject>

#include "app/program/turn_clock.h"

namespace overlane
{

class JobPage;
class MainWindow;

class StartupWatch : public QObject
{
public:
    StartupWatch(MainWindow& window, const QElapsedTimer& clock);
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void endTurn(double ms);
    JobPage* jobPage() const;  // is there where a job is opened
    bool isDone() const;

    MainWindow& m_window;
    const QElapsedTimer& m_clock;
    TurnClock m_turns;
    bool m_painted = false;
    double m_paintMs = 0;  // the turn of the first paint
    double m_laterMs = 0;  // the longest later one
};

}  // namespace overlane
