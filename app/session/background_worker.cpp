#include "app/session/background_worker.h"

#include <utility>

#include "app/session/failure_sentence.h"

namespace overlane
{

BackgroundWorker::BackgroundWorker(QObject* parent) : QObject(parent)
{
    m_poll.setInterval(100);
    connect(&m_poll, &QTimer::timeout, this, &BackgroundWorker::pollProgress);
    m_thread = std::thread([this] { loop(); });
}

BackgroundWorker::~BackgroundWorker()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
        m_waiting.reset();
        if (m_running)
            m_running->cancel();
    }
    m_wake.notify_one();
    m_thread.join();
}

void BackgroundWorker::post(const QString& title, Failure failed, Work work)
{
    bool replaced = false;
    {
        const std::lock_guard lock(m_mutex);
        replaced = m_waiting.has_value();
        m_waiting = Posted{title, std::move(failed), std::move(work), std::make_shared<Progress>()};
    }
    m_wake.notify_one();
    m_title = title;
    if (replaced)
        return;
    if (++m_outstanding == 1) {
        m_poll.start();
        emit busyChanged(true);
    }
}

void BackgroundWorker::cancel()
{
    bool dropped = false;
    {
        const std::lock_guard lock(m_mutex);
        dropped = m_waiting.has_value();
        m_waiting.reset();
        if (m_running)
            m_running->cancel();
    }
    if (dropped)
        finish({});
}

void BackgroundWorker::forget()
{
    ++m_newest;
    cancel();
}

void BackgroundWorker::loop()
{
    while (true) {
        Posted job;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return m_stop || m_waiting; });
            if (m_stop)
                return;
            job = std::move(*m_waiting);
            m_waiting.reset();
            m_running = job.progress;
        }
        Ended ended{job.title, {}, {}, std::move(job.failed)};
        try {
            ended.answer = job.work(*job.progress);
        } catch (...) {
            ended.thrown = std::current_exception();
        }
        {
            const std::lock_guard lock(m_mutex);
            m_running.reset();
        }
        m_answers.post([this, ended = std::move(ended)] { finish(ended); });
    }
}

void BackgroundWorker::finish(const Ended& ended)
{
    --m_outstanding;
    std::exception_ptr thrown = ended.thrown;
    try {
        if (ended.answer)
            ended.answer();
    } catch (...) {
        thrown = std::current_exception();
    }
    if (thrown)
        ended.failed(failureSentence(ended.title, thrown));
    if (m_outstanding == 0) {
        m_poll.stop();
        emit busyChanged(false);
    }
}

void BackgroundWorker::pollProgress()
{
    double fraction = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (m_running)
            fraction = m_running->fraction();
    }
    emit progressed(fraction);
}

}  // namespace overlane
