// Text for HTML, SVG and XML: names in a trace come from strangers and may hold anything.
//
// Pure functions, any thread. Texts are UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace overlane
{

// The text with & < > " ' as entities, ready for content and for quoted attributes. Bytes that are no
// UTF-8 and characters that XML 1.0 does not allow, or that steer what shows the text, become U+FFFD.
std::string markupText(std::string_view text);

// At most `characters` of a name, elided in the middle: both ends tell kernels apart.
std::string shortened(std::string_view name, std::size_t characters);

// A coordinate with at most one decimal: "12", "12.3".
std::string pixels(double px);

}  // namespace overlane
