// BackgroundWorker: one thread that does one job at a time, the newest waiting request first.
//
// Owns its thread and joins it on destruction. A job is a function that runs on the worker with a
// Progress and returns what is to happen on the thread of this object afterwards. A job that throws, out
// of memory above all, or whose answer does, ends in a sentence for its own Failure instead. While a job
// runs, only the latest further job is kept: that is what lets a slider move as fast as the hand does.
// All members are called from the thread this object lives in.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <QObject>
#include <QString>
#include <QTimer>

#include "core/base/progress.h"

namespace overlane
{

class BackgroundWorker : public QObject
{
    Q_OBJECT

public:
    using Continuation = std::function<void()>;
    using Work = std::function<Continuation(Progress&)>;
    // Told why the job has no answer, on the thread of this object.
    using Failure = std::function<void(const QString& sentence)>;

    explicit BackgroundWorker(QObject* parent = nullptr);
    ~BackgroundWorker() override;

    // Starts now, or replaces the job that waits for the running one to end.
    void post(const QString& title, Failure failed, Work work);
    // Asks the running job to stop and forgets the waiting one.
    void cancel();
    bool busy() const { return m_outstanding > 0; }
    QString title() const { return m_title; }

signals:
    void busyChanged(bool busy);
    // 0 to 1, a few times a second while a job runs.
    void progressed(double fraction);

private:
    struct Job {
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

    void loop();
    void finish(const Ended& ended);
    void pollProgress();

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::optional<Job> m_waiting;
    std::shared_ptr<Progress> m_running;
    bool m_stop = false;

    int m_outstanding = 0;  // jobs running or waiting, counted on the owner's thread
    QString m_title;
    QTimer m_poll;
    std::thread m_thread;
};

}  // namespace overlane
