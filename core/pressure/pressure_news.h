// PressureNews: what `overlane pressure --progress-json` tells on its way, a JSON object per line on standard error.
// Lines of any other form are what it says to people.
//
// Plain data; pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace overlane
{

struct PressureNews {
    double fraction = 0;  // of its steps
    std::string words;    // "step 2 of 7, 74.0 MiB pinned: batch 3.1 ms, ..."
};

std::string lineOf(const PressureNews& news);
std::optional<PressureNews> parsePressureNews(std::string_view line);

}  // namespace overlane
