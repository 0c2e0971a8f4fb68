#include "core/base/csv_text.h"

namespace overlane
{

void appendCsvText(std::string& out, std::string_view text)
{
    const bool isFormula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
    const bool isQuoted = text.find_first_of(",\"\r\n") != std::string_view::npos;
    if (isQuoted)
        out += '"';
    if (isFormula)
        out += '\'';
    for (const char character : text) {
        if (character == '"')
            out += '"';
        out += character;
    }
    if (isQuoted)
        out += '"';
}

}  // namespace overlane
