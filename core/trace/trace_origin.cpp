#include "core/trace/trace_origin.h"

#include <algorithm>
#include <array>

#include "core/base/enum_rows.h"

namespace overlane
{
namespace
{

constexpr std::array<TraceOriginRow, kTraceOriginCount> kOrigins{{
    {.origin = TraceOrigin::Simulated,
     .id = "simulated",
     .isSimulated = true,
     .watchesBuffers = true,
     .watchesReads = true},
    {.origin = TraceOrigin::Measured, .id = "measured", .watchesReads = true, .readsInOrder = true},
    {.origin = TraceOrigin::Predicted, .id = "predicted"},
    {.origin = TraceOrigin::Recorded, .id = "recorded"},
    {.origin = TraceOrigin::Kineto,
     .id = "kineto",
     .numbersNullStream = true,
     .howToRecordGpu = "Record with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], and with no other "
                       "profiler at work; overlane record needs no change to the program.",
     .howToShowHost = "Find what the program does between the calls that the trace shows: record with Python stacks "
                      "(with_stack=True), or name the parts of the step with torch.profiler.record_function."},
    {.origin = TraceOrigin::Nsys,
     .id = "nsys",
     .numbersNullStream = true,
     .howToRecordGpu = "Record with nsys profile --trace=cuda,nvtx,osrt (by a version of Nsight Systems that knows "
                       "the driver) and with no other profiler at work.",
     .howToShowHost = "Find what the program does between the calls that the trace shows: name the parts of the step "
                      "with NVTX ranges (nsys profile --trace=cuda,nvtx), or record it with overlane record, which "
                      "names the lines."},
    {.origin = TraceOrigin::Other, .id = ""},
}};
static_assert(standInOrder(kOrigins, &TraceOriginRow::origin));

}  // namespace

std::span<const TraceOriginRow> traceOrigins()
{
    return kOrigins;
}

const TraceOriginRow& rowOf(TraceOrigin origin)
{
    return kOrigins[static_cast<std::size_t>(origin)];
}

TraceOrigin originOf(std::string_view id)
{
    const auto* const found =
        std::find_if(kOrigins.begin(), kOrigins.end(), [id](const TraceOriginRow& row) { return row.id == id; });
    return found == kOrigins.end() ? TraceOrigin::Other : found->origin;
}

}  // namespace overlane
