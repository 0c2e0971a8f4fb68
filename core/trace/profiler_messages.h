// What the profiler that recorded a trace says of its own record, such as that CUDA could not be
// traced: a property of the trace's metadata, one text for people, written by importers.
#pragma once

namespace overlane
{

inline constexpr const char* kProfilerSays = "profiler says";

}  // namespace overlane
