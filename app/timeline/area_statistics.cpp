#include "app/timeline/area_statistics.h"

#include <algorithm>
#include <iterator>

#include "app/timeline/track_layout.h"
#include "app/widgets/text.h"
#include "core/base/units.h"
#include "core/lod/lane_spans.h"
#include "core/trace/track_kinds.h"

namespace overlane
{

namespace
{

// What an overview has a band for, from the top.
std::vector<TrackKindRow> countedKinds()
{
    std::vector<TrackKindRow> rows;
    std::copy_if(trackKinds().begin(), trackKinds().end(), std::back_inserter(rows),
                 [](const TrackKindRow& row) { return row.band != LaneBand::None; });
    std::stable_sort(rows.begin(), rows.end(),
                     [](const TrackKindRow& a, const TrackKindRow& b) { return a.group < b.group; });
    return rows;
}

}  // namespace

std::vector<AreaStatistic> areaStatistics(const Pyramid& pyramid, Interval range)
{
    std::vector<AreaStatistic> result;
    if (range.empty())
        return result;
    const Trace& trace = pyramid.trace();
    for (const TrackKindRow& counted : countedKinds()) {
        AreaStatistic sum{counted.kind};
        for (std::size_t i = 0; i < trace.tracks().size(); ++i) {
            const Track& track = trace.tracks()[i];
            const bool ofEngine = track.kind == TrackKind::Stream && track.parent.valid();
            if (isBookkeeping(trace, TrackId(i)) ||
                (ofEngine ? trace.track(track.parent).kind : track.kind) != counted.kind)
                continue;
            for (const EventRange row : track.rows) {
                const EventRange touched = visibleEvents(trace, row, range);
                if (touched.empty())
                    continue;
                // Events of a row are disjoint: only the first and the last reach over the edges.
                const std::int64_t rowNs = pyramid.summary(touched).busyNs;
                const Interval first = trace.interval(EventIndex(touched.first));
                const Interval last = trace.interval(EventIndex(touched.last - 1));
                sum.count += touched.size();
                sum.busyNs += rowNs - std::max<std::int64_t>(0, range.startNs - first.startNs) -
                              std::max<std::int64_t>(0, last.endNs - range.endNs);
                if (counted.kind == TrackKind::Thread)
                    break;
            }
        }
        if (sum.count == 0)
            continue;
        sum.meanNs = sum.busyNs / static_cast<std::int64_t>(sum.count);
        result.push_back(sum);
    }
    return result;
}

QString areaTip(const Pyramid& pyramid, Interval range)
{
    QString html = u"<b>%1</b><table cellspacing=0><tr><td></td>"_s.arg(text(formatDuration(range.lengthNs())));
    const auto cell = [&html](const QString& value) {
        html += u"<td align=right>&nbsp;&nbsp;%1</td>"_s.arg(value.toHtmlEscaped());
    };
    for (const QString& head : {u"events"_s, u"sum"_s, u"mean"_s})
        cell(head);
    html += u"</tr>"_s;
    for (const AreaStatistic& lane : areaStatistics(pyramid, range)) {
        html += u"<tr><td>%1</td>"_s.arg(text(std::string(rowOf(lane.lane).name)));
        cell(text(formatCount(static_cast<std::int64_t>(lane.count))));
        cell(text(formatDuration(lane.busyNs)));
        cell(text(formatDuration(lane.meanNs)));
        html += u"</tr>"_s;
    }
    return html + u"</table>"_s;
}

}  // namespace overlane
