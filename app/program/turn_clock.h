// TurnClock: how long each turn of this thread's event loop takes in the thread's own time, which a busy machine does
// not lengthen. A turn is what the loop does between two waits for events: nothing is painted and no key is taken
// within one.
//
// GUI thread, after the application.
#pragma once

#include <functional>

#include <QObject>

namespace overlane
{

class TurnClock : public QObject
{
public:
    // `turned` is told the time of each turn, in milliseconds, as soon as it is over.
    explicit TurnClock(std::function<void(double ms)> turned, QObject* parent = nullptr);

    // The present turn begins here.
    void begin();

    static double threadMs();

private:
    double m_beganMs;
};

}  // namespace overlane
