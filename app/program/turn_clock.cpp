#include "app/program/turn_clock.h"

#include <ctime>
#include <utility>

#include <QAbstractEventDispatcher>

namespace overlane
{

TurnClock::TurnClock(std::function<void(double ms)> turned, QObject* parent) : QObject(parent), m_beganMs(threadMs())
{
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, this,
            [this, turned = std::move(turned)] {
                const double nowMs = threadMs();
                turned(nowMs - m_beganMs);
                begin();
            });
}

void TurnClock::begin()
{
    m_beganMs = threadMs();
}

double TurnClock::threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

}  // namespace overlane
