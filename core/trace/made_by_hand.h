// What a person made of a trace beside the notes: among its properties, so that whatever copies a trace
// keeps it, and not worth showing as one.
//
// Bookmarks: a line each, nanoseconds, a tab, the name. Folding: the tracks that were opened and closed,
// as the window writes them. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace overlane
{

inline constexpr const char* kBookmarksProperty = "bookmarks";
inline constexpr const char* kFoldingProperty = "folded tracks";

inline bool isMadeByHand(std::string_view property)
{
    return property == kBookmarksProperty || property == kFoldingProperty;
}

struct MadeByHand {
    std::string notes;
    std::string bookmarks;
    std::string folding;
    friend bool operator==(const MadeByHand&, const MadeByHand&) = default;
};

// What two people made of the same trace, beginning with `before`: every line of notes that one of them
// wrote and every bookmark that one of them set is there. The folding is that of `mine`.
MadeByHand mergeMadeByHand(const MadeByHand& before, const MadeByHand& mine, const MadeByHand& theirs);

}  // namespace overlane
