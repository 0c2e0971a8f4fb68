// The loader's side of a program: which worker made which batch, and how long it took.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/statistics.h"
#include "core/base/units.h"
#include "core/replay/batch_name.h"
#include "core/replay/program_builder.h"
#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

// A loader without lanes set the pace where its consumer waited for more than this share of the time.
constexpr double kBoundShare = 0.15;
// A fetch that takes this much longer than the others waited.
constexpr std::int64_t kWaitedNs = 200 * kNsPerUs;

constexpr std::string_view kTake = "take ";
constexpr std::string_view kCollate = "collate ";

struct LaneBatch {
    std::int64_t epoch = 0;
    std::int64_t number = 0;
    Interval interval;
    EventIndex event;
    std::int64_t takeNs = 0;  // until the batch had been taken over, of a pin thread that did not wait for it
    std::int64_t samplesNs = LoaderBatch::kNotSeen;
};

// What an actor did with each batch, in order.
std::vector<LaneBatch> batchesOf(const Trace& trace, const Track& track)
{
    std::vector<LaneBatch> batches;
    std::set<std::int64_t> seen;
    std::int64_t epoch = 0;
    std::vector<std::uint32_t> order;
    std::vector<std::int64_t> collatesNs;
    for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
        const EventIndex event(at);
        if (trace.kind(event) == EventKind::Loader)
            order.push_back(at);
        else if (trace.kind(event) == EventKind::HostWork && trace.name(event).starts_with(kCollate))
            collatesNs.push_back(trace.interval(event).startNs);
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return trace.interval(EventIndex(a)).startNs < trace.interval(EventIndex(b)).startNs;
    });
    for (const std::uint32_t at : order) {
        const EventIndex event(at);
        const std::int64_t number = batchNumber(trace.name(event));
        if (number < 0)
            continue;
        const Interval interval = trace.interval(event);
        if (!batches.empty() && batches.back().number == number) {
            if (trace.name(batches.back().event).starts_with(kTake))
                batches.back().takeNs = batches.back().interval.lengthNs();
            batches.back().interval.endNs = std::max(batches.back().interval.endNs, interval.endNs);
            continue;
        }
        // Batches may come in another order than they were asked for, but none twice in an epoch.
        if (!seen.insert(number).second) {
            ++epoch;
            seen = {number};
        }
        batches.push_back({epoch, number, interval, event});
    }
    std::sort(collatesNs.begin(), collatesNs.end());
    for (LaneBatch& batch : batches) {
        const auto collate = std::lower_bound(collatesNs.begin(), collatesNs.end(), batch.interval.startNs);
        if (collate != collatesNs.end() && *collate < batch.interval.endNs)
            batch.samplesNs = *collate - batch.interval.startNs;
    }
    return batches;
}

}  // namespace

// A trace whose training thread shows its waits for batches but not its fetches: they stand at the start
// of each step, and end with the last wait there.
void ProgramBuilder::addStepFetches()
{
    bool lanes = false;
    for (const Track& track : m_trace.tracks())
        lanes = lanes || loaderRole(track) == LoaderRole::Worker;
    const auto isFetchRange = [&](const HostCall& call) {
        return call.kind == CallKind::Fetch && nameClass(call.event) == NameClass::Fetch;
    };
    if (!lanes || m_steps.empty() || std::any_of(m_program.calls.begin(), m_program.calls.end(), isFetchRange))
        return;
    std::vector<HostCall> waits, calls, fetches;
    for (const HostCall& call : m_program.calls)
        (call.kind == CallKind::Fetch ? waits : calls).push_back(call);
    std::size_t wait = 0, next = 0;
    for (const Step& step : m_steps) {
        const std::int64_t startNs = step.interval.startNs;
        while (next < calls.size() && (calls[next].thread != m_program.mainThread || calls[next].startNs < startNs))
            ++next;
        const std::int64_t untilNs = next < calls.size() ? calls[next].startNs : INT64_MAX;
        HostCall fetch;
        fetch.kind = CallKind::Fetch;
        fetch.thread = m_program.mainThread;
        fetch.startNs = fetch.endNs = startNs;
        while (wait < waits.size() && waits[wait].startNs < startNs)
            ++wait;
        for (; wait < waits.size() && waits[wait].startNs < untilNs; ++wait) {
            fetch.endNs = fetch.tailNs = waits[wait].endNs;
            fetch.event = waits[wait].event;
        }
        fetch.batch = static_cast<std::int32_t>(std::max<std::int64_t>(0, batchNumber(step.name)));
        fetches.push_back(fetch);
    }
    m_program.calls = std::move(calls);
    m_program.calls.insert(m_program.calls.end(), fetches.begin(), fetches.end());
    std::stable_sort(m_program.calls.begin(), m_program.calls.end(), [](const HostCall& a, const HostCall& b) {
        return a.startNs != b.startNs ? a.startNs < b.startNs : a.kind == CallKind::Fetch && b.kind != CallKind::Fetch;
    });
}

void ProgramBuilder::findLoaders()
{
    // As places in ReplayProgram::calls, in one go: a stranger's trace may have a thousand processes.
    std::vector<std::vector<std::uint32_t>> fetches(m_program.loaders.size());
    m_makes.resize(m_program.loaders.size());
    for (std::uint32_t at = 0; at < m_program.calls.size(); ++at) {
        const HostCall& call = m_program.calls[at];
        const std::uint32_t loader = m_program.loaderOf[call.thread];
        if (call.kind == CallKind::Fetch)
            fetches[loader].push_back(at);
        else if (call.kind == CallKind::Make && call.thread == m_program.loaders[loader].thread)
            m_makes[loader].push_back(at);
    }
    for (std::uint32_t thread = 0; thread < m_program.threads; ++thread) {
        const std::uint32_t loader = m_program.loaderOf[thread];
        if (fetches[loader].empty())
            m_program.loaders[loader].inThread |= showsLoader(m_program.threadTracks[thread]);
    }
    for (std::size_t at = 0; at < m_program.loaders.size(); ++at)
        if (fetches[at].empty())
            findMadeBatches(m_program.loaders[at], m_makes[at]);
        else
            findLoader(m_program.loaders[at], fetches[at]);
}

bool ProgramBuilder::showsLoader(const std::vector<TrackId>& tracks) const
{
    for (const TrackId id : tracks)
        for (std::uint32_t at = m_trace.track(id).events.first; at < m_trace.track(id).events.last; ++at)
            if (m_trace.kind(EventIndex(at)) == EventKind::Loader)
                return true;
    return false;
}

void ProgramBuilder::findLoader(LoaderProgram& loader, const std::vector<std::uint32_t>& fetches)
{
    std::vector<std::int64_t> quick;
    std::int64_t epoch = 0, last = -1;
    std::vector<std::int64_t> epochs;
    for (const std::uint32_t at : fetches) {
        HostCall& call = m_program.calls[at];
        const std::int64_t named = call.event.valid() && nameClass(call.event) == NameClass::Fetch
                                       ? batchNumber(m_trace.name(call.event))
                                       : call.batch;
        const std::int64_t number = named >= 0 ? named : last + 1;
        epoch += number <= last;
        last = number;
        call.batch = static_cast<std::int32_t>(loader.batches.size());
        LoaderBatch batch;
        batch.fetch = at;
        batch.place = static_cast<std::int32_t>(number);
        loader.batches.push_back(batch);
        epochs.push_back(epoch);
        if (call.tailNs == 0)
            quick.push_back(call.endNs - call.startNs);
    }
    const std::int64_t quickNs = quantile(std::move(quick), 0.25);
    // For now `readyNs` says until when a fetch waited, 0 where it did not; a lane may correct it.
    for (LoaderBatch& batch : loader.batches) {
        HostCall& call = m_program.calls[batch.fetch];
        const bool waited = call.tailNs > 0 || call.endNs - call.startNs > quickNs + kWaitedNs;
        batch.readyNs =
            waited ? (call.tailNs > 0 ? call.tailNs : call.endNs - std::min(quickNs, call.endNs - call.startNs)) : 0;
        batch.firstOfEpoch = &batch == &loader.batches.front() ||
                             epochs[static_cast<std::size_t>(&batch - loader.batches.data())] !=
                                 epochs[static_cast<std::size_t>(&batch - loader.batches.data()) - 1];
        call.costNs = waited ? std::min(quickNs, call.endNs - call.startNs) : call.endNs - call.startNs;
        call.tailNs = waited ? call.endNs - batch.readyNs : 0;
    }
    readLanes(loader);
}

void ProgramBuilder::readLanes(LoaderProgram& loader)
{
    std::vector<Interval> unfetchedPins;  // batches that the pin thread had and the trace shows no fetch of
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> byNumber;
    std::int64_t epoch = 0;
    for (std::size_t at = 0; at < loader.batches.size(); ++at) {
        epoch += at > 0 && loader.batches[at].firstOfEpoch;
        byNumber[{epoch, loader.batches[at].place}] = at;
    }
    std::size_t known = 0;
    for (std::size_t number = 0; number < m_trace.tracks().size(); ++number) {
        const Track& track = m_trace.tracks()[number];
        const bool isWorker = loaderRole(track) == LoaderRole::Worker;
        // That of the first loader: a further one's has another name.
        const bool isPinThread = loaderRole(track) == LoaderRole::PinThread && track.name == kPinThreadTrackName;
        if (track.parent != loader.process || (!isWorker && (!isPinThread || loader.pinTrack.valid())))
            continue;
        if (isWorker)
            loader.workerTracks.emplace_back(number);
        else
            loader.pinTrack = TrackId(number);
        for (const LaneBatch& lane : batchesOf(m_trace, track)) {
            const auto found = byNumber.find({lane.epoch, lane.number});
            if (found == byNumber.end()) {
                if (!isWorker)
                    unfetchedPins.push_back(lane.interval);
                continue;
            }
            LoaderBatch& batch = loader.batches[found->second];
            if (isWorker) {
                batch.worker = static_cast<std::uint32_t>(loader.workerTracks.size() - 1);
                batch.workNs = lane.interval.lengthNs();
                batch.workStartNs = lane.interval.startNs;
                batch.workEvent = lane.event;
                batch.samplesNs = lane.samplesNs;
                ++known;
            } else {
                batch.pinNs = lane.interval.lengthNs();
                batch.pinStartNs = lane.interval.startNs;
                batch.pinEvent = lane.event;
                batch.takeNs = lane.takeNs;
            }
        }
    }
    if (loader.workerTracks.empty() || known * 2 < loader.batches.size()) {
        loader.workerTracks.clear();
        loader.pinTrack = {};
        return;
    }
    loader.kind = LoaderKind::Lanes;
    loader.workers = static_cast<std::uint32_t>(loader.workerTracks.size());
    loader.pinThread = loader.pinTrack.valid();
    // A batch whose lane says nothing is taken to cost what the others do.
    std::int64_t workSumNs = 0, pinSumNs = 0, pinned = 0;
    for (const LoaderBatch& batch : loader.batches) {
        workSumNs += batch.workNs;
        pinSumNs += batch.pinNs;
        pinned += batch.pinEvent.valid();
    }
    std::size_t epochFirst = 0;
    bool madeBefore = true;  // a trace that begins within an epoch: its first batches were there by then
    for (std::size_t at = 0; at < loader.batches.size(); ++at) {
        LoaderBatch& batch = loader.batches[at];
        if (batch.firstOfEpoch)
            epochFirst = at;
        const HostCall& call = m_program.calls[batch.fetch];
        madeBefore = madeBefore && !batch.workEvent.valid();
        if (madeBefore) {
            batch.worker = static_cast<std::uint32_t>(batch.place) % loader.workers;
            batch.workStartNs = m_program.calls[loader.batches.front().fetch].startNs;
        } else if (!batch.workEvent.valid()) {
            batch.workNs = workSumNs / static_cast<std::int64_t>(known);
            batch.worker = static_cast<std::uint32_t>(batch.place) % loader.workers;
            batch.workStartNs = call.startNs - batch.workNs;
        }
        if (loader.pinThread && !batch.pinEvent.valid() && pinned > 0 && !madeBefore)
            batch.pinNs = pinSumNs / pinned;
        batch.epochOffsetNs = batch.workStartNs - m_program.calls[loader.batches[epochFirst].fetch].startNs;
    }
    findHandovers(loader, std::move(unfetchedPins));
    // How many batches were asked for at a time: as many as the farthest that was begun ahead.
    std::size_t first = 0;
    for (std::size_t at = 0; at < loader.batches.size(); ++at) {
        const LoaderBatch& batch = loader.batches[at];
        if (batch.firstOfEpoch)
            first = at;
        if (!batch.workEvent.valid())
            continue;
        const auto begin = loader.batches.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = loader.batches.begin() + static_cast<std::ptrdiff_t>(at);
        const auto received = std::partition_point(
            begin, end, [&](const LoaderBatch& other) { return other.readyNs <= batch.workStartNs; });
        loader.outstanding = std::max<std::int64_t>(loader.outstanding, end - received + 1);
    }
    measurePauses(loader);
}

void ProgramBuilder::readWaits()
{
    for (LoaderProgram& loader : m_program.loaders)
        readWaits(loader);
}

void ProgramBuilder::readWaits(LoaderProgram& loader)
{
    if (loader.batches.empty() || loader.kind == LoaderKind::Lanes)
        return;
    // A loader without workers works in here: nothing to wait for.
    for (const LoaderBatch& batch : loader.batches) {
        const HostCall& call = m_program.calls[batch.fetch];
        if (call.event.valid() && m_trace.name(call.event).find("SingleProcess") != std::string_view::npos) {
            makeFetches(loader);
            return;
        }
    }
    loader.kind = LoaderKind::Waits;
    const Interval judged{m_program.steps[m_program.firstStep].startNs, m_program.steps[m_program.lastStep].startNs};
    std::int64_t waitedNs = 0;
    for (const LoaderBatch& batch : loader.batches) {
        const HostCall& call = m_program.calls[batch.fetch];
        if (batch.readyNs > 0 && judged.contains(call.startNs))
            waitedNs += batch.readyNs - call.startNs;
    }
    loader.bound = static_cast<double>(waitedNs) > kBoundShare * static_cast<double>(judged.lengthNs());
    if (loader.bound)
        return;
    // A rare wait tells nothing of how fast the loader can be: it stays a cost of that fetch.
    for (LoaderBatch& batch : loader.batches) {
        HostCall& call = m_program.calls[batch.fetch];
        call.costNs = call.endNs - call.startNs;
        call.tailNs = 0;
        batch.readyNs = 0;
    }
}

}  // namespace overlane
