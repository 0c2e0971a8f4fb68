#include "tests/unit/work/counted_blocks.h"

#include <utility>

namespace
{

thread_local std::uint64_t t_blocks = 0;
thread_local std::uint64_t t_cancelAt = 0;
thread_local overlane::Progress* t_cancelled = nullptr;

}  // namespace

// Called by every block of what is compiled with -fsanitize-coverage=trace-pc, by the name that the
// compiler gives it.
extern "C" void __sanitizer_cov_trace_pc();  // NOLINT(bugprone-reserved-identifier)
extern "C" void __sanitizer_cov_trace_pc()   // NOLINT(bugprone-reserved-identifier)
{
    if (++t_blocks == t_cancelAt && t_cancelled) {
        t_cancelled->cancel();
        t_cancelled = nullptr;
        t_blocks = 0;
    }
}

namespace overlane::test
{

std::uint64_t blocksSinceLast()
{
    return std::exchange(t_blocks, 0);
}

void cancelAtBlock(std::uint64_t number, Progress& progress)
{
    t_blocks = 0;
    t_cancelAt = number;
    t_cancelled = &progress;
}

}  // namespace overlane::test
