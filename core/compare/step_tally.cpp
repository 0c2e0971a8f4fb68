#include "core/compare/step_tally.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace overlane
{
namespace
{

// Finds the step of ascending times fast; times may go back, too.
class StepFinder
{
public:
    explicit StepFinder(const AlignedSide& side) : m_side(&side) {}

    // kOutside for a time outside the range; 0 where the side has no steps.
    static constexpr std::uint32_t kOutside = 0xFFFFFFFFu;
    std::uint32_t stepAt(std::int64_t timeNs)
    {
        if (!m_side->range.contains(timeNs))
            return kOutside;
        const std::vector<Interval>& steps = m_side->steps;
        if (steps.empty())
            return 0;
        if (timeNs < steps[m_last].startNs || (m_last + 1 < steps.size() && timeNs >= steps[m_last + 1].startNs)) {
            const auto after = std::upper_bound(steps.begin(), steps.end(), timeNs,
                                                [](std::int64_t time, Interval step) { return time < step.startNs; });
            m_last = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, after - steps.begin())) - 1;
        }
        return static_cast<std::uint32_t>(m_last);
    }

private:
    const AlignedSide* m_side;
    std::size_t m_last = 0;
};

void addTo(WorkGroup& group, std::uint32_t step, std::int64_t durationNs)
{
    ++group.count;
    group.totalNs += durationNs;
    group.durationsNs.push_back(static_cast<double>(durationNs));
    if (!group.steps.empty() && group.steps.back().first == step)
        group.steps.back().second += durationNs;
    else
        group.steps.emplace_back(step, durationNs);
}

// Rows of a track start over in time: one entry per step, ascending.
void settle(WorkGroup& group)
{
    std::stable_sort(group.steps.begin(), group.steps.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < group.steps.size(); ++i) {
        if (group.steps[i].first == group.steps[kept].first)
            group.steps[kept].second += group.steps[i].second;
        else
            group.steps[++kept] = group.steps[i];
    }
    if (!group.steps.empty())
        group.steps.resize(kept + 1);
}

}  // namespace

std::vector<double> WorkGroup::perStep(std::size_t stepCount) const
{
    std::vector<double> values(stepCount, 0);
    for (const auto& [step, timeNs] : steps)
        if (step < stepCount)
            values[step] = static_cast<double>(timeNs);
    return values;
}

KernelTally::KernelTally(const Trace& trace) : m_trace(&trace)
{
    for (const Track& track : trace.tracks())
        m_tracks[track.device].push_back(&track);
}

std::map<std::string, WorkGroup> KernelTally::groups(std::int32_t device, const AlignedSide& side) const
{
    const auto found = m_tracks.find(device);
    if (found == m_tracks.end())
        return {};
    StepFinder finder(side);
    std::unordered_map<StringId, WorkGroup> byId;
    const EventColumns& columns = m_trace->columns();
    for (const Track* track : found->second) {
        for (std::uint32_t i = track->events.first; i < track->events.last; ++i) {
            if (columns.kind[i] != EventKind::Kernel)
                continue;
            const std::uint32_t step = finder.stepAt(columns.startNs[i]);
            if (step != StepFinder::kOutside)
                addTo(byId[columns.name[i]], step, columns.durationNs[i]);
        }
    }
    std::map<std::string, WorkGroup> groups;
    for (auto& [id, group] : byId) {
        settle(group);
        groups.emplace(m_trace->strings().view(id), std::move(group));
    }
    return groups;
}

std::map<CopyKey, WorkGroup> copyGroups(const DeviceActivity& device, const AlignedSide& side)
{
    std::map<CopyKey, WorkGroup> groups;
    const auto addAll = [&](const std::vector<CopyRecord>& copies, EventKind direction) {
        StepFinder finder(side);
        for (const CopyRecord& copy : copies) {
            const std::uint32_t step = finder.stepAt(copy.startNs);
            if (step == StepFinder::kOutside)
                continue;
            const int sizeClass = copy.bytes > 0 ? std::bit_width(static_cast<std::uint64_t>(copy.bytes)) - 1 : -1;
            WorkGroup& group = groups[{direction, copy.hostMemory, static_cast<int>(sizeClass)}];
            group.leastBytes = group.count == 0 ? copy.bytes : std::min(group.leastBytes, copy.bytes);
            group.mostBytes = std::max(group.mostBytes, copy.bytes);
            group.bytes += copy.bytes;
            group.hiddenNs += copy.hiddenNs;
            addTo(group, step, copy.durationNs);
        }
    };
    addAll(device.h2dCopies, EventKind::CopyH2D);
    addAll(device.d2hCopies, EventKind::CopyD2H);
    for (auto& [key, group] : groups)
        settle(group);
    return groups;
}

}  // namespace overlane
