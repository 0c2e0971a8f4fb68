// A text as JSON writes it, quoted: any bytes become valid JSON. Pure function, any thread.
#pragma once

#include <string>
#include <string_view>

namespace overlane
{

// Appends `text` in quotes. Quotes, backslashes and control characters are escaped; a byte that is no UTF-8 becomes
// U+FFFD.
void appendJsonText(std::string& out, std::string_view text);

}  // namespace overlane
