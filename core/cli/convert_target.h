// Targets of `overlane convert`: a trace in one of the formats that can be written, its tables as SQLite, or one table
// as CSV; chosen by the name of the file.
//
// Stateless, any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/judgement/judged_trace.h"
#include "core/tables/table_list.h"

namespace overlane
{

// An Error that names the nearest one.
Result<const TableKind*> findTable(std::string_view name);

enum class ConvertTarget : std::uint8_t { Trace, Tables, Csv };

// CSV for "-", which is standard output. An Error where nothing of that name can be written, or where a table is named
// for a whole trace, or none for CSV.
Result<ConvertTarget> convertTarget(const std::string& out, const std::string& table);

struct ConvertRequest {
    std::string source;  // what the trace was read from
    std::string out;
    std::string table;      // one only; empty: all
    std::string iteration;  // of tables that are judged
};
// The trace judged by one of its loops.
using Judge = std::function<Result<std::shared_ptr<const JudgedTrace>>()>;

// `target` is that of the request. Errors name the file.
Result<void> writeConverted(const std::shared_ptr<const Trace>& trace, const ConvertRequest& request,
                            ConvertTarget target, const Judge& judge, Progress& progress, std::ostream* standardOutput);

// What the written file does not hold of the trace, as a sentence; empty where it holds everything or is a table.
std::string leftOutText(const std::string& out, ConvertTarget target);

// The targets and their extensions, as lines for the help.
std::string convertTargetsHelp();

}  // namespace overlane
