#include "app/widgets/pool_job.h"

#include <deque>
#include <mutex>
#include <utility>

#include <QThreadPool>

namespace overlane
{

namespace
{

// Waiting for the threads that were started for them: as many as there are jobs, each takes the first.
struct Jobs {
    Jobs() = default;
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;
    // The pool has ended before; that it let go of the jobs shows in the lock alone.
    ~Jobs() { const std::lock_guard lock(mutex); }

    std::mutex mutex;
    std::deque<std::function<void()>> waiting;
};

Jobs& jobs()
{
    static Jobs all;
    return all;
}

void runNext()
{
    std::function<void()> job;
    {
        const std::lock_guard lock(jobs().mutex);
        job = std::move(jobs().waiting.front());
        jobs().waiting.pop_front();
    }
    job();
}

// Gives the job that came last back where no thread was started for it.
class Offer
{
public:
    explicit Offer(std::function<void()> job)
    {
        const std::lock_guard lock(jobs().mutex);
        jobs().waiting.push_back(std::move(job));
    }
    Offer(const Offer&) = delete;
    Offer& operator=(const Offer&) = delete;
    ~Offer()
    {
        if (m_taken)
            return;
        const std::lock_guard lock(jobs().mutex);
        jobs().waiting.pop_back();
    }
    bool take(bool started) { return m_taken = started; }

private:
    bool m_taken = false;
};

}  // namespace

bool tryOnPool(std::function<void()> job)
{
    Offer offer(std::move(job));
    return offer.take(QThreadPool::globalInstance()->tryStart(runNext));
}

void runOnPool(std::function<void()> job)
{
    Offer offer(std::move(job));
    QThreadPool::globalInstance()->start(runNext);
    offer.take(true);
}

}  // namespace overlane
