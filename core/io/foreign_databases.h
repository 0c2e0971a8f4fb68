// SQLite files of other profilers than Nsight Systems: what such a file is, and what to do with it.
//
// Pure function on names of tables. Sources: the CUDA Profiler User's Guide (nvprof, Visual Profiler),
// ROCm's rocmProfileData and rocprofiler-sdk (rocpd), rocprofiler's sqlitedb.py.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace overlane
{

// A sentence for people; empty where the tables are of no other profiler that is known here.
std::string foreignDatabase(std::span<const std::string> tables);

// The same for a JSON file without trace events, by the name of one of its members.
std::string_view foreignJson(std::string_view member);

}  // namespace overlane
