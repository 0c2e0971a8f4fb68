// What is said of things that say nothing of themselves: lanes, gauges, kinds of events, idle causes;
// and the keys of the lessons that show them.
//
// One visible list, constant; any thread.
#pragma once

#include <span>
#include <string_view>

namespace overlane
{

namespace lesson
{
constexpr std::string_view kTwoCopies = "two_copies";
constexpr std::string_view kWhyPinned = "why_pinned";
constexpr std::string_view kSideStream = "side_stream";
constexpr std::string_view kPinningCosts = "what_pinning_costs";
constexpr std::string_view kPool = "pool_and_rounding";
constexpr std::string_view kPinThenCopy = "pin_then_copy";
constexpr std::string_view kThreeStages = "three_stages";
constexpr std::string_view kPrefetch = "prefetch_depth";
constexpr std::string_view kWorkers = "workers_and_prefetch";
constexpr std::string_view kComputeBound = "compute_bound";
constexpr std::string_view kPressure = "memory_pressure";
constexpr std::string_view kNuma = "numa";
constexpr std::string_view kRunAhead = "run_ahead";
constexpr std::string_view kReadBack = "reading_too_early";
constexpr std::string_view kDuplex = "both_directions";
constexpr std::string_view kSmall = "small_tensors";
}  // namespace lesson

struct SaidExplanation {
    std::string_view key;  // "lane:h2d"; stable
    std::string_view sentence;
    std::string_view lesson;
};

std::span<const SaidExplanation> saidOutright();

}  // namespace overlane
