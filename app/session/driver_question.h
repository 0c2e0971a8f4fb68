// The question what this machine's GPU driver offers, asked on another thread.
//
// GUI thread. The answer comes to `receiver`, and to nothing where that is gone by then; a driver may be slow.
#pragma once

#include <functional>

#include <QObject>

#include "core/system/gpu_support.h"

namespace overlane
{

// Where asking ends with an exception, the answer is that there is no driver, and why.
void askDriver(QObject* receiver, std::function<GpuSupport()> ask, std::function<void(const GpuSupport&)> answer);

}  // namespace overlane
