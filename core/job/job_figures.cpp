#include "core/job/job_figures.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>

#include "core/analysis/steps.h"
#include "core/base/statistics.h"
#include "core/base/units.h"
#include "core/job/held_back.h"
#include "core/job/job_notes.h"

namespace overlane
{
namespace
{

bool hasTimes(const JobRank& rank)
{
    return rank.isRead() && rank.digest.deviceId >= 0 && rank.digest.kernelsKnown &&
           rank.digest.whole.interval.lengthNs() > 0;
}

RankFigures figuresOf(const RankDigest& digest, std::size_t place, bool perStep)
{
    const Interval range = digest.whole.interval;
    RankFigures made{place, perStep ? digest.stepNs : range.lengthNs(), partsOf(digest.whole)};
    if (perStep)
        for (std::int64_t& partNs : made.partNs)
            partNs = perStepNs(partNs, range, digest.stepNs);
    return made;
}

template <typename Value>
std::int64_t medianOf(const std::vector<RankFigures>& ranks, Value value)
{
    std::vector<std::int64_t> values;
    values.reserve(ranks.size());
    for (const RankFigures& rank : ranks)
        values.push_back(value(rank));
    return median(std::move(values));
}

// How far a rank is from the median one in its most different figure.
std::int64_t distance(const RankFigures& rank, const RankFigures& median)
{
    std::int64_t most = std::abs(rank.stepNs - median.stepNs);
    for (std::size_t part = 0; part < rank.partNs.size(); ++part)
        most = std::max(most, std::abs(rank.partNs[part] - median.partNs[part]));
    return most;
}

void findSlowest(JobFigures& figures)
{
    const auto& ranks = figures.ranks;
    const auto byStep = [](const RankFigures& a, const RankFigures& b) { return a.stepNs < b.stepNs; };
    const auto byOwn = [](const RankFigures& a, const RankFigures& b) { return a.ownNs() < b.ownNs(); };
    const auto [least, most] = std::minmax_element(ranks.begin(), ranks.end(), byStep);
    figures.keepsPace = double(most->stepNs - least->stepNs) <= kSamePaceShare * double(figures.median.stepNs);
    const auto slowest = std::max_element(ranks.begin(), ranks.end(), byOwn);
    figures.slowest = static_cast<std::size_t>(slowest - ranks.begin());
    figures.slowestMoreNs = slowest->ownNs() - medianOf(ranks, [](const RankFigures& rank) { return rank.ownNs(); });
    for (const RankPartRow& row : rankParts()) {
        // They may wait for each other in it: that it is longer explains nothing.
        if (row.part == RankPart::Communication)
            continue;
        const auto part = static_cast<std::size_t>(row.part);
        const std::int64_t moreNs = slowest->partNs[part] - figures.median.partNs[part];
        if (moreNs > figures.slowestPartMoreNs) {
            figures.slowestPart = row.part;
            figures.slowestPartMoreNs = moreNs;
        }
    }
}

// "12.3 ms +": more than the median rank by what is notable.
Cell markedCell(std::int64_t ns, std::int64_t medianNs, std::int64_t notableNs)
{
    Cell cell = durationCell(ns);
    const std::int64_t moreNs = ns - medianNs;
    const bool notable = notableNs > 0 && std::abs(moreNs) >= notableNs;
    cell.text += !notable ? "  " : moreNs > 0 ? " +" : " -";
    if (notable)
        cell.tone = moreNs > 0 ? Tone::Worse : Tone::Better;
    return cell;
}

std::string differenceText(const Job& job, const RankFigures& rank, const JobFigures& figures)
{
    std::string text;
    const auto add = [&](std::string_view name, std::int64_t ns, std::int64_t medianNs) {
        if (figures.notableNs > 0 && std::abs(ns - medianNs) >= figures.notableNs)
            text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", formatDuration(std::abs(ns - medianNs)),
                                ns > medianNs ? "more" : "less", name);
    };
    for (const RankPartRow& row : rankParts()) {
        const auto part = static_cast<std::size_t>(row.part);
        add(row.words, rank.partNs[part], figures.median.partNs[part]);
    }
    return text.empty() ? text : fmt::format("Than the median {}: {}.", job.rowWord(), text);
}

// A file's name may be as long as a line; its end tells more than its middle.
std::string shortLabel(const std::string& label)
{
    constexpr std::size_t kMostBytes = 26;
    constexpr std::size_t kHead = 8;
    if (label.size() <= kMostBytes)
        return label;
    std::size_t head = kHead;
    while (head > 0 && (static_cast<unsigned char>(label[head]) & 0xC0) == 0x80)
        --head;
    std::size_t tail = label.size() - (kMostBytes - kHead - 3);
    while (tail < label.size() && (static_cast<unsigned char>(label[tail]) & 0xC0) == 0x80)
        ++tail;
    return label.substr(0, head) + "..." + label.substr(tail);
}

std::string whyNoSteps(const Job& job, const JobFigures& figures)
{
    if (figures.unlike)
        return fmt::format(", whose steps are not the same ones ({} to {})", formatDuration(figures.unlike->shortestNs),
                           formatDuration(figures.unlike->longestNs));
    return job.isOfGpus() ? "" : ", not all with steps";
}

// "4 ranks keep pace: 40.8 ms a step."
std::string paceText(const Job& job, const JobFigures& figures, std::string_view words)
{
    const std::string ranks = fmt::format("{} {}s{}", formatCount(static_cast<std::int64_t>(figures.ranks.size())),
                                          job.rowWord(), job.isOfGpus() ? " of one process" : "");
    const std::string time = formatDuration(figures.median.stepNs);
    return figures.perStep
               ? fmt::format("{}{}: {} a step.", ranks, words, time)
               : fmt::format("{}{}{}: {} of work.", ranks, figures.unlike ? "" : words, whyNoSteps(job, figures), time);
}

// What bounds the step where no rank stands out; empty without time.
std::string largestPartText(const Job& job, const JobFigures& figures)
{
    const auto& parts = figures.median.partNs;
    const auto most = std::max_element(parts.begin(), parts.end());
    if (*most <= 0 || figures.median.stepNs <= 0)
        return {};
    const auto part = static_cast<RankPart>(most - parts.begin());
    return fmt::format("Largest part of the median {}'s {}: {}, {} of {} ({}).", job.rowWord(),
                       figures.perStep ? "step" : "time", rowOf(part).words, formatDuration(*most),
                       formatDuration(figures.median.stepNs),
                       formatShare(double(*most) / double(figures.median.stepNs)));
}

// What differs most is idle time of no known cause: a rank that waits for a message and one that is late look alike
// then, until their calls are matched.
bool waitsUnseen(const JobFigures& figures, const JobAnalysis& analysis)
{
    return figures.slowestPart == RankPart::Idle && figures.slowestPartMoreNs >= figures.notableNs &&
           analysis.match.collectives.empty();
}

// At the start of a sentence.
std::string nameOf(const JobRank& rank)
{
    std::string name = rank.label();
    if (rank.identity.rank)
        name.front() = 'R';
    return name;
}

void append(Blocks& blocks, Blocks more)
{
    blocks.insert(blocks.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// With at most so many rows of each table.
Blocks shortened(Blocks blocks, std::size_t mostRows)
{
    for (Block& block : blocks)
        if (auto* table = std::get_if<Table>(&block); table != nullptr && table->rows.size() > mostRows) {
            table->title += fmt::format(" (the first {} of {})", mostRows, table->rows.size());
            table->rows.resize(mostRows);
        }
    return blocks;
}

}  // namespace

JobFigures jobFigures(const Job& job)
{
    JobFigures made;
    RankDigests timed;
    for (const JobRank& rank : job.ranks)
        if (hasTimes(rank))
            timed.add(rank.digest);
    made.unlike = job.isOfGpus() ? std::nullopt : unlikeSteps(timed);
    made.perStep = !made.unlike;
    for (const RankDigest& digest : timed)
        made.perStep = made.perStep && digest.stepNs > 0;
    for (std::size_t at = 0; at < job.ranks.size(); ++at)
        if (hasTimes(job.ranks[at]))
            made.ranks.push_back(figuresOf(job.ranks[at].digest, at, made.perStep));
    if (made.ranks.empty())
        return made;
    made.median.stepNs = medianOf(made.ranks, [](const RankFigures& rank) { return rank.stepNs; });
    for (std::size_t part = 0; part < kRankPartCount; ++part)
        made.median.partNs[part] = medianOf(made.ranks, [&](const RankFigures& rank) { return rank.partNs[part]; });
    made.notableNs = std::max<std::int64_t>(1, saturatedRound(kNotableShare * double(made.median.stepNs)));
    if (made.ranks.size() > 1)
        findSlowest(made);
    return made;
}

std::string slowestSentence(const Job& job, const JobFigures& figures)
{
    if (!figures.slowest)
        return {};
    const std::string pace = paceText(job, figures, figures.keepsPace ? " keep pace" : "");
    if (figures.slowestMoreNs < figures.notableNs)
        return pace + " Outside communication they differ little.";
    const RankFigures& rank = figures.ranks[*figures.slowest];
    std::string text = fmt::format("{} {} takes longest outside communication: {}, {} more than the median {}.", pace,
                                   nameOf(job.ranks[rank.rank]), formatDuration(rank.ownNs()),
                                   formatDuration(figures.slowestMoreNs), job.rowWord());
    if (figures.slowestPart)
        text += fmt::format(" Largest difference: {}, {} more.", rowOf(*figures.slowestPart).words,
                            formatDuration(figures.slowestPartMoreNs));
    return text;
}

Table jobTable(const Job& job, const JobFigures& figures)
{
    Table table{{}, {{"rank", job.rowWord(), Column::Kind::Words}, {"step_ns", figures.perStep ? "step" : "time"}}, {}};
    for (const RankPartRow& row : rankParts())
        table.columns.push_back({std::string(row.key), std::string(row.title)});
    const auto add = [&](std::string name, const RankFigures& rank, bool marks) {
        const std::int64_t notableNs = marks ? figures.notableNs : 0;
        Table::Row row{{Cell{std::move(name)}, markedCell(rank.stepNs, figures.median.stepNs, notableNs)},
                       marks ? differenceText(job, rank, figures) : std::string()};
        for (std::size_t part = 0; part < kRankPartCount; ++part)
            row.cells.push_back(markedCell(rank.partNs[part], figures.median.partNs[part], notableNs));
        table.rows.push_back(std::move(row));
    };
    const bool marks = figures.ranks.size() > 1;
    for (const RankFigures& rank : figures.ranks)
        add(shortLabel(job.ranks[rank.rank].label()), rank, marks);
    if (marks)
        add("median", figures.median, false);
    return table;
}

Table mostDifferentRows(const JobFigures& figures, const Table& table, std::size_t rows)
{
    const std::size_t ranks = figures.ranks.size();
    if (ranks <= rows)
        return table;
    std::vector<std::size_t> places(ranks);
    for (std::size_t at = 0; at < ranks; ++at)
        places[at] = at;
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
        return distance(figures.ranks[a], figures.median) > distance(figures.ranks[b], figures.median);
    });
    places.resize(rows);
    std::sort(places.begin(), places.end());
    Table picked{table.title, table.columns, {}};
    for (const std::size_t place : places)
        picked.rows.push_back(table.rows[place]);
    picked.rows.insert(picked.rows.end(), table.rows.begin() + static_cast<std::ptrdiff_t>(ranks), table.rows.end());
    return picked;
}

Blocks jobAnswer(const Job& job, const JobFigures& figures, const JobAnalysis& analysis)
{
    if (analysis.isOfSeveralRuns())
        return {Sentence{analysis.stragglers.whyNot, Tone::Warning, true}};
    Blocks blocks;
    // GPUs of one process wait for its host more than for each other: only one that holds up the others is an answer.
    const bool isAnswer =
        job.isOfGpus() ? !analysis.stragglers.stragglers.empty() : analysis.comparesRanks() || analysis.stragglers.last;
    if (isAnswer)
        blocks = stragglerBlocks(analysis.stragglers, analysis.digests);
    // Without collectives the rank that takes longest by itself is the answer.
    const bool unseen = !job.isOfGpus() && waitsUnseen(figures, analysis);
    const bool isNamed = !analysis.stragglers.stragglers.empty() ||
                         (!isAnswer && !unseen && figures.slowest && figures.slowestMoreNs >= figures.notableNs);
    const std::optional<HeldBack> held = isNamed ? std::nullopt : heldBack(job, figures);
    if (held) {
        Blocks lead = heldBackBlocks(*held, figures, analysis);
        append(lead, std::move(blocks));
        blocks = std::move(lead);
    }
    const std::string fills = held ? std::string() : largestPartText(job, figures);
    if (isAnswer && analysis.comparesRanks()) {
        if (analysis.stragglers.stragglers.empty() && !fills.empty())
            blocks.emplace_back(Sentence{fills});
        return blocks;
    }
    const std::string words = unseen ? paceText(job, figures, "") +
                                           " They differ most in idle time of no known cause, and no "
                                           "call of theirs is matched, so that who waits for whom is not known."
                                     : slowestSentence(job, figures);
    if (!words.empty())
        blocks.emplace_back(Sentence{words, Tone::Plain, blocks.empty()});
    if (!words.empty() && !fills.empty())
        blocks.emplace_back(Sentence{fills});
    return blocks;
}

std::string jobTableWords(const Job& job, const JobFigures& figures)
{
    std::string words = "Communication and copies: their exposed parts.";
    if (figures.ranks.size() > 1)
        words += fmt::format(" + and -: {} ({} of the step) or more off the median {}.",
                             formatDuration(figures.notableNs), formatShare(kNotableShare), job.rowWord());
    return words;
}

Blocks jobBlocks(const Job& job, std::size_t mostRows)
{
    const JobFigures figures = jobFigures(job);
    const JobAnalysis analysis = analyzeJob(job);
    Blocks blocks = jobAnswer(job, figures, analysis);
    if (!figures.ranks.empty()) {
        blocks.emplace_back(mostDifferentRows(figures, jobTable(job, figures), mostRows));
        std::string words = jobTableWords(job, figures);
        if (figures.ranks.size() > mostRows)
            words += fmt::format(" Shown are the {} ranks that differ most.", mostRows);
        blocks.emplace_back(Sentence{words, Tone::Muted});
    } else {
        blocks.emplace_back(Sentence{"No rank has GPU work to compare.", Tone::Plain, true});
    }
    if (!analysis.communication.families.empty()) {
        append(blocks,
               shortened(communicationBlocks(analysis.communication, analysis.match, analysis.digests), mostRows));
        append(blocks, shortened(clockBlocks(analysis.clocks, analysis.digests), mostRows));
    }
    append(blocks, matchRemarks(analysis.match, analysis.digests));
    if (std::vector<std::string> notes = jobNotes(job); !notes.empty())
        blocks.emplace_back(List{"", std::move(notes), Tone::Warning});
    return blocks;
}

}  // namespace overlane
