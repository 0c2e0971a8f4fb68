#include "core/recorder/native_spool.h"

#include <algorithm>

#include "core/base/text_file.h"
#include "core/spool/record_status.h"
#include "core/spool/spool_clock.h"
#include "core/spool/this_process.h"
#include "core/trace/track.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostKnownNodes = 200'000;
constexpr std::uint32_t kMostNodes = 3'000'000;  // fewer than a reader takes
constexpr std::size_t kLongestThreadName = 64;

}  // namespace

bool NativeSpool::open(const std::string& directory, pid_t process, std::int64_t nowNs)
{
    m_process = process;
    if (!m_writer.open(directory, static_cast<std::uint32_t>(process), nowNs))
        return false;
    // Names nothing of the process: that is for its own spool.
    spool::ProcessStart start = thisProcess(nowNs);
    start.pid = static_cast<std::uint32_t>(process);
    start.parentPid = 0;
    start.producer = spool::Producer::Recorder;
    m_writer.add(start);
    return true;
}

std::uint32_t NativeSpool::node(std::uint32_t caller, std::string_view name, EventKind kind)
{
    const std::uint32_t text = m_writer.intern(name);
    if (text == spool::kNone || m_nextNode >= kMostNodes)
        return spool::kNone;
    if (m_nodes.size() >= kMostKnownNodes)
        m_nodes.clear();
    const auto [known, isNew] = m_nodes.try_emplace(std::uint64_t{caller} << 32 | text, m_nextNode);
    if (isNew)
        m_writer.add(spool::StackNode{m_nextNode++, caller, text, static_cast<std::uint32_t>(kind)});
    return known->second;
}

void NativeSpool::beginLane(std::uint32_t thread)
{
    spool::Lane lane;
    lane.id = thread;
    lane.name = m_writer.intern("stacks");
    lane.kind = static_cast<std::uint32_t>(TrackKind::Stacks);
    lane.thread = thread;
    m_writer.add(lane);
    std::string name = textOfFile("/proc/" + std::to_string(m_process) + "/task/" + std::to_string(thread) + "/comm",
                                  kLongestThreadName);
    while (name.ends_with('\n'))
        name.pop_back();
    if (!name.empty())
        m_writer.add(spool::ThreadName{thread, m_writer.intern(name)});
}

void NativeSpool::sample(std::uint32_t thread, std::uint32_t node, std::int64_t startNs, std::int64_t endNs)
{
    if (node == spool::kNone)
        return;
    if (m_lanes.insert(thread).second)
        beginLane(thread);
    // A caller's event ends with the last look that has it: it has to be longer than the one of the look before.
    m_writer.add(spool::StackSample{startNs, std::max(endNs, startNs + 1), thread, node});
}

void NativeSpool::end()
{
    spool::Status status;
    status.timeNs = monotonicNs();
    status.code = static_cast<std::uint32_t>(RecordStatus::Ended);
    m_writer.add(status);
}

std::uint64_t NativeSpool::flush()
{
    const std::uint64_t before = m_writer.writtenBytes();
    m_writer.flush();
    return m_writer.writtenBytes() - before;
}

}  // namespace overlane
