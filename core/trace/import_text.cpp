#include "core/trace/import_text.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/base/units.h"

namespace overlane
{
namespace
{

// How explanations begin and go on, of more and of one.
using Words = std::pair<std::string_view, std::string_view>;
constexpr Words kBeginnings[] = {
    {"copies ", "copy "},   {"elements ", "element "}, {"events or samples ", "event or sample "},
    {"events ", "event "},  {"names ", "name "},       {"notes ", "note "},
    {"ranges ", "range "},  {"records ", "record "},   {"rows ", "row "},
    {"samples ", "sample "}};
constexpr Words kVerbs[] = {{" that are no events", " that is no event"},
                            {" that are ", " that is "},
                            {" that end before they start", " that ends before it starts"},
                            {" that start ", " that starts "},
                            {" that never end", " that never ends"},
                            {" because their ", " because its "},
                            {" without their ", " without its "}};

std::string ofOne(std::string text)
{
    const auto* begins = std::ranges::find_if(kBeginnings, [&](Words words) { return text.starts_with(words.first); });
    if (begins == std::end(kBeginnings))
        return text;
    text.replace(0, begins->first.size(), begins->second);
    for (const auto& [more, one] : kVerbs)
        if (const std::size_t at = text.find(more); at != std::string::npos)
            text.replace(at, more.size(), one);
    return text;
}

}  // namespace

bool isRecordingNote(const ImportStat& stat)
{
    return std::string_view(stat.reason).starts_with(kRecordingNotePrefix);
}

bool isLoss(const ImportStat& stat)
{
    return stat.severity != Severity::Info && stat.reason != kNoLoaderNote;
}

std::string countedText(const ImportStat& stat)
{
    // A note is a sentence of its own, a remark on the whole file counts nothing.
    if (stat.count > 1 || (stat.count == 1 && !isRecordingNote(stat)))
        return formatCount(stat.count) + " " + (stat.count == 1 ? ofOne(stat.explanation) : stat.explanation);
    std::string text = stat.count == 1 ? ofOne(stat.explanation) : stat.explanation;
    if (!text.empty())
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

}  // namespace overlane
