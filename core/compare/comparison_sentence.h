// What a comparison says in a sentence, and how its parts are worded in tables.
//
// Pure functions, any thread.
#pragma once

#include <string>

#include "core/compare/comparison.h"

namespace overlane
{

// "B's step takes 5.70 ms instead of 14.3 ms (2.5 x faster, 20 and 22 steps, p < 0.001): 7.90 ms less
// exposed copy." Where nothing may be claimed it says so, and why.
std::string comparisonSentence(const Comparison& comparison);

// "p < 0.001", "p = 0.03".
std::string pText(double p);
// "clearly lower", "within the spread", "too few steps".
std::string claimText(Claim claim);
// "-7.90 ms", "+1.20 ms", "0 ns".
std::string deltaText(std::int64_t deltaNs);
// "pageable", or "pageable to pinned" where it changed.
std::string memoryText(const WorkChange& copies);
// "48.0 MiB", "1.00 to 1.50 MiB"; empty where unknown.
std::string sizeText(const WorkChange& copies);

}  // namespace overlane
