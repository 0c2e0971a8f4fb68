#include "core/simulation/host_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace overlane
{

HostModel::HostModel(std::size_t nodes, double coresPerNode, double bytesPerSecondPerNode, EventQueue& queue)
    : m_coresPerNode(coresPerNode), m_bytesPerSecond(bytesPerSecondPerNode), m_queue(queue), m_nodes(nodes)
{
    assert(nodes > 0 && coresPerNode > 0 && bytesPerSecondPerNode > 0);
}

HostModel::JobId HostModel::add(const HostJob& job)
{
    assert(job.node < m_nodes.size() && job.traffic[0].node < m_nodes.size() && job.traffic[1].node < m_nodes.size());
    if (m_free.empty()) {
        m_entries.emplace_back();
        m_free.push_back(static_cast<JobId>(m_entries.size() - 1));
    }
    const JobId id = m_free.back();
    m_free.pop_back();
    Entry entry;
    entry.job = job;
    entry.remainingNs = static_cast<double>(job.lengthNs);
    entry.generation = m_entries[id].generation + 1;
    m_entries[id] = entry;
    return id;
}

void HostModel::run(std::int64_t nowNs, std::int64_t startNs, const HostJob& job)
{
    const JobId id = add(job);
    if (startNs > nowNs)
        m_queue.push({startNs, 0, {}, id, m_entries[id].generation, TimedEvent::Of::Host});
    else
        begin(nowNs, id);
}

HostModel::JobId HostModel::occupy(std::int64_t nowNs, const HostJob& job)
{
    const JobId id = add(job);
    m_entries[id].endless = true;
    begin(nowNs, id);
    if (m_unsettled)
        settle(nowNs);
    return id;
}

void HostModel::begin(std::int64_t nowNs, JobId id)
{
    Entry& entry = m_entries[id];
    entry.running = true;
    entry.sinceNs = nowNs;
    m_running.push_back(id);
    ++m_nodes[entry.job.node].jobs;
    for (const HostJob::Traffic& traffic : entry.job.traffic)
        m_nodes[traffic.node].wanted += traffic.bytesPerSecond;
    if (m_wasCrowded || crowded()) {
        m_unsettled = true;
        return;
    }
    entry.rate = 1;
    entry.endNs = nowNs + entry.job.lengthNs;
    schedule(id);
}

void HostModel::schedule(JobId id)
{
    Entry& entry = m_entries[id];
    if (entry.scheduled || entry.endless)
        return;
    entry.scheduled = true;
    m_queue.push({entry.endNs, 0, {}, id, entry.generation, TimedEvent::Of::Host});
}

void HostModel::remove(JobId id)
{
    Entry& entry = m_entries[id];
    assert(entry.running);
    ++entry.generation;
    entry.running = false;
    m_free.push_back(id);
    std::erase(m_running, id);
    --m_nodes[entry.job.node].jobs;
    for (const HostJob::Traffic& traffic : entry.job.traffic)
        m_nodes[traffic.node].wanted -= traffic.bytesPerSecond;
    if (m_running.empty())
        for (Node& node : m_nodes)
            node.wanted = 0;  // no rounding is carried on
    m_unsettled |= m_wasCrowded;
}

std::optional<HostJob> HostModel::onTime(const TimedEvent& event)
{
    Entry& entry = m_entries[event.index];
    if (entry.generation != event.generation)
        return std::nullopt;  // its rate changed since
    if (!entry.running) {
        begin(event.timeNs, event.index);
        return std::nullopt;
    }
    const HostJob job = entry.job;
    remove(event.index);
    return job;
}

// Whether anybody would notice the others.
bool HostModel::crowded() const
{
    constexpr double kNoticeable = 0.15;
    return std::any_of(m_nodes.begin(), m_nodes.end(), [this](const Node& node) {
        return static_cast<double>(node.jobs) > m_coresPerNode || node.wanted > kNoticeable * m_bytesPerSecond;
    });
}

void HostModel::shareOut()
{
    for (Node& node : m_nodes)
        node.share = std::min(1.0, m_coresPerNode / static_cast<double>(std::max<std::int64_t>(1, node.jobs)));
}

double HostModel::rateOf(const HostJob& job) const
{
    const double share = m_nodes[job.node].share;
    const HostJob::Traffic& first = job.traffic[0];
    const HostJob::Traffic& second = job.traffic[1];
    const double total = first.bytesPerSecond + second.bytesPerSecond;
    if (total <= 0)
        return share;
    if (first.node == second.node || second.bytesPerSecond <= 0)
        return share / std::max(1 + job.memoryShare * slowdown(first.node, total), share * total / m_bytesPerSecond);
    double slower = 1;
    for (const HostJob::Traffic& traffic : job.traffic)
        slower += job.memoryShare * traffic.bytesPerSecond / total * slowdown(traffic.node, traffic.bytesPerSecond);
    // Nobody moves more than there is.
    const double most = std::max(first.bytesPerSecond, second.bytesPerSecond);
    return share / std::max(slower, share * most / m_bytesPerSecond);
}

// By how much the others lengthen an access to a node's memory: f(u) - 1.
double HostModel::slowdown(std::uint32_t node, double ownBytesPerSecond) const
{
    const double others = std::max(0.0, m_nodes[node].wanted - ownBytesPerSecond);
    const double use = m_nodes[node].share * others / m_bytesPerSecond;
    return std::sqrt(1 + use * use) - 1;
}

void HostModel::settle(std::int64_t nowNs)
{
    m_unsettled = false;
    m_wasCrowded = true;
    shareOut();
    std::int64_t earliestNs = std::numeric_limits<std::int64_t>::max();
    std::optional<JobId> earliest;
    for (const JobId id : m_running) {
        Entry& entry = m_entries[id];
        const double rate = rateOf(entry.job);
        if (rate != entry.rate) {
            entry.remainingNs =
                std::max(0.0, entry.remainingNs - static_cast<double>(nowNs - entry.sinceNs) * entry.rate);
            entry.sinceNs = nowNs;
            entry.rate = rate;
            entry.endNs = nowNs + std::llround(entry.remainingNs / rate);
            ++entry.generation;
            entry.scheduled = false;
        }
        if (!entry.endless && entry.endNs < earliestNs) {
            earliestNs = entry.endNs;
            earliest = id;
        }
    }
    if (earliest)
        schedule(*earliest);
}

}  // namespace overlane
