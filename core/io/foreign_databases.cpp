#include "core/io/foreign_databases.h"

#include <algorithm>

namespace overlane
{
namespace
{

constexpr std::string_view kRecordOnRocm =
    "Overlane does not read it. Record the program with torch.profiler, whose JSON Overlane reads on ROCm, too, or "
    "open the results.json of `rocprof --hip-trace`.";

}  // namespace

std::string foreignDatabase(std::span<const std::string> tables)
{
    const auto has = [&](std::string_view name) { return std::ranges::find(tables, name) != tables.end(); };
    const auto hasPart = [&](std::string_view start) {
        return std::ranges::any_of(tables, [&](const std::string& table) { return table.starts_with(start); });
    };
    // nvprof's names are in StringTable and its rows are numbered; Nsight Systems has StringIds.
    if (has("StringTable") && hasPart("CUPTI_ACTIVITY_KIND_"))
        return "this is a file of nvprof or the Visual Profiler, and Overlane does not read it. Record the program "
               "with "
               "`overlane record`, or with `nsys profile --trace=cuda,nvtx,osrt` and `nsys export --type sqlite`.";
    if (hasPart("rocpd_"))
        return "this is a file of ROCm's rocpd format (rpd_tracer, rocprofv3). " + std::string(kRecordOnRocm);
    if (has("KERN") || ((has("OPS") || has("COPY")) && (has("HIP") || has("HSA"))))
        return "this is the database of rocprof. Open the .json that rocprof writes next to it.";
    return {};
}

std::string_view foreignJson(std::string_view member)
{
    if (member == "rocprofiler-sdk-tool")
        return "the JSON of rocprofv3; Overlane reads torch.profiler's on ROCm, or the results.json of `rocprof "
               "--hip-trace`";
    return {};
}

}  // namespace overlane
