// TrialAnswer: what a trial came to. The command line prints it; the window reads it from `overlane try --json`.
//
// Plain data; pure functions, any thread. Nanoseconds, shares of the time as it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/content/block.h"

namespace overlane
{

struct TrialAnswer {
    struct Predicted {
        std::int64_t batchNs = 0;
        std::int64_t lowNs = 0;
        std::int64_t highNs = 0;
    };
    struct Row {
        std::string change;  // "as it is", "num_workers=8, pin_memory=True"
        std::string why;     // it was tried
        std::string failure;
        std::vector<std::int64_t> runsNs;  // a batch of each run
        std::int64_t batchNs = 0;          // their mean; 0 without runs
        double gain = 0;                   // share of the time that goes away
        std::string direction;             // "faster", "slower", why neither; empty: nothing is said
        std::string claim;                 // the same with figures: "-41.2 % ± 1.3, faster"
        std::optional<Predicted> predicted;
    };
    struct Line {
        std::string file;
        std::int64_t line = 0;  // 0: unknown
        std::string code;
        std::string text;  // what to do there

        std::string place() const;  // "train.py:31", "(line unknown)"
    };

    std::string sentence;
    std::string loader;     // "the loader of train.py:31 (num_workers=0, pin_memory=False)"
    std::vector<Row> rows;  // the first is the program as it is
    std::optional<std::size_t> answer;
    std::vector<Line> lines;
    std::vector<std::string> remarks;
    std::int64_t runs = 0;
    std::int64_t batches = 0;  // of each run
    double seconds = 0;        // of it all
    bool cancelled = false;
    bool budgetSpent = false;
};

// The Error says what is missing.
Result<TrialAnswer> parseTrialAnswer(std::string_view json);
// "Tried the loader of ...: 16 runs of 92 batches in 164 s."
std::string aboutTrial(const TrialAnswer& answer);
// Columns setting, runs, batch_ns, change and predicted_ns, of what ran or failed; on hover why, every run, and what
// went wrong.
Table trialTable(const TrialAnswer& answer);
// "With num_workers=16: ...", with what the program printed last on lines of its own.
std::vector<std::string> failuresOf(const TrialAnswer& answer);
// The lines to change with what to do at each, as text to keep.
std::string changeText(const TrialAnswer& answer);

}  // namespace overlane
