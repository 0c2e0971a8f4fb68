// What became of each finding from A to B: gone, new, or still there with another cost.
//
// Pure, any thread; nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/findings/finding.h"

namespace overlane
{

enum class FindingFate : std::uint8_t { Gone, New, Changed, Same };
// "gone", "new", "changed", "same"; stable, used in JSON.
std::string_view fateName(FindingFate fate);

struct FindingChange {
    FindingFate fate = FindingFate::Same;
    const Finding* a = nullptr;  // in the lists given; nullptr where it is not there
    const Finding* b = nullptr;
    // What it costs: the device idle, else the host held; per step where both sides have steps.
    std::int64_t aNs = 0;
    std::int64_t bNs = 0;

    const Finding& shown() const { return b ? *b : *a; }
};

// A cost that changes by less than this share of the larger one is the same.
constexpr double kSameCostShare = 0.10;

// Those that changed most first, then those that are the same. The lists must outlive the answer.
std::vector<FindingChange> findingChanges(const FindingList& a, const FindingList& b);

}  // namespace overlane
