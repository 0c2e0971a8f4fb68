#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "core/base/units.h"
#include "core/replay/program_builder.h"

namespace overlane
{
namespace
{

// More threads that launch work than any program has; turns are sought among those with the most calls.
constexpr std::size_t kMostTakingTurns = 256;
// Threads take turns where their calls overlap for less than this share of the shorter one's, and for
// much less than calls made at random times would.
constexpr double kTurnShare = 0.02;
constexpr double kTurnChance = 0.2;

std::int64_t overlapNs(const std::vector<HostCall>& a, const std::vector<HostCall>& b)
{
    std::int64_t overlap = 0;
    for (std::size_t at = 0, other = 0; at < a.size() && other < b.size();) {
        overlap += std::max<std::int64_t>(
            0, std::min(a[at].endNs, b[other].endNs) - std::max(a[at].startNs, b[other].startNs));
        if (a[at].endNs < b[other].endNs)
            ++at;
        else
            ++other;
    }
    return overlap;
}

}  // namespace

ProgramBuilder::NameClass ProgramBuilder::classOf(std::string_view name)
{
    const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (has("EventRecord"))
        return NameClass::Record;
    if (has("StreamWaitEvent"))
        return NameClass::StreamWait;
    if (has("EventSynchronize"))
        return NameClass::SyncEvent;
    if (has("StreamSynchronize"))
        return NameClass::SyncStream;
    if (has("DeviceSynchronize") || has("CtxSynchronize"))
        return NameClass::SyncDevice;
    if (has("DataLoader") && (has("__next__") || has("_next_data")))
        return NameClass::Fetch;
    if (has("wait for a batch"))
        return NameClass::TakesBatch;
    if (name.starts_with("batch "))
        return NameClass::MakesBatch;
    return name.starts_with("pin_memory batch ") ? NameClass::PinsBatch : NameClass::Plain;
}

HostCall ProgramBuilder::callOf(EventIndex event)
{
    const Interval interval = m_trace.interval(event);
    HostCall call;
    call.event = event;
    call.startNs = interval.startNs;
    call.endNs = interval.endNs;
    switch (nameClass(event)) {
        case NameClass::Record:
            call.kind = CallKind::Record;
            break;
        case NameClass::StreamWait:
            call.kind = CallKind::StreamWait;
            break;
        case NameClass::SyncEvent:
        case NameClass::SyncStream:
        case NameClass::SyncDevice:
            call.kind = CallKind::Sync;
            break;
        case NameClass::Fetch:
        case NameClass::TakesBatch:
            call.kind = CallKind::Fetch;
            break;
        case NameClass::MakesBatch:
        case NameClass::PinsBatch:
            call.kind = CallKind::Make;
            break;
        default:
            break;
    }
    return call;
}

// The outermost calls of a track. A fetch has the few calls inside it as part of its cost; a call that
// contains another one (runtime above driver) stands for both.
std::optional<ProgramBuilder::HostTrack> ProgramBuilder::readHostTrack(TrackId id)
{
    const Track& track = m_trace.track(id);
    HostTrack host{id, track.parent, {}, 0, 0, 0, {}};
    for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
        m_work.count();
        const EventIndex event(at);
        const EventKind kind = m_trace.kind(event);
        const bool isRange =
            kind == EventKind::HostWork || kind == EventKind::Annotation || kind == EventKind::LoaderWait;
        const bool isCall = kind == EventKind::RuntimeCall;
        const bool isFetch =
            isRange && (nameClass(event) == NameClass::Fetch || nameClass(event) == NameClass::TakesBatch);
        if (!isCall && !isFetch && !isMade(event, track))
            continue;
        HostCall call = callOf(event);
        if (isCall && (call.kind == CallKind::Fetch || call.kind == CallKind::Make))
            call.kind = CallKind::Plain;
        host.launches += m_trace.link(event).valid();
        host.calls.push_back(call);
    }
    if (host.calls.empty())
        return std::nullopt;
    std::stable_sort(host.calls.begin(), host.calls.end(), m_work.counting([](const HostCall& a, const HostCall& b) {
        return a.startNs != b.startNs ? a.startNs < b.startNs : a.endNs > b.endNs;
    }));
    std::vector<HostCall> outermost;
    for (const HostCall& call : host.calls) {
        if (outermost.empty() || call.startNs >= outermost.back().endNs) {
            outermost.push_back(call);
            continue;
        }
        HostCall& outer = outermost.back();
        const bool fetched = outer.kind == CallKind::Fetch || outer.kind == CallKind::Make;
        if (fetched && call.kind == CallKind::Fetch) {
            if (m_trace.kind(call.event) == EventKind::LoaderWait)
                outer.tailNs = call.endNs;  // until when it waited; measured_lags.cpp makes a length of it
            else if (m_trace.interval(outer.event) == m_trace.interval(call.event))
                outer.event = call.event;
        } else if (fetched && m_trace.link(call.event).valid()) {
            // It starts work in there: a loader that copies to the device itself. The range is no wait then.
            outer.endNs = call.startNs;
            outermost.push_back(call);
        } else if (m_trace.link(call.event).valid() && !m_trace.link(outer.event).valid()) {
            outer.event = call.event;  // the one that the work is linked to
        }
    }
    host.calls = std::move(outermost);
    for (HostCall& call : host.calls) {
        host.callTimeNs += call.endNs - call.startNs;
        host.fetches += call.kind == CallKind::Fetch;
        if (call.kind == CallKind::Plain && m_trace.link(call.event).valid())
            call.kind = CallKind::Launch;
    }
    host.span = {host.calls.front().startNs, host.calls.back().endNs};
    return host;
}

// One thread that goes on where another stopped (PyTorch's backward pass) is one program with it.
void ProgramBuilder::mergeTurns(std::vector<HostTrack>& tracks)
{
    std::vector<std::size_t> groupOf(tracks.size());
    std::iota(groupOf.begin(), groupOf.end(), 0);
    std::vector<std::size_t> sought = groupOf;
    if (sought.size() > kMostTakingTurns) {
        m_program.limits.push_back(
            fmt::format("{} threads launch work; which of them take turns was sought among the {} with the most calls.",
                        formatCount(static_cast<std::int64_t>(sought.size())), kMostTakingTurns));
        std::stable_sort(sought.begin(), sought.end(),
                         [&](std::size_t a, std::size_t b) { return tracks[a].calls.size() > tracks[b].calls.size(); });
        sought.resize(kMostTakingTurns);
        std::sort(sought.begin(), sought.end());
    }
    for (std::size_t first = 0; first < sought.size(); ++first) {
        const std::size_t a = sought[first];
        for (std::size_t second = first + 1; second < sought.size(); ++second) {
            const std::size_t b = sought[second];
            if (groupOf[b] != b || tracks[a].parent != tracks[b].parent)
                continue;
            const std::size_t group = groupOf[a];
            const Interval common = tracks[group].span.intersected(tracks[b].span);
            if (common.empty())
                continue;
            m_work.count(tracks[group].calls.size() + tracks[b].calls.size());
            const auto shared = static_cast<double>(overlapNs(tracks[group].calls, tracks[b].calls));
            const auto shorter = static_cast<double>(std::min(tracks[group].callTimeNs, tracks[b].callTimeNs));
            const double chance = static_cast<double>(tracks[group].callTimeNs) /
                                  static_cast<double>(tracks[group].span.lengthNs() + 1) *
                                  static_cast<double>(tracks[b].callTimeNs) * static_cast<double>(common.lengthNs()) /
                                  static_cast<double>(tracks[b].span.lengthNs() + 1);
            if (shared > kTurnShare * shorter || shared > kTurnChance * chance)
                continue;
            groupOf[b] = group;
            std::vector<HostCall> both;
            both.reserve(tracks[group].calls.size() + tracks[b].calls.size());
            std::merge(tracks[group].calls.begin(), tracks[group].calls.end(), tracks[b].calls.begin(),
                       tracks[b].calls.end(), std::back_inserter(both),
                       [](const HostCall& x, const HostCall& y) { return x.startNs < y.startNs; });
            tracks[group].calls = std::move(both);
            tracks[group].callTimeNs += tracks[b].callTimeNs;
            tracks[group].launches += tracks[b].launches;
            tracks[group].fetches += tracks[b].fetches;
            tracks[group].span = {std::min(tracks[group].span.startNs, tracks[b].span.startNs),
                                  std::max(tracks[group].span.endNs, tracks[b].span.endNs)};
            tracks[b].calls.clear();
        }
    }
    std::vector<HostTrack> merged;
    std::vector<std::size_t> placeOf(tracks.size());
    for (std::size_t at = 0; at < tracks.size(); ++at) {
        if (groupOf[at] == at) {  // the first of its group
            placeOf[at] = merged.size();
            m_program.threadTracks.emplace_back();
            merged.push_back(std::move(tracks[at]));
        }
        m_program.threadTracks[placeOf[groupOf[at]]].push_back(tracks[at].id);
    }
    tracks = std::move(merged);
}

// Each process that launches work has a loader of its own: its batches go to the thread that fetches, or launches most.
void ProgramBuilder::assignLoaders(const std::vector<HostTrack>& tracks)
{
    const auto weight = [&](std::size_t thread) { return tracks[thread].launches + tracks[thread].fetches * 1000; };
    std::vector<std::uint32_t> threads(tracks.size());
    std::iota(threads.begin(), threads.end(), 0);
    std::stable_sort(threads.begin(), threads.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return weight(a) > weight(b); });
    m_program.loaderOf.resize(threads.size());
    m_program.loaders.clear();
    for (const std::uint32_t thread : threads) {
        const TrackId process = tracks[thread].parent;
        auto loader = std::find_if(m_program.loaders.begin(), m_program.loaders.end(),
                                   [&](const LoaderProgram& other) { return other.process == process; });
        if (loader == m_program.loaders.end()) {
            loader = m_program.loaders.emplace(loader);
            loader->thread = thread;
            loader->process = process;
        }
        m_program.loaderOf[thread] = static_cast<std::uint32_t>(loader - m_program.loaders.begin());
    }
    if (m_program.loaders.empty())
        m_program.loaders.emplace_back();
    m_program.mainThread = m_program.loader().thread;
}

void ProgramBuilder::findCalls()
{
    std::vector<HostTrack> tracks;
    for (std::size_t at = 0; at < m_trace.tracks().size(); ++at) {
        const Track& track = m_trace.tracks()[at];
        const bool ofHost = track.device < 0 && (track.kind == TrackKind::Thread || track.kind == TrackKind::Process ||
                                                 track.kind == TrackKind::LoaderActor);
        if (!ofHost || track.events.empty())
            continue;
        std::optional<HostTrack> host = readHostTrack(TrackId(at));
        // Threads that start no work matter to nobody here, the loader's own lanes are read elsewhere.
        if (host && host->launches > 0)
            tracks.push_back(std::move(*host));
    }
    mergeTurns(tracks);
    m_program.threads = static_cast<std::uint32_t>(tracks.size());
    assignLoaders(tracks);
    for (std::size_t thread = 0; thread < tracks.size(); ++thread)
        for (HostCall& call : tracks[thread].calls) {
            call.thread = static_cast<std::uint32_t>(thread);
            m_program.calls.push_back(call);
        }
    std::stable_sort(m_program.calls.begin(), m_program.calls.end(),
                     m_work.counting([](const HostCall& a, const HostCall& b) { return a.startNs < b.startNs; }));
}

}  // namespace overlane
