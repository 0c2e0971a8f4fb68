#include "app/timeline/track_bundles.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "app/timeline/track_layout.h"
#include "core/trace/track_kinds.h"
#include "core/trace/track_names.h"

namespace overlane
{

namespace
{

constexpr std::size_t kFewestQuiet = 2;

// "worker 3 (loader 2)": the number, and whose it is.
struct WorkerName {
    std::int64_t number = 0;
    std::string_view rest;
};

std::optional<WorkerName> workerName(const Track& track)
{
    std::string_view name = track.name;
    if (loaderRole(track) != LoaderRole::Worker || !name.starts_with(kWorkerTrackName))
        return std::nullopt;
    name.remove_prefix(kWorkerTrackName.size());
    WorkerName found;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), found.number);
    if (error != std::errc())
        return std::nullopt;
    found.rest = name.substr(static_cast<std::size_t>(end - name.data()));
    return found;
}

// Starts and ends of a row ascend.
bool hasEventIn(const Trace& trace, EventRange row, Interval range)
{
    const auto& starts = trace.columns().startNs;
    const auto next = std::lower_bound(starts.begin() + row.first, starts.begin() + row.last, range.endNs);
    const auto before = static_cast<std::uint32_t>(next - starts.begin());
    return before > row.first && trace.interval(EventIndex(before - 1)).endNs > range.startNs;
}

bool isQuiet(const Trace& trace, TrackId id, Interval active)
{
    const Track& track = trace.track(id);
    return std::none_of(track.rows.begin(), track.rows.end(),
                        [&](EventRange row) { return hasEventIn(trace, row, active); }) &&
           std::all_of(track.children.begin(), track.children.end(),
                       [&](TrackId child) { return isQuiet(trace, child, active); });
}

std::string bundlePath(const Trace& trace, TrackId parent, std::string_view name)
{
    return trackPath(trace, parent).append("bundle:").append(name).append("\n");
}

}  // namespace

TrackBundles::TrackBundles(const Trace& trace, Interval active)
{
    addWorkers(trace, {}, trace.roots());
    addQuietThreads(trace, {}, trace.roots(), active);
    for (std::size_t i = 0; i < trace.tracks().size(); ++i) {
        const TrackId parent(i);
        addWorkers(trace, parent, trace.track(parent).children);
        addQuietThreads(trace, parent, trace.track(parent).children, active);
    }
}

const TrackBundle* TrackBundles::of(TrackId track) const
{
    if (!track.valid() || track.index() >= m_bundleOf.size() || m_bundleOf[track.index()] == 0)
        return nullptr;
    return &m_bundles[m_bundleOf[track.index()] - 1];
}

void TrackBundles::add(const Trace& trace, TrackBundle bundle)
{
    m_bundleOf.resize(trace.tracks().size(), 0);
    m_bundles.push_back(std::move(bundle));
    for (const TrackId track : m_bundles.back().tracks)
        m_bundleOf[track.index()] = static_cast<std::uint32_t>(m_bundles.size());
}

// Those of each loader.
void TrackBundles::addWorkers(const Trace& trace, TrackId parent, std::span<const TrackId> siblings)
{
    struct Loader {
        std::vector<TrackId> workers;
        std::int64_t first = 0;
        std::int64_t last = 0;
    };
    std::map<std::string_view, Loader> loaders;
    for (const TrackId id : siblings)
        if (const auto name = workerName(trace.track(id))) {
            Loader& loader = loaders[name->rest];
            loader.first = loader.workers.empty() ? name->number : std::min(loader.first, name->number);
            loader.last = loader.workers.empty() ? name->number : std::max(loader.last, name->number);
            loader.workers.push_back(id);
        }
    for (auto& [rest, loader] : loaders) {
        const std::size_t count = loader.workers.size();
        if (count <= kMostWorkers)
            continue;
        const bool gapless = loader.last - loader.first + 1 == static_cast<std::int64_t>(count);
        std::string title = gapless ? "workers " + std::to_string(loader.first) + "–" + std::to_string(loader.last)
                                    : std::to_string(count) + " workers";
        add(trace, {TrackBundle::Kind::Workers, bundlePath(trace, parent, std::string("workers").append(rest)),
                    title.append(rest), std::move(loader.workers)});
    }
}

void TrackBundles::addQuietThreads(const Trace& trace, TrackId parent, std::span<const TrackId> siblings,
                                   Interval active)
{
    if (active.empty())
        return;
    std::vector<TrackId> quiet;
    for (const TrackId id : siblings) {
        const Track& track = trace.track(id);
        if (track.kind == TrackKind::Thread && !track.bookkeeping && !isMainThread(trace, id) && hasEvents(trace, id) &&
            isQuiet(trace, id, active))
            quiet.push_back(id);
    }
    if (quiet.size() < kFewestQuiet)
        return;
    std::string title = std::to_string(quiet.size()) + " quiet threads";
    add(trace, {TrackBundle::Kind::QuietThreads, bundlePath(trace, parent, "quiet threads"), std::move(title),
                std::move(quiet)});
}

}  // namespace overlane
