// KernelRecord: whether a recording holds every kernel, a sample of them, or none.
//
// Where it does not hold all, that no kernel runs beside a copy says nothing of the copy, and a
// verdict must not claim it does. Reads what the recording says of its kinds (kRecordedKinds in
// core/trace/trace.h); other sources hold every kernel. Pure functions, any thread; nanoseconds.
#pragma once

#include "core/analysis/verdict.h"

namespace overlane
{

enum class KernelRecord : std::uint8_t {
    All,
    Sampled,  // in windows of kKernelWindowNs
    None,
};

// As long as kernels are recorded at a stretch while they are only sampled.
constexpr std::int64_t kKernelWindowNs = 100'000'000;

KernelRecord kernelRecord(const Trace& trace);

// Whether every kernel of a summary's range was recorded, so that time without kernels means something.
bool kernelsKnown(KernelRecord record, const Summary& summary);

// The verdict as it is where the summary's kernels are known; else one that says what was recorded, and
// what to do to know more. It keeps the counts of copies and claims nothing of what hides them. Where
// nothing of the GPU is there it says why (core/analysis/no_gpu_work.h).
Verdict withinRecord(Verdict verdict, const Trace& trace, const Summary& summary);

}  // namespace overlane
