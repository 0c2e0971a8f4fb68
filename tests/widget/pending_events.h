// handleEvents(): what is due in the window now has happened.
#pragma once

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QDeadlineTimer>

namespace overlane
{

// Handles events until none is left: layouts, paints, the queued ends of jobs, and timers that are due. Does not wait
// for work on other threads or for timers that are not due.
inline void handleEvents()
{
    constexpr int kLongestMs = 5'000;  // where events beget each other for ever
    const QDeadlineTimer deadline(kLongestMs);
    do
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    while (QCoreApplication::eventDispatcher()->processEvents(QEventLoop::AllEvents) && !deadline.hasExpired());
}

}  // namespace overlane
