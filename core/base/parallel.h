// runInParallel: one loop over independent pieces of work, on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace overlane
{

// Calls work(0) to work(count - 1), each once, on `threads` threads, 0 for as many as the machine has; stops
// asking for more where it answers false or throws. The first exception is the caller's, once every thread
// has ended.
void runInParallel(std::size_t count, unsigned threads, const std::function<bool(std::size_t)>& work);

}  // namespace overlane
