// Sampled stacks of a spool, on tracks of their own beside the thread or the loader's actor that they are of.
#include <algorithm>

#include "core/spool/spool_merger.h"

namespace overlane
{
namespace
{

constexpr std::int32_t kMostWorkers = 100'000;

}  // namespace

void SpoolMerger::add(const spool::StackNode& node)
{
    m_stackNodes.add(node);
}

StackLane::Emit SpoolMerger::framesOn(TrackId track)
{
    return [this, track](std::uint32_t node, std::int64_t startNs, std::int64_t endNs) {
        const spool::StackNode& frame = m_stackNodes[node];
        Event event;
        event.track = track;
        event.kind = frame.kind == static_cast<std::uint32_t>(EventKind::LibraryFrame) ? EventKind::LibraryFrame
                                                                                       : EventKind::ProgramFrame;
        event.name = name(frame.name);
        emit(event, startNs, endNs);
    };
}

void SpoolMerger::add(const spool::StackSample& sample)
{
    const auto lane = m_lanes.find(sample.lane);
    if (lane == m_lanes.end() || lane->second.kind != static_cast<std::uint32_t>(TrackKind::Stacks) ||
        !m_stackNodes.contains(sample.node) || sample.startNs <= 0 || sample.endNs > kLatestNs)
        return skip("unreadable_stack", "samples of stacks that are not described", Severity::Warning);
    Stacks& stacks = m_stacks[sample.lane];
    if (!stacks.track.valid())
        stacks.track = lane->second.thread != 0
                           ? m_shared.tracks.stacks(m_start.pid, lane->second.thread)
                           : m_shared.tracks.workerStacks(m_start.pid, m_reader.text(lane->second.name),
                                                          std::clamp(lane->second.sortOrder, 0, kMostWorkers));
    stacks.lane.add(m_stackNodes, sample, framesOn(stacks.track));
}

void SpoolMerger::endStacks()
{
    for (auto& [lane, stacks] : m_stacks)
        stacks.lane.end(framesOn(stacks.track));
}

}  // namespace overlane
