#include "app/session/driver_question.h"

#include <exception>
#include <memory>
#include <utility>

#include <QFutureWatcher>
#include <QPromise>

#include "app/session/failure_sentence.h"
#include "app/widgets/pool_job.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

GpuSupport resultOf(const QFutureWatcher<GpuSupport>& watcher)
{
    try {
        return watcher.result();
    } catch (...) {
        const QString why = failureSentence(u"Asking the GPU driver"_s, std::current_exception());
        return GpuSupport{GpuSupport::State::NoDriver, 0, {}, why.toStdString()};
    }
}

}  // namespace

void askDriver(QObject* receiver, std::function<GpuSupport()> ask, std::function<void(const GpuSupport&)> answer)
{
    auto* watcher = new QFutureWatcher<GpuSupport>(receiver);
    QObject::connect(watcher, &QFutureWatcherBase::finished, receiver, [watcher, answer = std::move(answer)] {
        watcher->deleteLater();
        answer(resultOf(*watcher));
    });
    auto promise = std::make_shared<QPromise<GpuSupport>>();
    promise->start();
    watcher->setFuture(promise->future());
    runOnPool([promise, ask = std::move(ask)] {
        try {
            promise->addResult(ask());
        } catch (...) {
            promise->setException(std::current_exception());
        }
        promise->finish();
    });
}

}  // namespace overlane
