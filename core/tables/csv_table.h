// A table as comma-separated values (RFC 4180, UTF-8): a header with the names of the columns, then a line for each
// row.
//
// Stateless, any thread; memory holds some thousand rows. None is an empty field, a flag is true or false.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/tables/arrow_table.h"

namespace overlane
{

// CrLf as the RFC has it; Lf for pipes.
enum class CsvLines : std::uint8_t { CrLf, Lf };

// Hands over the text piece by piece, until it is complete or `take` answers an Error.
Result<void> makeCsv(const ArrowTable& table, CsvLines lines, Progress& progress,
                     const std::function<Result<void>(std::string_view text)>& take);

// Into a file, gzip where its name ends with ".gz". The Error is the reason alone.
Result<void> writeCsv(const ArrowTable& table, const std::string& path, Progress& progress);

}  // namespace overlane
