// TrialNews: what `overlane try --progress-json` tells on its way, a JSON object per line on standard error. Lines of
// any other form are what it says to people.
//
// Plain data; pure functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace overlane
{

struct TrialNews {
    struct Run {
        std::int64_t number = 0;   // from 1
        std::string setting;       // "as it is", "num_workers=8, pin_memory=True"
        std::int64_t batchNs = 0;  // 0 where it failed
    };
    std::optional<Run> run;  // that has ended
    std::string words;       // what goes on; of a run what came of it: "43.2 ms a batch", "failed"
};

std::string lineOf(const TrialNews& news);
std::optional<TrialNews> parseTrialNews(std::string_view line);

}  // namespace overlane
