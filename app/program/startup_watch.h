// StartupWatch: prints how long the first paint and the first drawn trace, or whole job, took since main(), and the
// longest turn of the event loop from the one to the other, also in this thread's own time, which a busy machine does
// not lengthen, with and without the first paint; then quits.
//
// GUI thread; window and clock outlive it.
#pragma once

#include <QElapsedTimer>
#include <QObject>

namespace overlane
{

class MainWindow;

class StartupWatch : public QObject
{
public:
    StartupWatch(MainWindow& window, const QElapsedTimer& clock);
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void watchTrace();

    MainWindow& m_window;
    const QElapsedTimer& m_clock;
    bool m_painted = false;
    qint64 m_turnNs = 0;
    qint64 m_heldNs = 0;
    double m_turnMs = 0;
    bool m_isFirst = true;  // the turn of the first paint
    double m_paintMs = 0;
    double m_heldMs = 0;  // the longest later one
};

}  // namespace overlane
