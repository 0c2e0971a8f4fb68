// BackgroundWorker: one thread that does one job at a time, the newest waiting request first.
//
// Owns its thread and joins it on destruction. A job runs on the worker with a Progress; its answer is taken on the
// thread of this object. A job that throws, out of memory above all, or whose answer does, ends in an Error with a
// sentence. While a job runs, only the latest further job is kept: that is what lets a slider move as fast as the
// hand does. All members are called from the thread this object lives in.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include <QObject>
#include <QString>
#include <QTimer>

#include "app/session/mailbox.h"
#include "core/base/progress.h"
#include "core/base/result.h"

namespace overlane
{

class BackgroundWorker : public QObject
{
    Q_OBJECT

public:
    // What becomes of an answer that comes after a newer one was asked for.
    enum class Stale : std::uint8_t { Drop, Take };

    explicit BackgroundWorker(QObject* parent = nullptr);
    ~BackgroundWorker() override;

    // Starts now, or replaces the job that waits for the running one to end: work(Progress&) on the worker gives a
    // Result, and take(Result) gets it here. Replaced jobs have no answer.
    template <typename Job, typename Take>
    void run(const QString& title, Job job, Take take, Stale stale = Stale::Drop);
    // Asks the running job to stop, which then answers that it was cancelled, and drops the waiting one.
    void cancel();
    // The same, and no answer is taken any more but where Stale::Take is.
    void forget();
    bool busy() const { return m_outstanding > 0; }
    QString title() const { return m_title; }

signals:
    void busyChanged(bool busy);
    // 0 to 1, a few times a second while a job runs.
    void progressed(double fraction);

private:
    using Continuation = std::function<void()>;
    using Work = std::function<Continuation(Progress&)>;
    using Failure = std::function<void(const QString& sentence)>;
    struct Posted {
        QString title;
        Failure failed;
        Work work;
        std::shared_ptr<Progress> progress;
    };
    struct Ended {
        QString title;
        Continuation answer;
        std::exception_ptr thrown;
        Failure failed;
    };

    void post(const QString& title, Failure failed, Work work);
    void loop();
    void finish(const Ended& ended);
    void pollProgress();

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::optional<Posted> m_waiting;
    std::shared_ptr<Progress> m_running;
    bool m_stop = false;

    std::uint64_t m_newest = 0;  // request
    int m_outstanding = 0;       // jobs running or waiting, counted on the owner's thread
    QString m_title;
    QTimer m_poll;
    Mailbox m_answers;
    std::thread m_thread;
};

template <typename Job, typename Take>
void BackgroundWorker::run(const QString& title, Job job, Take take, Stale stale)
{
    using Answer = std::invoke_result_t<Job&, Progress&>;
    const auto isWanted = [this, stale, request = ++m_newest] { return stale == Stale::Take || request == m_newest; };
    const auto failed = [isWanted, take](const QString& why) mutable {
        if (isWanted())
            take(Answer(Error{why.toStdString()}));
    };
    post(title, failed,
         [isWanted, take = std::move(take), job = std::move(job)](Progress& progress) mutable -> Continuation {
             auto answer = std::make_shared<Answer>(job(progress));
             return [isWanted, take, answer]() mutable {
                 if (isWanted())
                     take(std::move(*answer));
             };
         });
}

}  // namespace overlane
