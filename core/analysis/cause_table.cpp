#include "core/analysis/cause_table.h"

#include <array>

namespace overlane
{
namespace
{

constexpr std::array<LostCauseRow, kLostCauseCount> kLost{{
    {LostCause::Copies, "copies", "exposed copies", "copies", "exposed copy", EventKind::CopyH2D},
    {LostCause::Staging, "staging", "staging of copies", "staging", "staging", EventKind::HostBlocked},
    {LostCause::ReadBack, "read_back", "results read back", "read back", "reading results back", EventKind::CopyD2H},
    {LostCause::Communication, "communication", "exposed communication", "communication", "exposed communication",
     EventKind::CopyD2D},
    {LostCause::Migration, "migration", "unified-memory migration", "migration", "unified-memory migration",
     EventKind::CopyOther},
    {LostCause::OtherWork, "other_work", "other copies and memsets", "other work", "other copies and memsets",
     EventKind::Memset},
    {LostCause::Swap, "swap", "swap", "swap", "swapping", EventKind::Instant},
    {LostCause::InGraph, "in_graph", "inside CUDA graphs", "in graphs", "inside CUDA graphs", EventKind::Step},
    {LostCause::Dependency, "dependency", "stream order and events", "order", "stream order and events",
     EventKind::Step},
    {LostCause::Batches, "batches", "waiting for batches", "batches", "waiting for batches", EventKind::Loader},
    {LostCause::MakingBatches, "making_batches", "batches made by the training thread", "loading",
     "batches made by the training thread", EventKind::Loader},
    {LostCause::Pinning, "pinning", "pinning in the training thread", "pinning", "pinning in the training thread",
     EventKind::Annotation},
    {LostCause::Sync, "sync", "explicit synchronisation", "sync", "explicit synchronisation", EventKind::Sync},
    {LostCause::LaunchBound, "launch_bound", "launch-bound", "launches", "idling between launches",
     EventKind::RuntimeCall},
    {LostCause::Host, "host", "host late", "host late", "waiting for the host", EventKind::HostWork},
    {LostCause::HostBetween, "host_between", "host between recorded work", "host", "waiting for the host",
     EventKind::HostWork},
    {LostCause::Ends, "ends", "start and end", "ends", "idling at the ends", EventKind::LoaderWait},
    {LostCause::Unknown, "unknown", "not told by the trace", "not told", "not told by the trace", EventKind::Overhead},
}};

constexpr std::array<CopyCauseRow, kCopyCauseCount> kCopies{{
    {CopyCause::Hidden, "hidden", "hidden", "hidden", "At least half of the copy ran while kernels ran."},
    {CopyCause::UnifiedMemory, "unified_memory", "unified-memory migration", "managed",
     "The data is in managed memory, which moves when it is touched, page by page."},
    {CopyCause::OutsideKernels, "outside_kernels", "first or last batch", "first or last",
     "It ran before the first kernel or after the last one: nothing was there to hide it."},
    {CopyCause::StagedInline, "staged_inline", "staged inline, too small", "small",
     "A pageable copy of 64 KiB or less goes with the command itself; its time is the call's, not the link's."},
    {CopyCause::PageableMemory, "pageable_memory", "pageable memory", "pageable",
     "The host's side is pageable memory: the driver stages the copy and the host waits for it."},
    {CopyCause::SynchronousCall, "synchronous_call", "synchronous call", "sync call",
     "The host waited in the call until the copy was done, so it could queue no kernel beside it."},
    {CopyCause::SameStream, "same_stream", "same stream as the kernels", "same stream",
     "Its stream also carries the kernels, and one stream does its work in order."},
    {CopyCause::EventDependency, "event_dependency", "event or stream dependency", "event",
     "Its stream was made to wait for an event or another stream, and the copy began when that wait was over."},
    {CopyCause::LegacyDefaultStream, "legacy_default_stream", "legacy default stream", "default stream",
     "The copy and the kernels use the legacy default stream and another one, and these wait for each other."},
    {CopyCause::EngineBusy, "engine_busy", "engine busy in the same direction", "engine busy",
     "Another copy in the same direction held the copy engine while kernels ran that could have hidden this one."},
    {CopyCause::HostSync, "host_sync", "issued after a synchronisation", "after a sync",
     "The host first waited for the GPU and asked for the copy only then, when the kernels were done."},
    {CopyCause::UnknownMemory, "unknown_memory", "unknown memory kind", "memory unknown",
     "The trace does not say whether the host's memory was pinned, and no kernel ran beside it."},
    {CopyCause::NoCompute, "no_compute", "no kernel beside it", "no kernel",
     "Nothing in the copy itself prevented overlap, but no kernel was running at the time."},
    {CopyCause::Unknown, "unknown", "not told by the trace", "not told",
     "The trace lacks the record that would say what the copy waited for."},
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

std::span<const CopyCauseRow> copyCauses()
{
    return kCopies;
}

const CopyCauseRow& rowOf(CopyCause cause)
{
    return kCopies[static_cast<std::size_t>(cause)];
}

}  // namespace overlane
