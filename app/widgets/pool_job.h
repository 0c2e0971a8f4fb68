// Jobs for threads of Qt's pool, handed over in a way that the thread sanitizer sees (it cannot see into Qt).
//
// Called on the GUI thread only. A job must not throw.
#pragma once

#include <functional>

namespace overlane
{

// False, and the job is not run, where no thread has nothing else to do. Throws where there is no memory to start it.
bool tryOnPool(std::function<void()> job);
// Now, or when a thread has nothing else to do.
void runOnPool(std::function<void()> job);

}  // namespace overlane
