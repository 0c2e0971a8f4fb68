// NsysImport: what the readers of the single tables share while one export becomes a trace.
//
// Made by nsysFormat().read() for one file; one thread. Host rows are read before GPU rows, so
// that a copy finds the name of the call behind it. `rows` counts every row of every event table;
// each of them becomes an event or a sample, or is counted as skipped with a reason.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/progress.h"
#include "core/io/memory_guard.h"
#include "core/io/nsys_labels.h"
#include "core/io/nsys_tables.h"
#include "core/io/nsys_tracks.h"
#include "core/trace/trace_builder.h"

namespace overlane
{

struct NsysImport {
    NsysImport(SqliteDatabase& openDatabase, Progress& watched) : database(openDatabase), progress(watched) {}

    SqliteDatabase& database;
    Progress& progress;
    TraceBuilder builder;
    NsysTracks tracks{builder};
    NsysNames strings;
    NsysNames memoryKinds;  // of ENUM_CUDA_MEM_KIND, or as the copies give their numbering away
    std::unordered_map<std::uint64_t, AsyncFlag> callFlags;  // by callKey()
    std::int64_t rows = 0;
    std::int64_t totalRows = 0;
    MemoryGuard guard;

    static std::uint64_t callKey(std::uint32_t process, std::uint32_t correlation)
    {
        return (std::uint64_t{process} << 32) | correlation;
    }
    // The text of a StringIds id, or "name 123" and a count where the file does not have it.
    std::string text(std::optional<std::int64_t> id);
    StringId name(std::optional<std::int64_t> id) { return builder.intern(text(id)); }
    // A correlation id as events carry it; 0 where there is none.
    static std::uint32_t correlation(std::optional<std::int64_t> id);

    void skip(std::string_view reason, std::string_view explanation, Severity severity = Severity::Warning)
    {
        builder.stats().add(reason, explanation, severity);
    }
    // Adds an event whose times come from the file; the builder or this counts what cannot be drawn.
    void add(Event event, std::optional<std::int64_t> startNs, std::optional<std::int64_t> endNs);

    // Calls `row` for each row of `table`. Where one of the first `required` columns is missing,
    // the rows are counted and none is read.
    Result<void> eachRow(std::string_view table, std::initializer_list<const char*> columns, std::size_t required,
                         const std::function<void(const NsysTable&)>& row, bool ordered = false);
};

// The text of an enumeration: symbols, or labels where a symbol is missing; `otherwise` where the file
// does not have it.
Result<NsysNames> readNsysEnum(NsysImport& import, const char* table, NsysTexts otherwise);

// Runtime and driver calls, NVTX, operating system calls and libraries, profiler overhead.
Result<void> importNsysHost(NsysImport& import);
// What Nsight Systems says of its own record: notes, and a property where it is of the GPU.
Result<void> importNsysDiagnostics(NsysImport& import);
// Kernels, copies, memsets, synchronization, events, memory in use.
Result<void> importNsysDevices(NsysImport& import);

}  // namespace overlane
