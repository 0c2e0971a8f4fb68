// Text from strangers for people: names in traces, names of files, messages about them.
//
// What would steer a terminal, forge a line or turn the direction of writing is shown as an escape
// instead: control characters (C0, DEL, C1) and the marks for lines and directions as \n, \t or
// \u001b, as JSON writes them; bytes that are no UTF-8 as \xff. Pure functions, any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace overlane
{

// Lines: a text of one line, or one whose line ends and tabs are its author's own.
enum class TextLines { One, Several };

bool isPrintable(std::string_view text, TextLines lines = TextLines::One);
std::string printableText(std::string_view text, TextLines lines = TextLines::One);

// Bytes of the character at the start of `text`; 0 where it is not well-formed UTF-8 (Unicode 15,
// table 3-7).
std::size_t utf8CharacterBytes(std::string_view text);

}  // namespace overlane
