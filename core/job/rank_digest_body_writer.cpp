#include <algorithm>
#include <string>
#include <vector>

#include "core/analysis/cause_table.h"
#include "core/job/byte_record.h"
#include "core/job/rank_digest_body.h"
#include "core/job/rank_digest_layout.h"

namespace overlane
{
namespace
{

std::int64_t stored(const std::optional<int>& number)
{
    return number ? *number : -1;
}

template <typename Rows, typename Value>
void column(ByteRecord& record, const Rows& rows, Value value)
{
    std::vector<std::int64_t> values;
    values.reserve(rows.size());
    for (const auto& row : rows)
        values.push_back(static_cast<std::int64_t>(value(row)));
    record.integers(values);
}

ByteRecord textsOf(const RankDigest& digest)
{
    ByteRecord record;
    for (const auto text : kDigestIdentityTexts)
        record.text(digest.identity.*text);
    for (const auto text : kDigestTexts)
        record.text(digest.*text);
    return record;
}

ByteRecord numbersOf(const RankDigest& digest)
{
    std::vector<std::int64_t> numbers{stored(digest.identity.rank),
                                      stored(digest.identity.worldSize),
                                      stored(digest.identity.localRank),
                                      digest.deviceId,
                                      digest.kernelsKnown ? 1 : 0,
                                      digest.span.startNs,
                                      digest.span.endNs,
                                      digest.active.startNs,
                                      digest.active.endNs};
    for (const auto number : kDigestNumbers)
        numbers.push_back(digest.*number);
    ByteRecord record;
    record.integers(numbers);
    return record;
}

ByteRecord stepsOf(const RankDigest& digest)
{
    std::vector<DigestStep> rows{digest.whole};
    rows.insert(rows.end(), digest.steps.begin(), digest.steps.end());
    ByteRecord record;
    column(record, rows, [](const DigestStep& row) { return row.number; });
    column(record, rows, [](const DigestStep& row) { return row.interval.startNs; });
    column(record, rows, [](const DigestStep& row) { return row.interval.lengthNs(); });
    column(record, rows, [](const DigestStep& row) { return row.computeNs; });
    column(record, rows, [](const DigestStep& row) { return row.communicationNs; });
    column(record, rows, [](const DigestStep& row) { return row.warmUp ? 1 : 0; });
    column(record, rows, [](const DigestStep& row) { return row.hostNs; });
    column(record, rows, [](const DigestStep& row) { return row.hostLoaderNs; });
    column(record, rows, [](const DigestStep& row) { return row.hostCopyNs; });
    std::vector<std::size_t> used;
    for (std::size_t cause = 0; cause < kLostCauseCount; ++cause)
        if (std::any_of(rows.begin(), rows.end(), [&](const DigestStep& row) { return row.lostNs[cause] != 0; }))
            used.push_back(cause);
    record.number(used.size());
    for (const std::size_t cause : used) {
        record.text(lostCauses()[cause].id);
        column(record, rows, [&](const DigestStep& row) { return row.lostNs[cause]; });
    }
    column(record, rows, [](const DigestStep& row) { return row.hostStepNs; });
    column(record, rows, [](const DigestStep& row) { return row.heldNs; });
    return record;
}

ByteRecord groupsOf(const RankDigest& digest)
{
    ByteRecord record;
    record.number(digest.groups.size());
    for (const DigestGroup& group : digest.groups) {
        record.text(group.name);
        record.text(group.description);
        column(record, group.ranks, [](int rank) { return rank; });
        record.number(static_cast<std::uint64_t>(std::max(group.size, 0)));
        record.number(group.sequenceIsGlobal ? 1 : 0);
    }
    column(record, digest.groups, [](const DigestGroup& group) { return group.self; });
    return record;
}

ByteRecord collectivesOf(const RankDigest& digest)
{
    using One = DigestCollective;
    ByteRecord record;
    column(record, digest.collectives, [](const One& one) { return one.group; });
    column(record, digest.collectives, [](const One& one) { return static_cast<int>(one.kind); });
    column(record, digest.collectives, [](const One& one) { return one.sequence; });
    column(record, digest.collectives, [](const One& one) { return one.step; });
    column(record, digest.collectives, [](const One& one) { return one.startNs; });
    column(record, digest.collectives, [](const One& one) { return one.durationNs; });
    column(record, digest.collectives, [](const One& one) { return one.bytes; });
    column(record, digest.collectives, [](const One& one) { return one.exposedNs; });
    column(record, digest.collectives, [](const One& one) { return one.receives ? 1 : 0; });
    column(record, digest.collectives, [](const One& one) { return one.peer; });
    return record;
}

void limitText(std::string& text)
{
    if (text.size() <= kLongestDigestText)
        return;
    std::size_t end = kLongestDigestText;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;  // a character is cut off as a whole
    text.resize(end);
}

}  // namespace

void limitTexts(RankDigest& digest)
{
    for (const auto text : kDigestIdentityTexts)
        limitText(digest.identity.*text);
    for (const auto text : kDigestTexts)
        limitText(digest.*text);
    digest.findings.resize(std::min(digest.findings.size(), kMostDigestFindings));
    if (digest.groups.size() > kMostDigestGroups) {
        digest.groups.resize(kMostDigestGroups);
        const std::size_t before = digest.collectives.size();
        std::erase_if(digest.collectives.edit(),
                      [](const DigestCollective& one) { return one.group >= kMostDigestGroups; });
        digest.collectivesLeftOut += static_cast<std::int64_t>(before - digest.collectives.size());
    }
    for (std::string& finding : digest.findings)
        limitText(finding);
    for (DigestGroup& group : digest.groups) {
        limitText(group.name);
        limitText(group.description);
    }
}

PackedBytes digestBody(const RankDigest& digest)
{
    ByteRecord findings;
    findings.number(digest.findings.size());
    for (const std::string& finding : digest.findings)
        findings.text(finding);
    PackedBytes cells;
    for (const DigestCell& cell : digest.strip)
        cells.insert(cells.end(), {cell.compute, cell.communication, cell.copies});
    ByteRecord strip;
    strip.bytes(cells);
    ByteRecord body;
    const auto add = [&](DigestSection id, const ByteRecord& section) {
        body.number(static_cast<std::uint64_t>(id));
        body.bytes(section.all());
    };
    add(DigestSection::Texts, textsOf(digest));
    add(DigestSection::Numbers, numbersOf(digest));
    add(DigestSection::Findings, findings);
    add(DigestSection::Steps, stepsOf(digest));
    add(DigestSection::Groups, groupsOf(digest));
    add(DigestSection::Collectives, collectivesOf(digest));
    add(DigestSection::Strip, strip);
    return body.all();
}

}  // namespace overlane
