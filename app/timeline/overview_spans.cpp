#include "app/timeline/overview_spans.h"

#include <utility>

#include "app/timeline/track_layout.h"
#include "app/widgets/pool_job.h"

namespace overlane
{

namespace
{

// Events; fewer are looked up sooner than a thread begins.
constexpr std::size_t kWorthAThread = 100'000;

// A stream belongs to its engine.
LaneBand bandOf(const Trace& trace, const Track& track)
{
    const bool ofEngine = track.kind == TrackKind::Stream && track.parent.valid();
    return rowOf(ofEngine ? trace.track(track.parent).kind : track.kind).band;
}

}  // namespace

OverviewSpans::OverviewSpans(std::shared_ptr<const TracePyramids> pyramids, Interval limits, int widthPx)
    : m_pyramids(std::move(pyramids)), m_limits(limits), m_widthPx(widthPx)
{
}

std::shared_ptr<OverviewSpans> OverviewSpans::begun(std::shared_ptr<const TracePyramids> pyramids, Interval limits,
                                                    int widthPx)
{
    auto spans = std::make_shared<OverviewSpans>(std::move(pyramids), limits, widthPx);
    if (spans->m_pyramids->trace->eventCount() < kWorthAThread)
        return spans;
    try {
        tryOnPool([spans] {
            try {
                spans->bands();
            } catch (...) {
                // No memory: who paints finds that, too.
            }
        });
    } catch (...) {
        // No memory to begin: who paints looks it up.
    }
    return spans;
}

const OverviewSpans::Bands& OverviewSpans::bands()
{
    const std::lock_guard lock(m_mutex);
    if (m_found)
        return m_bands;
    const Trace& trace = *m_pyramids->trace;
    std::array<std::vector<EventRange>, kLaneBandCount> rows;
    for (std::size_t i = 0; i < trace.tracks().size(); ++i) {
        const Track& track = trace.tracks()[i];
        const LaneBand band = bandOf(trace, track);
        if (band == LaneBand::None || isBookkeeping(trace, TrackId(i)))
            continue;
        std::vector<EventRange>& all = rows[static_cast<std::size_t>(band)];
        all.insert(all.end(), track.rows.begin(), track.rows.end());
    }
    for (std::size_t band = 0; band < rows.size(); ++band)
        m_bands[band] = mergedLaneSpans(m_pyramids->events, rows[band], m_limits, m_widthPx);
    m_found = true;
    return m_bands;
}

}  // namespace overlane
