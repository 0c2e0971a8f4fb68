// What a person made of a trace beside the notes: among its properties, so that whatever copies a trace
// keeps it, and not worth showing as one.
//
// Bookmarks: a line each, nanoseconds, a tab, the name. Folding: the tracks that were opened and closed,
// as the window writes them.
#pragma once

#include <string_view>

namespace overlane
{

inline constexpr const char* kBookmarksProperty = "bookmarks";
inline constexpr const char* kFoldingProperty = "folded tracks";

inline bool isMadeByHand(std::string_view property)
{
    return property == kBookmarksProperty || property == kFoldingProperty;
}

}  // namespace overlane
