// madeFreedOnPool(): as std::make_shared(), but where the GUI thread is the last to let go, a thread of Qt's pool frees
// it. The system takes longer to take back the pages of a trace of ten million events than a frame lasts.
//
// Any thread. `Large` must not belong to a thread.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include <QCoreApplication>
#include <QThread>

#include "app/widgets/pool_job.h"

namespace overlane
{

template <typename Large>
void freeOnPool(Large* large)
{
    const QCoreApplication* program = QCoreApplication::instance();
    if (program == nullptr || QThread::currentThread() != program->thread()) {
        delete large;
        return;
    }
    try {
        runOnPool([large] { delete large; });
    } catch (...) {
        delete large;  // no memory to start it
    }
}

template <typename Large, typename... Parts>
std::shared_ptr<Large> madeFreedOnPool(Parts&&... parts)
{
    return {new Large(std::forward<Parts>(parts)...), [](Large* large) { freeOnPool(large); }};
}

}  // namespace overlane
