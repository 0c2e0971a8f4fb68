#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/cause_table.h"
#include "core/base/printable_text.h"
#include "core/base/saturated.h"
#include "core/job/byte_record.h"
#include "core/job/rank_digest_body.h"
#include "core/job/rank_digest_layout.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostRanksOfGroup = 16384;
constexpr int kMostRank = 1 << 24;
// 73 years either way, and 3 days of one step: sums over all rows of a digest hold in 64 bits.
constexpr std::int64_t kFarthestNs = std::int64_t{1} << 61;
constexpr std::int64_t kLongestNs = std::int64_t{1} << 48;

std::optional<int> restored(std::int64_t number)
{
    return number < 0 || number > kMostRank ? std::nullopt : std::optional(static_cast<int>(number));
}

std::string readText(ByteCursor& cursor)
{
    std::string text = cursor.text();
    if (text.size() > kLongestDigestText)
        text.resize(kLongestDigestText);
    return printableText(text, TextLines::Several);
}

std::int64_t boundedTime(std::int64_t ns)
{
    return std::clamp(ns, -kFarthestNs, kFarthestNs);
}

std::int64_t boundedLength(std::int64_t ns)
{
    return std::clamp<std::int64_t>(ns, 0, kLongestNs);
}

Interval boundedInterval(std::int64_t startNs, std::int64_t endNs)
{
    return {boundedTime(startNs), std::max(boundedTime(startNs), boundedTime(endNs))};
}

// As they were written, mostly: then no memory is taken for it.
template <typename Row, typename Less>
void order(std::vector<Row>& rows, Less less)
{
    if (!std::is_sorted(rows.begin(), rows.end(), less))
        std::stable_sort(rows.begin(), rows.end(), less);
}

// Columns of one table, all of one length.
class Columns
{
public:
    Columns(ByteCursor& cursor, std::size_t mostRows) : m_cursor(cursor), m_most(mostRows) {}

    std::vector<std::int64_t> next()
    {
        std::vector<std::int64_t> values = m_cursor.integers();
        if (m_first)
            m_rows = values.size();
        m_first = false;
        if (values.size() != m_rows || m_rows > m_most)
            m_cursor.damaged();
        return values;
    }

private:
    ByteCursor& m_cursor;
    std::size_t m_most;
    std::size_t m_rows = 0;
    bool m_first = true;
};

void readTexts(ByteCursor& cursor, RankDigest& digest)
{
    for (const auto text : kDigestIdentityTexts)
        digest.identity.*text = readText(cursor);
    for (const auto text : kDigestTexts)
        digest.*text = readText(cursor);
}

void readNumbers(ByteCursor& cursor, RankDigest& digest)
{
    std::vector<std::int64_t> numbers = cursor.integers();
    numbers.resize(std::max(numbers.size(), kDigestOwnNumbers + std::size(kDigestNumbers)));
    digest.identity.rank = restored(numbers[0]);
    digest.identity.worldSize = restored(numbers[1]);
    digest.identity.localRank = restored(numbers[2]);
    digest.deviceId = static_cast<std::int32_t>(std::clamp<std::int64_t>(numbers[3], -1, kMostRank));
    digest.kernelsKnown = numbers[4] != 0;
    digest.span = boundedInterval(numbers[5], numbers[6]);
    digest.active = boundedInterval(numbers[7], numbers[8]);
    for (std::size_t at = 0; at < std::size(kDigestNumbers); ++at)
        digest.*kDigestNumbers[at] = std::clamp<std::int64_t>(numbers[kDigestOwnNumbers + at], 0, kFarthestNs);
    digest.stepNs = boundedLength(digest.stepNs);
}

void readFindings(ByteCursor& cursor, RankDigest& digest)
{
    for (std::uint64_t left = cursor.number(); left > 0 && cursor.ok() && digest.findings.size() < kMostDigestFindings;
         --left)
        digest.findings.push_back(readText(cursor));
}

std::size_t causeById(std::string_view id)
{
    for (const LostCauseRow& row : lostCauses())
        if (row.id == id)
            return static_cast<std::size_t>(row.cause);
    return static_cast<std::size_t>(LostCause::Unknown);
}

void readSteps(ByteCursor& cursor, RankDigest& digest)
{
    Columns columns(cursor, kMostDigestSteps * kReadersFactor + 1);
    const auto number = columns.next(), start = columns.next(), length = columns.next(), compute = columns.next(),
               communication = columns.next(), warmUp = columns.next(), host = columns.next(),
               hostLoader = columns.next(), hostCopy = columns.next();
    if (!cursor.ok() || number.empty())
        return;
    std::vector<DigestStep> rows(number.size());
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const std::int64_t startNs = boundedTime(start[at]);
        rows[at].number = number[at];
        rows[at].interval = boundedInterval(startNs, saturatedSum(startNs, boundedLength(length[at])));
        rows[at].computeNs = boundedLength(compute[at]);
        rows[at].communicationNs = boundedLength(communication[at]);
        rows[at].warmUp = warmUp[at] != 0;
        rows[at].hostNs = boundedLength(host[at]);
        rows[at].hostLoaderNs = boundedLength(hostLoader[at]);
        rows[at].hostCopyNs = boundedLength(hostCopy[at]);
    }
    for (std::uint64_t left = cursor.number(); left > 0 && cursor.ok(); --left) {
        const std::size_t cause = causeById(cursor.text());
        const std::vector<std::int64_t> lost = columns.next();
        if (!cursor.ok())
            return;
        for (std::size_t at = 0; at < rows.size(); ++at)
            rows[at].lostNs[cause] = boundedLength(saturatedSum(rows[at].lostNs[cause], boundedLength(lost[at])));
    }
    // Digests made before this was measured end here.
    if (!cursor.atEnd()) {
        const std::vector<std::int64_t> hostStep = columns.next(), held = columns.next();
        for (std::size_t at = 0; at < rows.size() && cursor.ok(); ++at) {
            rows[at].hostStepNs = boundedLength(hostStep[at]);
            rows[at].heldNs = std::min(boundedLength(held[at]), rows[at].hostStepNs);
        }
    }
    digest.whole = rows.front();
    rows.erase(rows.begin());
    order(rows, [](const DigestStep& a, const DigestStep& b) { return a.interval.startNs < b.interval.startNs; });
    digest.steps = std::move(rows);
    digest.steps.pack();
}

void readGroups(ByteCursor& cursor, RankDigest& digest)
{
    for (std::uint64_t left = cursor.number(); left > 0 && cursor.ok() && digest.groups.size() < kMostDigestGroups;
         --left) {
        DigestGroup group;
        group.name = readText(cursor);
        group.description = readText(cursor);
        for (const std::int64_t rank : cursor.integers())
            if (rank >= 0 && rank <= kMostRank && group.ranks.size() < kMostRanksOfGroup)
                group.ranks.push_back(static_cast<int>(rank));
        std::sort(group.ranks.begin(), group.ranks.end());
        group.size = static_cast<int>(std::min<std::uint64_t>(cursor.number(), kMostRank));
        group.sequenceIsGlobal = cursor.number() != 0;
        digest.groups.push_back(std::move(group));
    }
    if (cursor.atEnd() || !cursor.ok())
        return;
    const std::vector<std::int64_t> selves = cursor.integers();
    for (std::size_t at = 0; at < std::min(selves.size(), digest.groups.size()); ++at)
        digest.groups[at].self = static_cast<int>(std::clamp<std::int64_t>(selves[at], -1, kMostRank));
}

void readCollectives(ByteCursor& cursor, RankDigest& digest)
{
    Columns columns(cursor, kMostDigestCollectives * kReadersFactor);
    const auto group = columns.next(), kind = columns.next(), sequence = columns.next(), step = columns.next(),
               start = columns.next(), duration = columns.next(), bytes = columns.next(), exposed = columns.next();
    if (!cursor.ok())
        return;
    std::vector<DigestCollective> rows(group.size());
    for (std::size_t at = 0; at < rows.size(); ++at) {
        DigestCollective& one = rows[at];
        one.group = static_cast<std::uint32_t>(
            std::clamp<std::int64_t>(group[at], 0, std::numeric_limits<std::uint32_t>::max()));
        one.kind = kind[at] >= 0 && kind[at] < kCollectiveKindCount ? static_cast<CollectiveKind>(kind[at])
                                                                    : CollectiveKind::Unknown;
        one.sequence = sequence[at];
        one.step = step[at];
        one.startNs = boundedTime(start[at]);
        one.durationNs = boundedLength(duration[at]);
        one.bytes = boundedLength(bytes[at]);
        one.exposedNs = std::min(boundedLength(exposed[at]), one.durationNs);
    }
    if (!cursor.atEnd()) {
        const auto receives = columns.next(), peer = columns.next();
        for (std::size_t at = 0; at < rows.size() && cursor.ok(); ++at) {
            rows[at].receives = receives[at] != 0;
            rows[at].peer = static_cast<std::int16_t>(std::clamp<std::int64_t>(peer[at], -1, INT16_MAX));
        }
    }
    order(rows, [](const DigestCollective& a, const DigestCollective& b) { return a.startNs < b.startNs; });
    digest.collectives = std::move(rows);
    digest.collectives.pack();
}

void readStrip(ByteCursor& cursor, RankDigest& digest)
{
    const std::span<const std::uint8_t> cells = cursor.bytes();
    digest.strip.reserve(cells.size() / 3);
    for (std::size_t at = 0; at + 2 < cells.size(); at += 3)
        digest.strip.push_back({cells[at], cells[at + 1], cells[at + 2]});
}

void readSection(std::uint64_t id, ByteCursor& cursor, RankDigest& digest)
{
    if (id > std::numeric_limits<std::uint8_t>::max())
        return;
    switch (static_cast<DigestSection>(id)) {
        case DigestSection::Texts:
            return readTexts(cursor, digest);
        case DigestSection::Numbers:
            return readNumbers(cursor, digest);
        case DigestSection::Findings:
            return readFindings(cursor, digest);
        case DigestSection::Steps:
            return readSteps(cursor, digest);
        case DigestSection::Groups:
            return readGroups(cursor, digest);
        case DigestSection::Collectives:
            return readCollectives(cursor, digest);
        case DigestSection::Strip:
            return readStrip(cursor, digest);
    }
}

}  // namespace

Result<RankDigest> digestOfBody(std::span<const std::uint8_t> body)
{
    RankDigest digest;
    ByteCursor sections(body);
    bool ok = true;
    while (ok && sections.ok() && !sections.atEnd()) {
        const std::uint64_t id = sections.number();
        ByteCursor section(sections.bytes());
        readSection(id, section, digest);
        ok = section.ok();
    }
    for (const DigestCollective& one : std::as_const(digest.collectives))
        ok &= one.group < digest.groups.size();
    if (!ok || !sections.ok())
        return Error{"it is damaged; make the digest again."};
    return digest;
}

}  // namespace overlane
