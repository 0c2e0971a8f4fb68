// What is said of things that have no table of their own: the actors of a loader, gauges, kinds of events.
//
// One visible list, constant; any thread.
#pragma once

#include <span>
#include <string_view>

namespace overlane
{

struct SaidExplanation {
    std::string_view key;  // "lane:worker"; stable
    std::string_view sentence;
    std::string_view lesson;  // key of the lesson that shows it (resources/lessons)
};

std::span<const SaidExplanation> saidOutright();

}  // namespace overlane
