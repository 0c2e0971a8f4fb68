#include "core/engine/host_model.h"

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
    if (m_crowded || m_unsettled || crowded()) {
        m_unsettled = true;
        return;
    }
    entry.rate = 1;
    if (!entry.endless)
        m_queue.push({nowNs + entry.job.lengthNs, 0, {}, id, entry.generation, TimedEvent::Of::Host});
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
    m_unsettled |= m_crowded;
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

bool HostModel::crowded() const
{
    return std::any_of(m_nodes.begin(), m_nodes.end(), [this](const Node& node) {
        return static_cast<double>(node.jobs) > m_coresPerNode || node.wanted > m_bytesPerSecond;
    });
}

// Each node's share of a core, and the level to which its memory serves.
void HostModel::shareOut()
{
    for (Node& node : m_nodes)
        node.share = std::min(1.0, m_coresPerNode / static_cast<double>(std::max<std::int64_t>(1, node.jobs)));
    for (std::size_t at = 0; at < m_nodes.size(); ++at) {
        Node& node = m_nodes[at];
        node.level = std::numeric_limits<double>::infinity();
        if (node.wanted <= m_bytesPerSecond)
            continue;
        m_wants.clear();
        double sum = 0;
        for (const JobId id : m_running) {
            const HostJob& job = m_entries[id].job;
            double want = 0;
            for (const HostJob::Traffic& traffic : job.traffic)
                want += traffic.node == at ? m_nodes[job.node].share * traffic.bytesPerSecond : 0;
            if (want > 0)
                m_wants.push_back(want);
            sum += want;
        }
        if (sum <= m_bytesPerSecond)
            continue;
        std::sort(m_wants.begin(), m_wants.end());
        double left = m_bytesPerSecond;
        for (std::size_t served = 0; served < m_wants.size(); ++served) {
            node.level = left / static_cast<double>(m_wants.size() - served);
            if (m_wants[served] >= node.level)
                break;
            left -= m_wants[served];
        }
    }
}

double HostModel::rateOf(const HostJob& job) const
{
    double rate = m_nodes[job.node].share;
    for (std::size_t at = 0; at < job.traffic.size(); ++at) {
        double bytesPerSecond = job.traffic[at].bytesPerSecond;
        if (job.traffic[0].node == job.traffic[1].node)
            bytesPerSecond = job.traffic[0].bytesPerSecond + job.traffic[1].bytesPerSecond;
        if (bytesPerSecond > 0)
            rate = std::min(rate, m_nodes[job.traffic[at].node].level / bytesPerSecond);
    }
    return rate;
}

void HostModel::settle(std::int64_t nowNs)
{
    m_unsettled = false;
    m_crowded = crowded();
    shareOut();
    for (const JobId id : m_running) {
        Entry& entry = m_entries[id];
        const double rate = rateOf(entry.job);
        if (rate == entry.rate)
            continue;
        entry.remainingNs = std::max(0.0, entry.remainingNs - static_cast<double>(nowNs - entry.sinceNs) * entry.rate);
        entry.sinceNs = nowNs;
        entry.rate = rate;
        ++entry.generation;
        if (!entry.endless)
            m_queue.push(
                {nowNs + std::llround(entry.remainingNs / rate), 0, {}, id, entry.generation, TimedEvent::Of::Host});
    }
}

}  // namespace overlane
