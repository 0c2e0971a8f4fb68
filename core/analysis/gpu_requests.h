// GPU requests: what a program asks of its busiest device, in the order in which its threads ask.
//
// One request is one call and all the work that it caused (a graph of 300 kernels is one), or a wait for the
// device; where the trace does not say which call caused what, one piece of work, or one launch of a graph. Only the
// process that asks most of the device with the most kernels counts, so that ranks and neighbors do not mix. Requests
// that do the same have the same token: the name of the call's first work, for copies its direction and the power of
// two of its size, for graphs the name of the launch, for waits the name of the wait.
//
// Pure, any thread. Nanoseconds. 24 bytes a request.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/base/work_meter.h"
#include "core/trace/trace.h"

namespace overlane
{

enum class RequestKind : std::uint8_t {
    Kernel,    // also memsets and copies within the device
    Graph,     // launches many kernels at once
    CopyIn,    // host to device
    CopyBack,  // device to host
    Wait,      // the host waits for the device, a stream or an event
};

constexpr std::uint32_t kNoStream = std::numeric_limits<std::uint32_t>::max();

struct GpuRequest {
    std::int64_t startNs = 0;  // of the call, else of the work
    std::int64_t endNs = 0;
    std::uint32_t token = 0;           // dense, from 0 in order of first request
    std::uint32_t stream = kNoStream;  // the place of the track that its work is on; of waits none
};

struct GpuRequests {
    std::vector<GpuRequest> requests;  // in order of start
    std::vector<RequestKind> kinds;    // per token
    std::vector<std::string> names;    // per token: "H2D copy, 16 MiB", "gemm", "cudaGraphLaunch"
    bool onHost = false;               // times are those of calls
};

GpuRequests gpuRequests(const Trace& trace, const WorkMeter& work = {});

}  // namespace overlane
