// PyTorch profiler (Kineto) JSON and any other Chrome trace-event JSON, plain or gzip. GPU
// work of TensorFlow 1 and rocprof is found by core/io/named_lanes.h. Any thread.
//
// Times are decimal microseconds, relative to "baseTimeNanoseconds" where there is one. Sources:
// pytorch/kineto's output_json.cpp and the Trace Event Format document of the Chromium project.
#pragma once

#include "core/io/byte_source.h"
#include "core/io/format.h"
#include "core/io/memory_guard.h"

namespace overlane
{

const TraceFormat& kinetoFormat();

// The importer without a file; `name` is what messages call the source.
Result<Trace> readKineto(ByteSource& source, const std::string& name, Progress& progress,
                         const MemoryGuard& guard = MemoryGuard());

}  // namespace overlane
