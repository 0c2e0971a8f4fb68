#include "core/replay/loader_schedule.h"

#include <algorithm>

#include "core/base/units.h"

namespace overlane
{
namespace
{

// Who is still at taking a batch when its worker begins the next is kept waiting, too; that takes at least this.
constexpr std::int64_t kHandoverNs = kNsPerMs;

}  // namespace

LoaderSchedule::LoaderSchedule(const LoaderProgram& loader)
    : m_loader(loader),
      m_batches(m_loader.batches.size()),
      m_ready(m_loader.batches.size(), false),
      m_workerFreeNs(std::max<std::size_t>(1, m_loader.workers), INT64_MIN),
      m_workerBatches(m_workerFreeNs.size())
{
}

void LoaderSchedule::startEpoch(std::size_t batch, std::int64_t nowNs)
{
    m_epochFirst = m_dispatched = batch;
    m_epochEnd = batch + 1;
    while (m_epochEnd < m_loader.batches.size() && !m_loader.batches[m_epochEnd].firstOfEpoch)
        ++m_epochEnd;
    m_epochNs = nowNs;
    for (const std::size_t worker : m_begunWorkers) {
        m_workerFreeNs[worker] = INT64_MIN;
        m_workerBatches[worker].clear();
    }
    m_begunWorkers.clear();
    m_pinFreeNs = INT64_MIN;
}

// Gives indices to the workers up to a batch, not included.
void LoaderSchedule::dispatchUntil(std::size_t end, std::int64_t nowNs)
{
    for (; m_dispatched < std::min(end, m_epochEnd); ++m_dispatched) {
        const LoaderBatch& batch = m_loader.batches[m_dispatched];
        const std::size_t place = m_dispatched - m_epochFirst;
        const auto worker = static_cast<std::size_t>(batch.worker) < m_workerFreeNs.size() &&
                                    m_loader.workers == m_loader.workerTracks.size()
                                ? static_cast<std::size_t>(batch.worker)
                                : place % m_workerFreeNs.size();
        const bool ahead = static_cast<std::int64_t>(place) < m_loader.outstanding;
        // What was asked for at the start was begun as soon as its worker was there.
        std::int64_t askedNs = nowNs;
        if (ahead)
            askedNs = m_workerFreeNs[worker] == INT64_MIN ? m_epochNs + batch.epochOffsetNs : m_workerFreeNs[worker];
        else
            askedNs += batch.askNs;
        const std::int64_t pausedNs =
            m_workerFreeNs[worker] == INT64_MIN ? INT64_MIN : m_workerFreeNs[worker] + batch.pauseNs;
        const std::int64_t startNs = std::max(askedNs, pausedNs);
        m_workerFreeNs[worker] = startNs + batch.workNs;
        if (m_workerBatches[worker].empty())
            m_begunWorkers.push_back(worker);
        m_workerBatches[worker].push_back(m_dispatched);
        m_batches[m_dispatched].worker = static_cast<std::uint32_t>(worker);
        m_batches[m_dispatched].workStartNs = startNs;
        const bool orderKnown = m_loader.pinThread && m_loader.workers == m_loader.workerTracks.size();
        m_made.push({orderKnown ? batch.pinOrder : -1, m_workerFreeNs[worker], m_dispatched});
    }
}

std::int64_t LoaderSchedule::handedOverNs(std::size_t batch, std::int64_t nowNs) const
{
    const std::vector<std::size_t>& begun = m_workerBatches[m_batches[batch].worker];
    // A worker begins one batch after another, so both the batches and their starts ascend.
    const std::int64_t untilNs = nowNs + std::max(kHandoverNs, m_loader.batches[batch].takeNs);
    const auto after = std::partition_point(begun.begin(), begun.end(), [&](std::size_t other) {
        return other <= batch || m_batches[other].workStartNs <= untilNs;
    });
    if (after == begun.begin() || *(after - 1) <= batch)
        return nowNs;
    const std::size_t other = *(after - 1);
    return std::max(nowNs, m_batches[other].workStartNs + std::max<std::int64_t>(0, m_loader.batches[other].holdsNs));
}

std::int64_t LoaderSchedule::fetch(std::size_t batch, std::int64_t nowNs)
{
    Schedule::Batch& fetched = m_batches[batch];
    const LoaderBatch& program = m_loader.batches[batch];
    if (m_loader.kind == LoaderKind::Waits) {
        // What set the pace goes on at its own; a new pin thread works on one batch after another.
        fetched.readyNs = program.readyNs;
        if (program.pinNs > 0) {
            if (m_pinFreeNs == 0)
                m_pinFreeNs = nowNs - program.pinNs;
            fetched.pinStartNs = std::max(m_pinFreeNs, program.readyNs);
            m_pinFreeNs = fetched.readyNs = fetched.pinStartNs + program.pinNs;
        }
        return fetched.readyNs;
    }
    if (program.firstOfEpoch)
        startEpoch(batch, nowNs);
    const auto outstanding = static_cast<std::size_t>(m_loader.outstanding);
    dispatchUntil(std::max(m_epochFirst + outstanding, batch + 1), nowNs);
    while (!m_ready[batch]) {
        // Nothing is being made that could be it, since its epoch ended before it was asked for: it is taken to be
        // there.
        if (m_made.empty()) {
            m_ready[batch] = true;
            fetched.readyNs = nowNs;
            break;
        }
        const Made made = m_made.top();
        m_made.pop();
        std::int64_t readyNs = made.timeNs;
        if (m_loader.pinThread) {
            m_batches[made.batch].pinStartNs =
                handedOverNs(made.batch, std::max(made.timeNs, m_pinFreeNs)) + m_loader.batches[made.batch].transitNs;
            m_pinFreeNs = readyNs = m_batches[made.batch].pinStartNs + m_loader.batches[made.batch].pinNs;
        }
        m_batches[made.batch].readyNs = readyNs;
        m_ready[made.batch] = true;
    }
    if (!m_loader.pinThread)
        fetched.readyNs = handedOverNs(batch, std::max(nowNs, fetched.readyNs));
    return fetched.readyNs;
}

void LoaderSchedule::received(std::size_t batch, std::int64_t nowNs)
{
    if (m_loader.kind != LoaderKind::Waits)
        dispatchUntil(batch + 1 + static_cast<std::size_t>(m_loader.outstanding), nowNs);
}

}  // namespace overlane
