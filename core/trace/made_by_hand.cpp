#include "core/trace/made_by_hand.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <vector>

namespace overlane
{
namespace
{

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

bool contains(const std::vector<std::string_view>& lines, std::string_view line)
{
    return std::find(lines.begin(), lines.end(), line) != lines.end();
}

// `mine`, then what `theirs` has in neither of the others.
std::string mergeNotes(std::string_view before, std::string_view mine, std::string_view theirs)
{
    if (mine == before || mine == theirs)
        return std::string(theirs);
    const std::vector<std::string_view> known = linesOf(before);
    const std::vector<std::string_view> own = linesOf(mine);
    std::string merged(mine);
    for (const std::string_view line : linesOf(theirs)) {
        if (contains(known, line) || contains(own, line))
            continue;
        if (!merged.empty() && merged.back() != '\n')
            merged += '\n';
        merged += line;
    }
    return merged;
}

using Names = std::map<std::int64_t, std::string>;  // of bookmarks by their nanoseconds

Names bookmarksOf(std::string_view text)
{
    Names names;
    for (const std::string_view line : linesOf(text)) {
        const std::size_t tab = std::min(line.find('\t'), line.size());
        std::int64_t timeNs = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + tab, timeNs);
        if (error == std::errc() && end == line.data() + tab)
            names.emplace(timeNs, line.substr(std::min(tab + 1, line.size())));
    }
    return names;
}

std::string mergeBookmarks(std::string_view beforeText, std::string_view mineText, std::string_view theirsText)
{
    if (mineText == beforeText || mineText == theirsText)
        return std::string(theirsText);
    const Names before = bookmarksOf(beforeText);
    Names merged = bookmarksOf(mineText);
    for (const auto& [timeNs, name] : bookmarksOf(theirsText)) {
        const auto old = before.find(timeNs);
        if (old != before.end() && old->second == name)
            continue;  // theirs is as it was: mine decides, also by having removed it
        const auto [own, isNew] = merged.emplace(timeNs, name);
        if (!isNew && own->second != name)
            own->second = old != before.end() && own->second == old->second ? name : own->second + " / " + name;
    }
    std::string text;
    for (const auto& [timeNs, name] : merged)
        text += std::to_string(timeNs) + '\t' + name + '\n';
    return text;
}

}  // namespace

MadeByHand mergeMadeByHand(const MadeByHand& before, const MadeByHand& mine, const MadeByHand& theirs)
{
    return {mergeNotes(before.notes, mine.notes, theirs.notes),
            mergeBookmarks(before.bookmarks, mine.bookmarks, theirs.bookmarks), mine.folding};
}

}  // namespace overlane
