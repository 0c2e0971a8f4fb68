#include "app/program/startup_watch.h"

#include <algorithm>
#include <cstdio>

#include <QCoreApplication>
#include <QEvent>
#include <QPixmap>
#include <QTimer>

#include "app/job/job_page.h"
#include "app/second/second_timelines.h"
#include "app/session/document.h"
#include "app/shell/main_window.h"

namespace overlane
{

StartupWatch::StartupWatch(MainWindow& window, const QElapsedTimer& clock)
    : m_window(window), m_clock(clock), m_turns([this](double ms) { endTurn(ms); })
{
    window.installEventFilter(this);
}

bool StartupWatch::eventFilter(QObject*, QEvent* event)
{
    if (event->type() == QEvent::Paint && !m_painted) {
        m_painted = true;
        std::printf("first paint: %lld ms\n", static_cast<long long>(m_clock.elapsed()));
    }
    return false;
}

JobPage* StartupWatch::jobPage() const
{
    return m_window.findChild<JobPage*>();
}

bool StartupWatch::isDone() const
{
    if (JobPage* job = jobPage())
        return !job->source()->busy();
    Document* document = m_window.document();
    return document->trace() && !document->busy() && !document->insights()->busy() &&
           !m_window.secondTimelines()->busy();
}

void StartupWatch::endTurn(double ms)
{
    if (!m_painted)
        return;
    if (m_paintMs > 0)
        m_laterMs = std::max(m_laterMs, ms);
    else
        m_paintMs = ms;
    if (!isDone())
        return;
    m_window.grab();
    std::printf("%s drawn: %lld ms\n", jobPage() != nullptr ? "job" : "first trace",
                static_cast<long long>(m_clock.elapsed()));
    std::printf("turn of the first paint: %.1f ms of its own; longest turn after it: %.1f ms\n", m_paintMs, m_laterMs);
    QCoreApplication::exit();
}

}  // namespace overlane
