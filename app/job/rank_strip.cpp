#include "app/job/rank_strip.h"

#include <algorithm>
#include <utility>

#include "app/widgets/text.h"
#include "core/base/units.h"

namespace overlane
{

namespace
{

RankStrip stripOf(const JobRank& rank)
{
    RankStrip strip;
    strip.label = text(rank.label());
    strip.path = text(rank.file.trace);
    strip.trouble = text(rank.problem);
    return strip;
}

void fill(RankStrip& strip, const RankDigest& digest, std::uint32_t at, const ClockFit& clocks)
{
    strip.digest = at;
    strip.span = clocks.jobInterval(at, digest.span);
    strip.cellsOver = clocks.jobInterval(at, digest.active);
    strip.cells = digest.strip;
    strip.steps.reserve(digest.steps.size());
    for (const DigestStep& step : digest.steps)
        if (!step.warmUp)
            strip.steps.push_back(clocks.jobInterval(at, step.interval));
}

QString titleOf(const MatchedCollective& collective, const CollectiveMatch& match)
{
    QString title = text(collectiveKindName(collective.kind));
    if (collective.bytes > 0)
        title += u", "_s + text(formatBytes(collective.bytes));
    const MatchedGroup& group = match.groups[collective.group];
    return title + u", group "_s + text(group.description.empty() ? group.name : group.description);
}

}  // namespace

JobStrips::JobStrips(std::shared_ptr<const AnalyzedJob> of) : m_of(std::move(of))
{
    const JobAnalysis& read = m_of->analysis;
    for (const JobRank& rank : m_of->job.ranks)
        ranks.push_back(stripOf(rank));
    for (std::uint32_t at = 0; at < read.digests.size(); ++at)
        fill(ranks[read.places[at]], read.digests[at], at, read.clocks);
    findCalls();
    frame();
}

void JobStrips::findCalls()
{
    const JobAnalysis& read = m_of->analysis;
    std::vector<std::vector<std::uint32_t>> callOf(read.digests.size());
    for (std::size_t at = 0; at < callOf.size(); ++at)
        callOf[at].resize(read.digests[at].collectives.size());
    for (std::uint32_t call = 0; call < calls(); ++call)
        for (const MatchedMember& member : read.match.membersOf(read.match.collectives[call]))
            callOf[member.rank][member.collective] = call + 1;
    auto packed = std::make_shared<std::vector<PackedRows>>();
    packed->reserve(callOf.size());
    for (std::vector<std::uint32_t>& of : callOf) {
        packed->emplace_back(of.size(), 1, [&](std::size_t at, std::int64_t* into) { *into = of[at]; });
        of = {};
    }
    m_callOf = std::move(packed);
}

std::size_t JobStrips::members(std::size_t rank) const
{
    const std::optional<std::uint32_t> digest = ranks[rank].digest;
    return digest ? m_of->analysis.digests[*digest].collectives.size() : 0;
}

Interval JobStrips::intervalOf(std::uint32_t digest, std::size_t member) const
{
    const DigestCollective one = m_of->analysis.digests[digest].collectives[member];
    return m_of->analysis.clocks.jobInterval(digest, {one.startNs, one.startNs + one.durationNs});
}

StripMember JobStrips::member(std::size_t rank, std::size_t at) const
{
    const std::uint32_t digest = *ranks[rank].digest;
    const Interval interval = intervalOf(digest, at);
    const std::int64_t call = (*m_callOf)[digest].at(at, 0);
    if (call == 0)
        return {interval, interval.startNs, SIZE_MAX};
    const auto number = static_cast<std::size_t>(call - 1);
    const std::int64_t lastNs = m_of->analysis.communication.collectives[number].lastNs;
    return {interval, std::clamp(lastNs, interval.startNs, interval.endNs), number};
}

// Who came last of the members is said only where the clocks can tell it.
StripCall JobStrips::call(std::size_t at) const
{
    const JobAnalysis& read = m_of->analysis;
    const MatchedCollective& collective = read.match.collectives[at];
    StripCall made;
    made.title = titleOf(collective, read.match);
    std::uint32_t last = 0;
    std::uint32_t first = 0;
    std::int64_t firstNs = INT64_MAX;
    std::int64_t lastNs = INT64_MIN;
    std::int64_t endNs = INT64_MAX;
    for (const MatchedMember& member : read.match.membersOf(collective)) {
        const Interval interval = intervalOf(member.rank, member.collective);
        if (interval.startNs < firstNs) {
            firstNs = interval.startNs;
            first = member.rank;
        }
        if (interval.startNs > lastNs) {
            lastNs = interval.startNs;
            last = member.rank;
        }
        endNs = std::min(endNs, interval.endNs);
        made.parts.push_back({read.places[member.rank], member.collective});
    }
    if (read.clocks.tellsApart(first, last, lastNs - firstNs))
        made.timing = u"%1 came last, %2 behind the first; data moved for %3"_s.arg(
            ranks[read.places[last]].label, durationText(lastNs - firstNs),
            durationText(std::max<std::int64_t>(0, endNs - lastNs)));
    else if (read.clocks.isOneClock)
        made.timing = u"The GPUs came at the same time"_s;
    else
        made.timing =
            u"The ranks came within what the clocks leave open (\u00b1%1)"_s.arg(durationText(read.clocks.errorNs));
    return made;
}

void JobStrips::frame()
{
    Interval all{INT64_MAX, INT64_MIN};
    Interval common{INT64_MIN, INT64_MAX};
    for (const RankStrip& strip : ranks) {
        if (!strip.trouble.isEmpty() || strip.span.empty())
            continue;
        all = {std::min(all.startNs, strip.span.startNs), std::max(all.endNs, strip.span.endNs)};
        if (!strip.steps.empty())
            common = {std::max(common.startNs, strip.steps.front().startNs),
                      std::min(common.endNs, strip.steps.back().endNs)};
    }
    span = all.startNs < all.endNs ? all : Interval{};
    active = common.startNs > INT64_MIN && common.startNs < common.endNs ? common : span;
}

}  // namespace overlane
