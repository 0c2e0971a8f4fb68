#include "core/engine/host_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

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

bool HostModel::crowded() const
{
    return std::any_of(m_nodes.begin(), m_nodes.end(), [this](const Node& node) {
        return static_cast<double>(node.jobs) > m_coresPerNode || node.wanted > m_bytesPerSecond;
    });
}

void HostModel::shareOut()
{
    for (Node& node : m_nodes)
        node.share = std::min(1.0, m_coresPerNode / static_cast<double>(std::max<std::int64_t>(1, node.jobs)));
    for (std::size_t at = 0; at < m_nodes.size(); ++at)
        m_nodes[at].level = levelOf(at);
}

// How far the memory of a node serves each who wants it: those who want less than an equal part get
// what they want, and the rest share what is left.
double HostModel::levelOf(std::size_t node)
{
    constexpr double kUnlimited = std::numeric_limits<double>::infinity();
    if (m_nodes[node].wanted <= m_bytesPerSecond)
        return kUnlimited;
    m_wants.clear();
    for (const JobId id : m_running) {
        const HostJob& job = m_entries[id].job;
        double want = 0;
        for (const HostJob::Traffic& traffic : job.traffic)
            want += traffic.node == node ? m_nodes[job.node].share * traffic.bytesPerSecond : 0;
        if (want > 0)
            m_wants.push_back(want);
    }
    double left = m_bytesPerSecond;
    while (!m_wants.empty()) {
        const double level = left / static_cast<double>(m_wants.size());
        const auto served =
            std::partition(m_wants.begin(), m_wants.end(), [level](double want) { return want > level; });
        if (served == m_wants.end())
            return level;
        left -= std::accumulate(served, m_wants.end(), 0.0);
        m_wants.erase(served, m_wants.end());
    }
    return kUnlimited;
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
