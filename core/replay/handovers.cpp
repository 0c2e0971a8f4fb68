// How batches pass from the workers to the thread that takes them: to the pin thread, or to a fetch.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/base/units.h"
#include "core/replay/program_builder.h"
#include "core/replay/worker_times.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kMostTransitNs = 10 * kNsPerMs;
constexpr std::int64_t kMostPauseNs = 10 * kNsPerMs;

}  // namespace

void ProgramBuilder::findHandovers(LoaderProgram& loader, std::vector<Interval> unfetchedPins)
{
    // Simulated workers have no interpreter that could hold anything up.
    WorkerTimes workers(loader, !m_trace.origin().isSimulated);
    if (loader.pinThread)
        orderPins(loader, std::move(unfetchedPins), workers);
    receiveBatches(loader, workers);
    workers.store();
}

// In which order the pin thread took the batches, how long they were under way to it, and what it did
// with each once it had it.
void ProgramBuilder::orderPins(LoaderProgram& loader, std::vector<Interval> unfetchedPins, WorkerTimes& workers)
{
    std::vector<std::size_t> order;
    for (std::size_t at = 0; at < loader.batches.size(); ++at)
        if (loader.batches[at].pinEvent.valid())
            order.push_back(at);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return loader.batches[a].pinStartNs < loader.batches[b].pinStartNs;
    });
    // It waited and got a batch, or found one and took it.
    UndisturbedTime waiting, taking;
    // It may wait long for another batch, but works for long only on one that nobody fetches any more.
    std::vector<std::int64_t> mostTransitNs;
    std::sort(unfetchedPins.begin(), unfetchedPins.end(), [](Interval a, Interval b) { return a.startNs < b.startNs; });
    std::vector<std::int64_t> unfetchedSumNs{0};  // of those before a place
    for (const Interval pin : unfetchedPins)
        unfetchedSumNs.push_back(unfetchedSumNs.back() + pin.lengthNs());
    const auto unfetchedBeforeNs = [&](std::int64_t timeNs) {
        const auto after = std::partition_point(unfetchedPins.begin(), unfetchedPins.end(),
                                                [&](Interval pin) { return pin.startNs < timeNs; });
        return unfetchedSumNs[static_cast<std::size_t>(after - unfetchedPins.begin())];
    };
    std::int64_t freeNs = INT64_MIN;
    for (std::size_t place = 0; place < order.size(); ++place) {
        LoaderBatch& batch = loader.batches[order[place]];
        const std::int64_t madeNs = batch.workStartNs + batch.workNs;
        batch.pinOrder = static_cast<std::int32_t>(place);
        batch.transitNs = std::max<std::int64_t>(0, batch.pinStartNs - std::max(madeNs, freeNs));
        mostTransitNs.push_back(kMostTransitNs + std::max<std::int64_t>(0, unfetchedBeforeNs(batch.pinStartNs) -
                                                                               unfetchedBeforeNs(freeNs)));
        freeNs = batch.pinStartNs + batch.pinNs;
        const bool resting = workers.workingOn(order[place], batch.pinStartNs) == kNoIndex;
        (batch.takeNs > 0 ? taking : waiting).add(batch.takeNs > 0 ? batch.takeNs : batch.transitNs, resting);
    }
    for (std::size_t place = 0; place < order.size(); ++place) {
        const std::size_t at = order[place];
        LoaderBatch& batch = loader.batches[at];
        const bool took = batch.takeNs > 0;
        const UndisturbedTime& usual = took ? taking : waiting;
        std::int64_t& handoverNs = took ? batch.takeNs : batch.transitNs;
        const std::int64_t endNs = batch.pinStartNs + batch.takeNs;
        const std::int64_t askedNs = endNs - handoverNs;
        if (!usual.exceeds(handoverNs)) {
            workers.handedOver(at, askedNs);
        } else {
            const std::int64_t lateNs = workers.heldUpUntil(at, askedNs, endNs - usual.ns()) - askedNs;
            handoverNs -= lateNs;
            batch.pinStartNs += took ? lateNs : 0;
            batch.pinNs -= took ? lateNs : 0;
        }
        batch.transitNs = std::min(batch.transitNs, mostTransitNs[place]);
    }
}

// What a fetch does itself, and when the batch was there for it.
void ProgramBuilder::receiveBatches(LoaderProgram& loader, WorkerTimes& workers)
{
    UndisturbedTime fetching;
    for (std::size_t at = 0; at < loader.batches.size(); ++at) {
        LoaderBatch& batch = loader.batches[at];
        HostCall& call = m_program.calls[batch.fetch];
        const std::int64_t madeNs =
            batch.pinEvent.valid() ? batch.pinStartNs + batch.pinNs : batch.workStartNs + batch.workNs;
        if (madeNs > call.startNs && madeNs <= call.endNs) {
            call.costNs = std::min(call.costNs, call.endNs - madeNs);
            call.tailNs = call.endNs - madeNs;
        } else {
            // It was there: all of the fetch is the consumer's own work, as it would be after a wait.
            call.costNs = call.tailNs = call.endNs - call.startNs;
        }
        batch.readyNs = std::max(call.startNs, std::min(madeNs, call.endNs));
        if (!loader.pinThread && batch.workEvent.valid() && !batch.firstOfEpoch)
            fetching.add(call.tailNs, workers.workingOn(at, batch.readyNs) == kNoIndex);
    }
    if (loader.pinThread)
        return;
    for (std::size_t at = 0; at < loader.batches.size(); ++at) {
        LoaderBatch& batch = loader.batches[at];
        HostCall& call = m_program.calls[batch.fetch];
        if (!batch.workEvent.valid())
            continue;
        if (!fetching.exceeds(call.tailNs)) {
            workers.handedOver(at, batch.readyNs);
        } else {
            batch.readyNs = workers.heldUpUntil(at, batch.readyNs, call.endNs - fetching.ns());
            call.tailNs = call.endNs - batch.readyNs;
            call.costNs = std::min(call.costNs, call.tailNs);
        }
    }
}

// A worker begins a batch once it is asked for it and has done with the one before. Asking takes a thread of
// the consumer that needs the interpreter, as giving a batch away does in the worker; which of the two lasted
// shows where the other was over before.
void ProgramBuilder::measurePauses(LoaderProgram& loader)
{
    struct Begin {
        std::size_t batch;
        std::int64_t sinceAskedNs;
        std::int64_t sinceFreeNs;
    };
    std::vector<Begin> begins;
    struct Free {
        std::size_t epoch = SIZE_MAX;  // its first batch
        std::int64_t sinceNs = 0;
    };
    std::vector<Free> free(loader.workers);
    std::size_t first = 0;
    const auto outstanding = static_cast<std::size_t>(loader.outstanding);
    for (std::size_t at = 0; at < loader.batches.size(); ++at) {
        const LoaderBatch& batch = loader.batches[at];
        if (batch.firstOfEpoch)
            first = at;
        if (!batch.workEvent.valid())
            continue;
        Free& worker = free[batch.worker];
        if (worker.epoch == first) {
            const bool fromStart = at - first < outstanding;
            const std::int64_t askedNs =
                fromStart ? worker.sinceNs : m_program.calls[loader.batches[at - outstanding].fetch].endNs;
            begins.push_back({at, batch.workStartNs - askedNs, batch.workStartNs - worker.sinceNs});
        }
        worker = {first, batch.workStartNs + batch.workNs};
    }
    UndisturbedTime asking, pausing;
    for (const Begin& begin : begins)
        if (begin.sinceAskedNs < begin.sinceFreeNs)
            asking.add(std::clamp<std::int64_t>(begin.sinceAskedNs, 0, kMostPauseNs), true);
    for (const Begin& begin : begins)
        if (begin.sinceFreeNs + asking.ns() < begin.sinceAskedNs)
            pausing.add(std::clamp<std::int64_t>(begin.sinceFreeNs, 0, kMostPauseNs), true);
    for (const Begin& begin : begins) {
        LoaderBatch& batch = loader.batches[begin.batch];
        const bool waited = begin.sinceAskedNs < begin.sinceFreeNs;
        const std::int64_t shorterNs = std::min(begin.sinceAskedNs, begin.sinceFreeNs);
        const std::int64_t lagNs = std::clamp<std::int64_t>(shorterNs, 0, kMostPauseNs);
        batch.askNs = waited ? lagNs : std::min(asking.ns(), std::max<std::int64_t>(0, begin.sinceAskedNs));
        batch.pauseNs = waited ? std::min(pausing.ns(), std::max<std::int64_t>(0, begin.sinceFreeNs)) : lagNs;
    }
}

}  // namespace overlane
