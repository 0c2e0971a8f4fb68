#include "app/job/job_picture.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/widgets/text.h"
#include "core/job/job_analysis.h"
#include "core/job/job_figures.h"
#include "core/job/job_notes.h"

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
    strip.span = clocks.jobInterval(at, digest.span);
    strip.cellsOver = clocks.jobInterval(at, digest.active);
    strip.cells = digest.strip;
    for (const DigestStep& step : digest.steps)
        if (!step.warmUp)
            strip.steps.push_back(clocks.jobInterval(at, step.interval));
    for (const DigestCollective& collective : digest.collectives) {
        const Interval interval =
            clocks.jobInterval(at, {collective.startNs, collective.startNs + collective.durationNs});
        strip.members.push_back({interval, interval.startNs, SIZE_MAX});
    }
}

QString titleOf(const MatchedCollective& collective, const CollectiveMatch& match)
{
    QString title = text(collectiveKindName(collective.kind));
    if (collective.bytes > 0)
        title += u", "_s + text(formatBytes(collective.bytes));
    const MatchedGroup& group = match.groups[collective.group];
    return title + u", group "_s + text(group.description.empty() ? group.name : group.description);
}

// Who came last of the members is said only where the clocks can tell it.
void join(JobStrips& strips, const JobAnalysis& read)
{
    const ClockFit& clocks = read.clocks;
    for (const MatchedCollective& collective : read.match.collectives) {
        StripCall call;
        call.title = titleOf(collective, read.match);
        const MatchedMember* last = nullptr;
        std::int64_t firstNs = INT64_MAX;
        std::int64_t lastNs = INT64_MIN;
        std::int64_t endNs = INT64_MAX;
        std::uint32_t firstRank = 0;
        for (const MatchedMember& member : collective.members) {
            const Interval interval = strips.ranks[read.places[member.rank]].members[member.collective].interval;
            if (interval.startNs < firstNs) {
                firstNs = interval.startNs;
                firstRank = member.rank;
            }
            if (interval.startNs > lastNs) {
                lastNs = interval.startNs;
                last = &member;
            }
            endNs = std::min(endNs, interval.endNs);
        }
        for (const MatchedMember& member : collective.members) {
            StripMember& part = strips.ranks[read.places[member.rank]].members[member.collective];
            part.call = strips.calls.size();
            part.lastCameNs = std::clamp(lastNs, part.interval.startNs, part.interval.endNs);
            call.strips.push_back(read.places[member.rank]);
            call.members.push_back(member.collective);
        }
        if (last != nullptr && clocks.tellsApart(firstRank, last->rank, lastNs - firstNs))
            call.timing = u"%1 came last, %2 behind the first; data moved for %3"_s.arg(
                strips.ranks[read.places[last->rank]].label, durationText(lastNs - firstNs),
                durationText(std::max<std::int64_t>(0, endNs - lastNs)));
        else
            call.timing =
                u"The ranks came within what the clocks leave open (\u00b1%1)"_s.arg(durationText(clocks.errorNs));
        strips.calls.push_back(std::move(call));
    }
}

void frame(JobStrips& strips)
{
    Interval span{INT64_MAX, INT64_MIN};
    Interval active{INT64_MIN, INT64_MAX};
    for (const RankStrip& strip : strips.ranks) {
        if (!strip.trouble.isEmpty() || strip.span.empty())
            continue;
        span = {std::min(span.startNs, strip.span.startNs), std::max(span.endNs, strip.span.endNs)};
        if (!strip.steps.empty())
            active = {std::max(active.startNs, strip.steps.front().startNs),
                      std::min(active.endNs, strip.steps.back().endNs)};
    }
    strips.span = span.startNs < span.endNs ? span : Interval{};
    strips.active = active.startNs > INT64_MIN && active.startNs < active.endNs ? active : strips.span;
}

}  // namespace

JobPicture jobPicture(const Job& job, std::size_t count)
{
    JobPicture picture;
    const JobAnalysis read = analyseJob(job);
    picture.ofGpus = job.isOfGpus();
    picture.read = read.places.size();
    picture.count = std::max(count, job.ranks.size());
    const JobFigures figures = jobFigures(job);
    picture.answer = jobAnswer(job, figures, read);
    const Blocks communication =
        read.isOfSeveralRuns() ? Blocks() : communicationBlocks(read.communication, read.match, read.digests);
    for (const Block& block : communication) {
        if (const auto* table = std::get_if<Table>(&block); table != nullptr && picture.collectives.rows.empty())
            picture.collectives = *table;
        else if (const auto* sentence = std::get_if<Sentence>(&block); sentence != nullptr)
            picture.answer.emplace_back(Sentence{sentence->text, Tone::Muted});
    }
    for (const std::string& note : jobNotes(job))
        picture.notes << text(note);
    picture.ranks = jobTable(job, figures);
    picture.rankWords = figures.ranks.empty() ? std::string() : jobTableWords(job, figures);
    for (const RankFigures& rank : figures.ranks)
        picture.rankOfRow.push_back(rank.rank);
    picture.rankOfRow.resize(picture.ranks.rows.size(), SIZE_MAX);

    for (const JobRank& rank : job.ranks)
        picture.strips.ranks.push_back(stripOf(rank));
    for (std::size_t at = 0; at < read.digests.size(); ++at)
        fill(picture.strips.ranks[read.places[at]], read.digests[at], static_cast<std::uint32_t>(at), read.clocks);
    join(picture.strips, read);
    frame(picture.strips);
    return picture;
}

}  // namespace overlane
