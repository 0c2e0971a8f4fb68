// A field of a table of comma-separated values (RFC 4180). Pure function, any thread.
#pragma once

#include <string>
#include <string_view>

namespace overlane
{

// Appends a text, quoted where it must be. Names come from strangers and a spreadsheet runs what begins like a formula,
// so such a text gets an apostrophe before it. Not for numbers.
void appendCsvText(std::string& out, std::string_view text);

}  // namespace overlane
