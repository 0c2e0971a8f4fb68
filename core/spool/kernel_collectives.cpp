#include "core/spool/kernel_collectives.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/contains.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostThreads = 4096;
constexpr std::size_t kMostCalls = 1u << 15;  // of a thread
constexpr std::uint64_t kMostMessageBytes = std::uint64_t{1} << 50;
constexpr std::int32_t kMostCounted = 1 << 12;  // ranks by which bytes are multiplied without a thought of overflow

}  // namespace

std::int64_t collectiveBytes(CollectiveKind kind, std::uint64_t messageBytes, std::int32_t ranks)
{
    if (messageBytes > kMostMessageBytes)
        return 0;
    const auto bytes = static_cast<std::int64_t>(messageBytes);
    switch (kind) {
        case CollectiveKind::AllReduce:
        case CollectiveKind::Broadcast:
        case CollectiveKind::Reduce:
        case CollectiveKind::SendReceive:
            return bytes;
        case CollectiveKind::AllGather:
        case CollectiveKind::ReduceScatter:
        case CollectiveKind::AllToAll:
        case CollectiveKind::Gather:
        case CollectiveKind::Scatter:
            return ranks > 0 && ranks <= kMostCounted ? bytes * ranks : 0;
        default:
            return 0;
    }
}

bool KernelCollectives::isAsked(std::string_view kernel)
{
    return contains(kernel, "nccl");
}

void KernelCollectives::add(const spool::Collective& call)
{
    if (call.endNs < call.startNs || (m_calls.size() >= kMostThreads && !m_calls.contains(call.thread)))
        return;
    std::deque<Call>& calls = m_calls[call.thread];
    if (!calls.empty() && calls.back().told.startNs > call.startNs)
        return;  // a thread tells in the order of its calls
    calls.push_back({call});
    ++m_kept;
    if (calls.size() > kMostCalls)
        calls.pop_front();
}

KernelCollectives::Answer KernelCollectives::find(std::uint32_t thread, std::int64_t launchNs,
                                                  const std::function<StringId(std::string_view)>& intern,
                                                  CollectiveInfo& info)
{
    const auto found = m_calls.find(thread);
    if (found == m_calls.end())
        return Answer::Later;
    std::deque<Call>& calls = found->second;
    const auto after =
        std::upper_bound(calls.begin(), calls.end(), launchNs,
                         [](std::int64_t timeNs, const Call& call) { return timeNs < call.told.startNs; });
    if (after == calls.begin() || (after - 1)->told.endNs < launchNs)
        return after == calls.end() ? Answer::Later : Answer::None;
    Call& call = *(after - 1);
    const spool::Collective& told = call.told;
    info = CollectiveInfo();
    if (told.kind < static_cast<std::uint32_t>(kCollectiveKindCount))
        info.kind = static_cast<CollectiveKind>(told.kind);
    if (told.communicator != 0)
        info.group = intern(fmt::format("NCCL {:016x}", told.communicator));
    if (told.ranks > 0 && told.ranks <= kMostRanks)
        info.groupSize = told.ranks;
    if (!call.isTaken) {
        info.bytes = collectiveBytes(info.kind, told.bytes, info.groupSize);
        info.sequence = std::max<std::int64_t>(told.sequence, -1);
    }
    call.isTaken = true;
    return Answer::Found;
}

}  // namespace overlane
