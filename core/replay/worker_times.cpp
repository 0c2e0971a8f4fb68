#include "core/replay/worker_times.h"

#include <algorithm>

#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

// What takes this much longer than twice the undisturbed time was kept waiting.
constexpr std::int64_t kWorkerWaitedNs = kNsPerMs;
constexpr std::size_t kFewHandovers = 3;

}  // namespace

void UndisturbedTime::add(std::int64_t ns, bool resting)
{
    m_all.push_back(ns);
    if (resting)
        m_resting.push_back(ns);
}

std::int64_t UndisturbedTime::ns() const
{
    return m_resting.size() >= kFewHandovers ? median(m_resting) : quantile(m_all, 0.1);
}

bool UndisturbedTime::exceeds(std::int64_t ns) const
{
    return ns > 2 * this->ns() + kWorkerWaitedNs;
}

WorkerTimes::WorkerTimes(LoaderProgram& loader, bool interpreter)
    : m_loader(loader),
      m_interpreter(interpreter),
      m_batchesOf(loader.workers),
      m_mostNs(loader.batches.size(), INT64_MAX)
{
    for (std::uint32_t at = 0; at < loader.batches.size(); ++at)
        if (loader.batches[at].workEvent.valid())
            m_batchesOf[loader.batches[at].worker].push_back(at);
    for (std::vector<std::uint32_t>& batches : m_batchesOf)
        std::sort(batches.begin(), batches.end(), [&](std::uint32_t a, std::uint32_t b) {
            return loader.batches[a].workStartNs < loader.batches[b].workStartNs;
        });
}

std::uint32_t WorkerTimes::workingOn(std::size_t batch, std::int64_t timeNs) const
{
    const std::vector<std::uint32_t>& batches = m_batchesOf[m_loader.batches[batch].worker];
    const auto after = std::partition_point(batches.begin(), batches.end(), [&](std::uint32_t other) {
        return m_loader.batches[other].workStartNs <= timeNs;
    });
    if (after == batches.begin())
        return kNoIndex;
    const std::uint32_t other = *std::prev(after);
    const LoaderBatch& work = m_loader.batches[other];
    return other != batch && timeNs < work.workStartNs + work.workNs ? other : kNoIndex;
}

void WorkerTimes::handedOver(std::size_t batch, std::int64_t timeNs)
{
    if (const std::uint32_t other = workingOn(batch, timeNs); other != kNoIndex)
        m_mostNs[other] = std::min(m_mostNs[other], timeNs - m_loader.batches[other].workStartNs);
}

std::int64_t WorkerTimes::heldUpUntil(std::size_t batch, std::int64_t askedNs, std::int64_t handedOverNs)
{
    std::uint32_t other = workingOn(batch, handedOverNs);
    if (other == kNoIndex)
        other = workingOn(batch, askedNs);
    if (other == kNoIndex || !m_interpreter)
        return askedNs;
    LoaderBatch& work = m_loader.batches[other];
    const std::int64_t untilNs = std::min(handedOverNs, work.workStartNs + work.workNs);
    work.holdsNs = std::max(work.holdsNs, untilNs - work.workStartNs);
    return untilNs;
}

void WorkerTimes::store()
{
    std::vector<double> shares;
    for (const LoaderBatch& batch : m_loader.batches)
        if (batch.holdsNs > 0 && batch.workNs > 0)
            shares.push_back(static_cast<double>(batch.holdsNs) / static_cast<double>(batch.workNs));
    m_loader.holdsShare = shares.size() >= kFewHandovers ? median(shares) : 0;
    m_loader.holdsAssumed = shares.size() < kFewHandovers && samplesMayHold();
    for (std::size_t at = 0; at < m_loader.batches.size(); ++at) {
        LoaderBatch& batch = m_loader.batches[at];
        if (batch.holdsNs != LoaderBatch::kNotSeen)
            continue;
        const std::int64_t usualNs =
            m_loader.holdsAssumed ? std::max<std::int64_t>(0, batch.samplesNs)
                                  : static_cast<std::int64_t>(m_loader.holdsShare * static_cast<double>(batch.workNs));
        batch.holdsNs = std::min(m_mostNs[at], usualNs);
    }
}

// Samples are the dataset's code, mostly Python's; not where somebody got a batch at once in the middle of it.
bool WorkerTimes::samplesMayHold() const
{
    std::size_t known = 0, atOnce = 0;
    for (std::size_t at = 0; at < m_loader.batches.size(); ++at) {
        const std::int64_t samplesNs = m_loader.batches[at].samplesNs;
        known += samplesNs > 0;
        atOnce += samplesNs > 0 && m_mostNs[at] < samplesNs / 2;
    }
    return m_interpreter && known > 0 && atOnce < kFewHandovers;
}

}  // namespace overlane
