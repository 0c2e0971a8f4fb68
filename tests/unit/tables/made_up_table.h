// A table with a column of every type, made up.
#pragma once

#include "core/tables/arrow_table.h"

namespace overlane::test
{

// Row 1 has no name and no bytes; the names of the others are what a stranger may call a kernel.
inline ArrowTable madeUpTable()
{
    auto names = std::make_shared<ArrowTexts>();
    for (const char* name : {"=SUM(A1,\"x\")", "", "two\nlines"})
        names->add(name);
    ArrowTable table;
    table.rows = 4;
    table.columns.push_back(columnOf<std::int64_t>(
        "start_ns", [](std::size_t row) { return -5'000'000'000 + static_cast<std::int64_t>(row); }));
    table.columns.push_back(withDictionary(nullableOf<std::int8_t>("name",
                                                                   [](std::size_t row) -> std::optional<std::int8_t> {
                                                                       if (row == 1)
                                                                           return {};
                                                                       return static_cast<std::int8_t>(row % 3);
                                                                   }),
                                           names));
    table.columns.push_back(nullableOf<std::uint32_t>("bytes", [](std::size_t row) -> std::optional<std::uint32_t> {
        return row == 1 ? std::nullopt : std::optional(4'000'000'000u);
    }));
    table.columns.push_back(columnOf<double>("share", [](std::size_t row) { return static_cast<double>(row) / 8; }));
    table.columns.push_back(flagsOf("warm_up", [](std::size_t row) { return row == 2; }));
    table.columns.push_back(textsOf("group", [](std::size_t row) { return std::string(row, 'g'); }));
    return table;
}

}  // namespace overlane::test
