// inParallel: parts of one frame that have nothing to do with each other, on the cores that are free.
//
// Called on the GUI thread, which does its share and returns once all is done. The others are threads of Qt's pool
// that have nothing else to do at that moment; where none has, the caller does everything.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <latch>
#include <vector>

#include <QThreadPool>

#include "app/widgets/pool_job.h"

namespace overlane
{

// work(i) for each i below `count`, in any order, several at a time; it writes to nothing but what belongs to i.
// What a helper cannot do, out of memory for one, the caller does afterwards, and what that throws is the caller's.
template <typename Work>
void inParallel(std::size_t count, const Work& work)
{
    constexpr std::ptrdiff_t kMostHelpers = 7;  // waiting for memory is what they share: more of them wait longer
    std::atomic<std::size_t> next = 0;
    std::vector<unsigned char> finished(count, 0);
    const auto takeTurns = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            work(i);
            finished[i] = 1;
        }
    };
    const std::ptrdiff_t helpers = std::clamp<std::ptrdiff_t>(
        std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(count), QThreadPool::globalInstance()->maxThreadCount()) -
            1,
        0, kMostHelpers);
    std::latch done(helpers);
    for (std::ptrdiff_t helper = 0; helper < helpers; ++helper) {
        bool started = false;
        try {
            started = tryOnPool([&] {
                try {
                    takeTurns();
                } catch (...) {
                    // Not finished, which the caller sees.
                }
                done.count_down();
            });
        } catch (...) {
            // No memory to start one: there is one less.
        }
        if (!started)
            done.count_down();
    }
    // Nothing that the helpers use goes away before they are done, also where this throws.
    std::exception_ptr thrown;
    try {
        takeTurns();
    } catch (...) {
        thrown = std::current_exception();
    }
    done.wait();
    if (thrown)
        std::rethrow_exception(thrown);
    for (std::size_t i = 0; i < count; ++i)
        if (finished[i] == 0)
            work(i);
}

}  // namespace overlane
