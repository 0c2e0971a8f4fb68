#include "core/analysis/step_pattern.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>

namespace overlane
{
namespace
{

constexpr std::size_t kFewestSteps = 4;
// One kernel over and over is no step: nothing says where one would begin.
constexpr double kLeastWorkOfAStep = 2;
// As many candidates for the name that begins a step are tried.
constexpr std::size_t kMostCandidates = 24;
// Among cuts that fit nearly as well as the best, the one with the most windows: a pattern of two
// steps repeats as exactly as one of one.
constexpr double kNearlyAsGood = 0.03;
// A pattern that covers less of the device's work than this loses confidence.
constexpr double kCoveredShare = 0.5;

struct Work {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t name = 0;  // dense
    bool toDevice = false;
};

struct Word {
    std::vector<Work> work;
    std::vector<std::size_t> counts;           // per name
    std::vector<std::size_t> first;            // per name: place of its first occurrence
    std::vector<std::int64_t> gapBeforeNs;     // per name, summed
    std::vector<std::uint8_t> isCopyToDevice;  // per name
};

std::int32_t busiestDevice(const Trace& trace)
{
    std::map<std::int32_t, std::size_t> kernels;
    for (const Track& track : trace.tracks())
        if (!track.bookkeeping)
            for (std::uint32_t at = track.events.first; at < track.events.last; ++at)
                if (trace.kind(EventIndex(at)) == EventKind::Kernel)
                    ++kernels[track.device];
    const auto most = std::max_element(kernels.begin(), kernels.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == kernels.end() ? -2 : most->first;
}

Word readWord(const Trace& trace)
{
    Word word;
    const std::int32_t device = busiestDevice(trace);
    constexpr std::uint32_t kUnseen = 0xFFFFFFFF;
    std::vector<std::uint32_t> dense(trace.strings().size(), kUnseen);
    for (const Track& track : trace.tracks()) {
        if (track.device != device || track.bookkeeping)
            continue;
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            const EventIndex event(at);
            const StringId name = trace.columns().name[at];
            if (!isDeviceWork(trace.kind(event)) || !name.valid())
                continue;
            std::uint32_t& id = dense[name.index()];
            if (id == kUnseen) {
                id = static_cast<std::uint32_t>(word.counts.size());
                word.counts.push_back(0);
                word.isCopyToDevice.push_back(trace.kind(event) == EventKind::CopyH2D);
            }
            const Interval interval = trace.interval(event);
            word.work.push_back({interval.startNs, interval.endNs, id, trace.kind(event) == EventKind::CopyH2D});
        }
    }
    std::sort(word.work.begin(), word.work.end(), [](const Work& a, const Work& b) {
        return std::tie(a.startNs, a.endNs, a.name) < std::tie(b.startNs, b.endNs, b.name);
    });
    word.first.assign(word.counts.size(), word.work.size());
    word.gapBeforeNs.assign(word.counts.size(), 0);
    std::int64_t busyUntilNs = word.work.empty() ? 0 : word.work.front().startNs;
    for (std::size_t at = 0; at < word.work.size(); ++at) {
        const Work& work = word.work[at];
        if (word.counts[work.name]++ == 0)
            word.first[work.name] = at;
        word.gapBeforeNs[work.name] += std::max<std::int64_t>(0, work.startNs - busyUntilNs);
        busyUntilNs = std::max(busyUntilNs, work.endNs);
    }
    return word;
}

struct Cut {
    std::vector<std::size_t> starts;  // places in the word; the last window ends where the work does
    double confidence = 0;
};

// How alike the windows are that begin with each occurrence of a name.
Cut cutAt(const Word& word, std::uint32_t anchor)
{
    Cut cut;
    for (std::size_t at = 0; at < word.work.size(); ++at)
        if (word.work[at].name == anchor)
            cut.starts.push_back(at);
    if (cut.starts.size() < kFewestSteps)
        return {};
    // How often a name comes per window is compared with how often it comes in the median window, which
    // for a name that repeats with the windows is its count divided by theirs.
    const auto windows = static_cast<double>(cut.starts.size());
    std::vector<double> usual(word.counts.size());
    for (std::size_t name = 0; name < usual.size(); ++name)
        usual[name] = std::round(static_cast<double>(word.counts[name]) / windows);
    double usualSum = 0;
    for (const double count : usual)
        usualSum += count;
    if (usualSum < kLeastWorkOfAStep)
        return {};
    std::vector<std::uint32_t> seen(word.counts.size());
    double common = 0;
    double all = 0;
    std::vector<double> likeness;
    for (std::size_t window = 0; window < cut.starts.size(); ++window) {
        const std::size_t first = cut.starts[window];
        const std::size_t last = window + 1 < cut.starts.size() ? cut.starts[window + 1] : word.work.size();
        double shared = 0;
        for (std::size_t at = first; at < last; ++at) {
            const std::uint32_t name = word.work[at].name;
            shared += ++seen[name] <= usual[name] ? 1 : 0;
        }
        for (std::size_t at = first; at < last; ++at)
            seen[word.work[at].name] = 0;
        likeness.push_back(2 * shared / (static_cast<double>(last - first) + usualSum));
        if (window + 1 == cut.starts.size() && likeness.back() < 0.5)
            continue;  // what comes after the last step
        common += 2 * shared;
        all += static_cast<double>(last - first) + usualSum;
    }
    const double covered =
        static_cast<double>(word.work.size() - cut.starts.front()) / static_cast<double>(word.work.size());
    cut.confidence = all > 0 ? common / all * std::min(1.0, covered / kCoveredShare) : 0;
    return cut;
}

// Names that occur equally often begin the same windows, shifted. The one behind the longest pauses
// begins the step; a copy to the device does where there is one.
std::vector<std::uint32_t> candidates(const Word& word)
{
    std::map<std::size_t, std::uint32_t> byCount;
    const auto rank = [&](std::uint32_t name) {
        return std::tuple(word.isCopyToDevice[name], word.gapBeforeNs[name], word.work.size() - word.first[name]);
    };
    std::map<std::size_t, std::size_t> namesOfCount;
    for (std::uint32_t name = 0; name < word.counts.size(); ++name) {
        if (word.counts[name] < kFewestSteps)
            continue;
        ++namesOfCount[word.counts[name]];
        const auto [best, isNew] = byCount.try_emplace(word.counts[name], name);
        if (!isNew && rank(name) > rank(best->second))
            best->second = name;
    }
    std::vector<std::pair<std::size_t, std::uint32_t>> ranked;
    ranked.reserve(byCount.size());
    for (const auto& [count, name] : byCount)
        ranked.emplace_back(namesOfCount[count] * count, name);
    std::sort(ranked.rbegin(), ranked.rend());
    if (ranked.size() > kMostCandidates)
        ranked.resize(kMostCandidates);
    std::vector<std::uint32_t> names;
    names.reserve(ranked.size());
    for (const auto& [weight, name] : ranked)
        names.push_back(name);
    return names;
}

std::int64_t medianOf(std::vector<std::int64_t> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

StepPattern findStepPattern(const Trace& trace)
{
    const Word word = readWord(trace);
    std::vector<Cut> cuts;
    double best = 0;
    for (const std::uint32_t name : candidates(word)) {
        cuts.push_back(cutAt(word, name));
        best = std::max(best, cuts.back().confidence);
    }
    const Cut* chosen = nullptr;
    for (const Cut& cut : cuts)
        if (cut.confidence > 0 && cut.confidence >= best - kNearlyAsGood &&
            (!chosen || cut.starts.size() > chosen->starts.size()))
            chosen = &cut;
    StepPattern pattern;
    if (!chosen)
        return pattern;
    std::vector<std::size_t> starts = chosen->starts;
    for (std::size_t at = 0; at < starts.size(); ++at)
        // A step begins with the copies of its batch.
        while (starts[at] > (at == 0 ? 0 : starts[at - 1] + 1) && word.work[starts[at] - 1].toDevice)
            --starts[at];
    pattern.confidence = chosen->confidence;
    std::int64_t endNs = 0;
    for (const Work& work : word.work)
        endNs = std::max(endNs, work.endNs);
    for (std::size_t at = 0; at < starts.size(); ++at)
        pattern.steps.push_back(
            {word.work[starts[at]].startNs, at + 1 == starts.size() ? endNs : word.work[starts[at + 1]].startNs});
    std::vector<std::int64_t> pausesNs;
    std::int64_t busyUntilNs = 0;
    std::size_t step = 0;
    for (std::size_t at = 0; at < word.work.size() && step < starts.size(); ++at) {
        if (at == starts[step] && step++ > 0)
            pausesNs.push_back(std::max<std::int64_t>(0, word.work[at].startNs - busyUntilNs));
        busyUntilNs = std::max(busyUntilNs, word.work[at].endNs);
    }
    pattern.usualPauseNs = medianOf(std::move(pausesNs));
    // What follows the last step, an evaluation for one, is no part of it.
    if (pattern.steps.size() > 2) {
        std::vector<std::int64_t> lengths;
        for (const Interval& each : pattern.steps)
            lengths.push_back(each.lengthNs());
        const std::int64_t usualNs = medianOf(std::move(lengths));
        Interval& tail = pattern.steps.back();
        tail.endNs = std::min(tail.endNs, tail.startNs + 2 * usualNs);
    }
    return pattern;
}

}  // namespace overlane
