#include "app/program/startup_watch.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

#include <QCoreApplication>
#include <QEvent>
#include <QPixmap>
#include <QTimer>

#include "app/job/job_page.h"
#include "app/session/document.h"
#include "app/shell/main_window.h"

namespace overlane
{
namespace
{

double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

}  // namespace

StartupWatch::StartupWatch(MainWindow& window, const QElapsedTimer& clock) : m_window(window), m_clock(clock)
{
    window.installEventFilter(this);
}

bool StartupWatch::eventFilter(QObject*, QEvent* event)
{
    if (event->type() != QEvent::Paint)
        return false;
    if (!m_painted) {
        std::printf("first paint: %lld ms\n", static_cast<long long>(m_clock.elapsed()));
        m_turnNs = m_clock.nsecsElapsed();
        m_turnMs = threadMs();
        QTimer::singleShot(0, this, &StartupWatch::watchTrace);
    }
    m_painted = true;
    return false;
}

void StartupWatch::watchTrace()
{
    const qint64 nowNs = m_clock.nsecsElapsed();
    m_heldNs = std::max(m_heldNs, nowNs - m_turnNs);
    m_turnNs = nowNs;
    const double nowMs = threadMs();
    double& longestMs = m_isFirst ? m_paintMs : m_heldMs;
    longestMs = std::max(longestMs, nowMs - m_turnMs);
    m_isFirst = false;
    m_turnMs = nowMs;
    // Its page is there where a job is opened.
    auto* job = m_window.findChild<JobPage*>();
    const bool isBusy =
        job != nullptr ? job->source()->busy() : m_window.document()->busy() || !m_window.document()->trace();
    if (isBusy) {
        // The readers of a job have all cores but for this.
        const int pauseMs = job != nullptr ? 1 : 0;
        QTimer::singleShot(pauseMs, this, &StartupWatch::watchTrace);
        return;
    }
    m_window.grab();
    std::printf("%s drawn: %lld ms\n", job != nullptr ? "job" : "first trace",
                static_cast<long long>(m_clock.elapsed()));
    std::printf("longest turn: %.1f ms, %.1f ms of its own; after the first paint %.1f ms of its own\n",
                static_cast<double>(m_heldNs) / 1e6, std::max(m_paintMs, m_heldMs), m_heldMs);
    QCoreApplication::quit();
}

}  // namespace overlane
