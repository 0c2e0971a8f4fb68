// Who wrote a trace, as a table: a row for each origin, with the text that files name it by, what such a trace
// records beside the events, and how to record more.
//
// Constants; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace overlane
{

enum class TraceOrigin : std::uint8_t {
    Simulated,  // the laboratory, on a virtual clock
    Measured,   // the laboratory, on a GPU
    Predicted,  // what-if
    Recorded,   // overlane record
    Kineto,     // PyTorch's profiler, and what writes its format
    Nsys,       // Nsight Systems
    Other,      // any other text
};
constexpr int kTraceOriginCount = 7;

struct TraceOriginRow {
    TraceOrigin origin;
    std::string_view id;             // "kineto": TraceMetadata::format; never changes
    bool isSimulated = false;        // times and rates are those of a model, which nothing disturbs
    bool watchesBuffers = false;     // says when a buffer was written before its copy had read it
    bool watchesReads = false;       // says when a result was read
    bool readsInOrder = false;       // the k-th read of a result is of the k-th copy back
    bool numbersNullStream = false;  // the null stream has the number that CUPTI or roctracer gives it
    // How to get a record of GPU work, and of what the host does between its calls.
    std::string_view howToRecordGpu = "Record a part of the program in which the GPU works.";
    std::string_view howToShowHost =
        "Find what the program does between the calls that the trace shows: record it again, since `overlane record` "
        "names the lines unless told not to (--no-stacks), or name the parts of the step with NVTX ranges.";
};
// In the order of TraceOrigin.
std::span<const TraceOriginRow> traceOrigins();
const TraceOriginRow& rowOf(TraceOrigin origin);

// By how much threads that should be alike differ in speed: a property of simulated traces where they do.
inline constexpr const char* kThreadSpread = "thread spread";

// By its id; Other for a text that none has.
TraceOrigin originOf(std::string_view id);

}  // namespace overlane
