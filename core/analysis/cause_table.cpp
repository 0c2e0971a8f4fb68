#include "core/analysis/cause_table.h"

#include <utility>

namespace overlane
{
namespace
{

// What a thread does while it makes, pins or awaits a batch.
constexpr EnumSet<EventKind> kOfBatches{EventKind::Loader,     EventKind::LoaderWait,  EventKind::HostWork,
                                        EventKind::Annotation, EventKind::HostBlocked, EventKind::RuntimeCall};

constexpr std::array<LostCauseRow, kLostCauseCount> kLost{{
    {.cause = LostCause::Copies,
     .id = "copies",
     .name = "exposed copies",
     .brief = "copies",
     .changed = "exposed copy",
     .drawnAs = EventKind::CopyH2D,
     .explanation = "A copy to the device runs while no kernel does: the exposed part.",
     .lesson = "side_stream",
     .isOfData = true,
     .goesWithCopies = true,
     .shownOnDevice = {EventKind::CopyH2D}},
    {.cause = LostCause::Staging,
     .id = "staging",
     .name = "staging of copies",
     .brief = "staging",
     .changed = "staging",
     .drawnAs = EventKind::HostBlocked,
     .explanation = "The GPU has nothing to do while the host is blocked in, or just behind, a call that stages or "
                    "waits for a copy.",
     .lesson = "why_pinned",
     .mayBeWarmUp = true,
     .isOfData = true,
     .goesWithCopies = true,
     .spokenAs = LostCause::Copies},
    {.cause = LostCause::ReadBack,
     .id = "read_back",
     .name = "results read back",
     .brief = "read back",
     .changed = "reading results back",
     .drawnAs = EventKind::CopyD2H,
     .explanation = "A copy back to the host runs while no kernel does.",
     .lesson = "reading_too_early",
     .isOfData = true,
     .goesWithCopies = true,
     .shownOnDevice = {EventKind::CopyD2H}},
    {.cause = LostCause::Communication,
     .id = "communication",
     .name = "exposed communication",
     .brief = "communication",
     .changed = "exposed communication",
     .drawnAs = EventKind::CopyD2D,
     .explanation = "Data moves between GPUs, by NCCL or by copies, while no kernel computes.",
     .lesson = "three_stages",
     .advice = "Send gradients in buckets during the backward pass (DDP, FSDP with backward_prefetch), in bfloat16 or "
               "less often (no_sync()), and compare the ranks: all wait for the slowest.",
     .isOfData = true,
     .shownOnDevice = {EventKind::Kernel, EventKind::CopyD2D}},
    {.cause = LostCause::Migration,
     .id = "migration",
     .name = "unified-memory migration",
     .brief = "migration",
     .changed = "unified-memory migration",
     .drawnAs = EventKind::CopyOther,
     .explanation = "Managed memory moves page by page, and no kernel computes.",
     .lesson = "two_copies",
     .sentence = "Unified memory moves while nothing is computed, for {}.",
     .isOfData = true,
     .shownOnDevice = {EventKind::CopyOther}},
    {.cause = LostCause::OtherWork,
     .id = "other_work",
     .name = "other copies and memsets",
     .brief = "other work",
     .changed = "other copies and memsets",
     .drawnAs = EventKind::Memset,
     .explanation = "Copies within the GPU, or memsets, run alone.",
     .lesson = "both_directions",
     .sentence = "Copies within the GPU and memsets run alone for {}.",
     .advice = "Look for tensors that are cloned or zeroed in every step, and reuse their memory.",
     .shownOnDevice = {EventKind::CopyD2D, EventKind::CopyOther, EventKind::Memset}},
    {.cause = LostCause::Swap,
     .id = "swap",
     .name = "swap",
     .brief = "swap",
     .changed = "swapping",
     .drawnAs = EventKind::Instant,
     .explanation = "The GPU has nothing to do while the machine moves pages to or from swap.",
     .lesson = "memory_pressure",
     .isOfData = true,
     .shownOnHost = kOfBatches,
     .shownOnDevice = {EventKind::CopyH2D}},
    {.cause = LostCause::InGraph,
     .id = "in_graph",
     .name = "inside CUDA graphs",
     .brief = "in graphs",
     .changed = "inside CUDA graphs",
     .drawnAs = EventKind::Step,
     .explanation = "The GPU is idle between two kernels of one CUDA graph, which was launched as a whole.",
     .lesson = "small_tensors",
     .sentence = "Gaps inside CUDA graphs: the GPU idles {} between kernels of one graph that was launched already.",
     .advice = "Make the kernels of the graph fewer and longer: fuse them (torch.compile), or use a larger batch."},
    {.cause = LostCause::Dependency,
     .id = "dependency",
     .name = "stream order and events",
     .brief = "order",
     .changed = "stream order and events",
     .drawnAs = EventKind::Step,
     .explanation = "The next work was issued in time, and waits for its stream, an event or the GPU itself.",
     .lesson = "side_stream",
     .sentence =
         "Dependency stall: the GPU idles {} with work issued, which waits for an event, for its stream, or for "
         "the GPU itself.",
     .mayBeWarmUp = true},
    {.cause = LostCause::Batches,
     .id = "batches",
     .name = "waiting for batches",
     .brief = "batches",
     .changed = "waiting for batches",
     .drawnAs = EventKind::Loader,
     .explanation = "The training thread waits for the loader, and with it the GPU.",
     .lesson = "workers_and_prefetch",
     .mayBeWarmUp = true,
     .isOfData = true,
     .shownOnDevice = {EventKind::CopyH2D}},
    {.cause = LostCause::MakingBatches,
     .id = "making_batches",
     .name = "batches made by the training thread",
     .brief = "loading",
     .changed = "batches made by the training thread",
     .drawnAs = EventKind::Loader,
     .explanation =
         "Without workers the training thread reads and transforms each batch itself, and launches nothing then.",
     .lesson = "workers_and_prefetch",
     .advice = "Let worker processes make them: DataLoader(num_workers=4) or more.",
     .mayBeWarmUp = true,
     .isOfData = true,
     .shownOnHost = kOfBatches,
     .shownOnDevice = {EventKind::CopyH2D}},
    {.cause = LostCause::Pinning,
     .id = "pinning",
     .name = "pinning in the training thread",
     .brief = "pinning",
     .changed = "pinning in the training thread",
     .drawnAs = EventKind::Annotation,
     .explanation = "The training thread pins memory, or copies a batch into such memory, and launches nothing then.",
     .lesson = "pin_then_copy",
     .mayBeWarmUp = true,
     .isOfData = true,
     .shownOnHost = kOfBatches,
     .shownOnDevice = {EventKind::CopyH2D}},
    {.cause = LostCause::Sync,
     .id = "sync",
     .name = "explicit synchronization",
     .brief = "sync",
     .changed = "explicit synchronization",
     .drawnAs = EventKind::Sync,
     .explanation = "The host waited until the GPU had nothing left to do; the GPU is idle for as long as that put the "
                    "host behind.",
     .lesson = "run_ahead",
     .mayBeWarmUp = true},
    {.cause = LostCause::LaunchBound,
     .id = "launch_bound",
     .name = "launch-bound",
     .brief = "launches",
     .changed = "idling between launches",
     .drawnAs = EventKind::RuntimeCall,
     .explanation = "Kernels are so short that each ends before the next launch arrives.",
     .lesson = "small_tensors",
     .mayBeWarmUp = true},
    {.cause = LostCause::Host,
     .id = "host",
     .name = "host late",
     .brief = "host late",
     .changed = "waiting for the host",
     .drawnAs = EventKind::HostWork,
     .explanation = "The thread that launches works on other things, and nothing is queued on the GPU.",
     .lesson = "run_ahead",
     .mayBeWarmUp = true},
    {.cause = LostCause::HostBetween,
     .id = "host_between",
     .name = "untraced host code",
     .brief = "host",
     .changed = "waiting for the host",
     .drawnAs = EventKind::HostWork,
     .explanation =
         "The thread that launches is between two events of the trace, in code that the trace does not show.",
     .lesson = "run_ahead",
     .mayBeWarmUp = true,
     .spokenAs = LostCause::Host},
    {.cause = LostCause::Ends,
     .id = "ends",
     .name = "start and end",
     .brief = "ends",
     .changed = "idling at the ends",
     .drawnAs = EventKind::LoaderWait,
     .explanation = "Before the first and after the last work of the GPU.",
     .lesson = "three_stages",
     .sentence = "The GPU has nothing to do before its first and after its last work: it idles {}.",
     .advice = "Select the part in which the GPU works.",
     .mayBeWarmUp = true},
    {.cause = LostCause::Unknown,
     .id = "unknown",
     .name = "unknown",
     .brief = "unknown",
     .changed = "unknown",
     .drawnAs = EventKind::Overhead,
     .explanation = "No record shows what the host did then.",
     .lesson = "run_ahead",
     .sentence = "The GPU idles {}; cause unknown: no activity of the launching thread was recorded then.",
     .advice = "Record the host too (ProfilerActivity.CPU, or nsys --trace=cuda,nvtx,osrt), or select a few steps.",
     .mayBeWarmUp = true},
}};

constexpr std::array<CopyCauseRow, kCopyCauseCount> kCopies{{
    {CopyCause::Hidden, "hidden", "hidden", "hidden", "At least half of the copy ran while kernels ran.",
     "three_stages"},
    {CopyCause::UnifiedMemory, "unified_memory", "unified-memory migration", "managed",
     "The data is in managed memory, which moves when it is touched, page by page.", "two_copies"},
    {CopyCause::OutsideKernels, "outside_kernels", "first or last batch", "first or last",
     "It ran before the first kernel or after the last one: nothing was there to hide it.", "three_stages"},
    {CopyCause::StagedInline, "staged_inline", "staged inline, too small", "small",
     "A pageable copy of 64 KiB or less goes with the command itself; its time is the call's, not the link's.",
     "small_tensors"},
    {CopyCause::PageableMemory, "pageable_memory", "pageable memory", "pageable",
     "The host's side is pageable memory: the driver stages the copy and the host waits for it.", "why_pinned"},
    {CopyCause::SynchronousCall, "synchronous_call", "synchronous call", "sync call",
     "The host waited in the call until the copy was done, so it could queue no kernel during it.", "why_pinned"},
    {CopyCause::SameStream, "same_stream", "same stream as the kernels", "same stream",
     "Its stream also carries the kernels, and one stream does its work in order.", "side_stream"},
    {CopyCause::EventDependency, "event_dependency", "event or stream dependency", "event",
     "Its stream was made to wait for an event or another stream, and the copy began when that wait was over.",
     "side_stream"},
    {CopyCause::LegacyDefaultStream, "legacy_default_stream", "legacy default stream", "default stream",
     "The copy and the kernels use the legacy default stream and another one, and these wait for each other.",
     "side_stream"},
    {CopyCause::EngineBusy, "engine_busy", "engine busy in the same direction", "engine busy",
     "Another copy in the same direction occupied the copy engine while kernels ran that could have hidden this one.",
     "both_directions"},
    {CopyCause::HostSync, "host_sync", "issued after a synchronization", "after a sync",
     "The host first waited for the GPU and issued the copy only then, when the kernels were done.", "run_ahead"},
    {CopyCause::UnknownMemory, "unknown_memory", "unknown memory kind", "memory unknown",
     "The trace does not show whether the host's memory was pinned, and no kernel ran during it.", "why_pinned"},
    {CopyCause::NoCompute, "no_compute", "no kernel during it", "no kernel",
     "Nothing in the copy itself prevented overlap, but no kernel was running at the time.", "three_stages"},
    {CopyCause::Unknown, "unknown", "unknown", "unknown",
     "The trace lacks the record that would say what the copy waited for.", "run_ahead"},
}};

template <typename Rows>
constexpr bool standInOrder(const Rows& rows)
{
    for (std::size_t at = 0; at < rows.size(); ++at)
        if (static_cast<std::size_t>(rows[at].cause) != at)
            return false;
    return true;
}
static_assert(standInOrder(kLost) && standInOrder(kCopies));

}  // namespace

std::span<const LostCauseRow> lostCauses()
{
    return kLost;
}

const LostCauseRow& rowOf(LostCause cause)
{
    return kLost[static_cast<std::size_t>(cause)];
}

LostCause spokenOf(LostCause cause)
{
    return rowOf(cause).spokenAs.value_or(cause);
}

LostSums spokenSums(LostSums lostNs)
{
    for (const LostCauseRow& row : lostCauses())
        if (row.spokenAs)
            lostNs[static_cast<std::size_t>(*row.spokenAs)] +=
                std::exchange(lostNs[static_cast<std::size_t>(row.cause)], 0);
    return lostNs;
}

std::span<const CopyCauseRow> copyCauses()
{
    return kCopies;
}

const CopyCauseRow& rowOf(CopyCause cause)
{
    return kCopies[static_cast<std::size_t>(cause)];
}

}  // namespace overlane
