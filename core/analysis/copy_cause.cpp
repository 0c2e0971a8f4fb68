#include "core/analysis/copy_cause.h"

#include <array>

namespace overlane
{
namespace
{

struct CauseText {
    std::string_view name;
    std::string_view sentence;
    std::string_view advice;
};

constexpr std::array<CauseText, kCopyCauseCount> kTexts{{
    {"hidden", "At least half of the copy ran while kernels ran.", ""},
    {"pageable memory", "The host's side is pageable memory: the driver stages the copy and the host waits for it.",
     "Use DataLoader(pin_memory=True) and .to(device, non_blocking=True)."},
    {"synchronous call", "The host waited in the call until the copy was done, so it could queue no kernel beside it.",
     "Copy with .to(device, non_blocking=True) from pinned memory."},
    {"same stream as the kernels", "Its stream also carries the kernels, and one stream does its work in order.",
     "Copy the next batch on a side stream (torch.cuda.stream) and let the compute stream wait for it "
     "(wait_stream)."},
    {"unknown memory kind", "The trace does not say whether the host's memory was pinned, and no kernel ran beside it.",
     "Check that the DataLoader uses pin_memory=True; a trace from a newer profiler names the memory kind."},
    {"no kernel beside it", "Nothing in the copy itself prevented overlap, but no kernel was running at the time.",
     "Start the copy of the next batch before the kernels of the present one: prefetch one batch ahead."},
}};

const CauseText& textOf(CopyCause cause)
{
    return kTexts[static_cast<std::size_t>(cause)];
}

}  // namespace

CopyCause causeOf(const CopyFacts& facts)
{
    if (facts.hiddenNs > 0 && facts.hiddenNs >= facts.durationNs - facts.hiddenNs)
        return CopyCause::Hidden;
    if (facts.hostMemory == MemoryKind::Pageable)
        return CopyCause::PageableMemory;
    if (facts.async == AsyncFlag::Sync)
        return CopyCause::SynchronousCall;
    if (facts.streamHasKernels)
        return CopyCause::SameStream;
    if (facts.hostMemory == MemoryKind::Unknown)
        return CopyCause::UnknownMemory;
    return CopyCause::NoCompute;
}

std::string_view causeName(CopyCause cause)
{
    return textOf(cause).name;
}

std::string_view causeSentence(CopyCause cause)
{
    return textOf(cause).sentence;
}

std::string_view causeAdvice(CopyCause cause)
{
    return textOf(cause).advice;
}

}  // namespace overlane
