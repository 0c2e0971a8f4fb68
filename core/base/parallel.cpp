#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace overlane
{

void runInParallel(std::size_t count, unsigned threads, const std::function<bool(std::size_t)>& work)
{
    if (threads == 0)
        threads = std::max(1U, std::thread::hardware_concurrency());
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> going = true;
    std::mutex mutex;
    std::exception_ptr thrown;
    const auto loop = [&] {
        try {
            while (going) {
                const std::size_t at = next++;
                if (at >= count)
                    return;
                if (!work(at))
                    going = false;
            }
        } catch (...) {
            going = false;
            const std::lock_guard lock(mutex);
            if (!thrown)
                thrown = std::current_exception();
        }
    };
    {
        // Joined before anything leaves this function, also where no further thread can be had.
        std::vector<std::jthread> others;
        for (unsigned thread = 1; thread < std::min<std::size_t>(threads, count); ++thread)
            others.emplace_back(loop);
        loop();
    }
    if (thrown)
        std::rethrow_exception(thrown);
}

}  // namespace overlane
