#include "core/job/rank_alignment.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/statistics.h"

namespace overlane
{
namespace
{

// Whether two may be members of one: sizes agree too where both are known, but for kinds of which they differ by rank.
bool mayBeOne(const DigestCollective& a, const DigestCollective& b)
{
    const bool isUneven =
        a.kind == CollectiveKind::AllToAll || a.kind == CollectiveKind::Gather || a.kind == CollectiveKind::Scatter;
    return a.kind == b.kind && (isUneven || a.bytes == b.bytes || a.bytes == 0 || b.bytes == 0);
}

class Aligner
{
public:
    Aligner(const RankDigests& digests, const RankList& reference, const RankList& moved)
        : m_digests(digests), m_reference(reference), m_moved(moved)
    {
    }

    std::optional<std::int64_t> find(GroupAlignment& how) const
    {
        how = GroupAlignment::Steps;
        if (const std::optional<std::int64_t> shift = bySteps())
            return shift;
        how = GroupAlignment::Clock;
        if (const std::optional<std::int64_t> shift = byClock())
            return shift;
        how = GroupAlignment::Counted;
        if (m_reference.members.size() == m_moved.members.size() && agrees(0))
            return 0;
        how = GroupAlignment::Pattern;
        return byPattern();
    }

private:
    [[gnu::always_inline]] DigestCollective reference(std::size_t at) const
    {
        return m_digests[m_reference.rank].collectives[m_reference.members[at]];
    }
    [[gnu::always_inline]] DigestCollective moved(std::size_t at) const
    {
        return m_digests[m_moved.rank].collectives[m_moved.members[at]];
    }
    // Places of the moved list that lie in the reference.
    std::pair<std::int64_t, std::int64_t> common(std::int64_t shift) const
    {
        return {std::max<std::int64_t>(0, -shift),
                std::min(static_cast<std::int64_t>(m_moved.members.size()),
                         static_cast<std::int64_t>(m_reference.members.size()) - shift)};
    }
    bool agrees(std::int64_t shift) const
    {
        const auto [first, last] = common(shift);
        for (std::int64_t at = first; at < last; ++at)
            if (!mayBeOne(moved(static_cast<std::size_t>(at)), reference(static_cast<std::size_t>(at + shift))))
                return false;
        return first < last;
    }
    // The part of the common places whose steps are the same.
    double stepsAgree(std::int64_t shift) const
    {
        const auto [first, last] = common(shift);
        std::int64_t same = 0;
        std::int64_t all = 0;
        for (std::int64_t at = first; at < last; ++at) {
            const std::int64_t a = moved(static_cast<std::size_t>(at)).step;
            const std::int64_t b = reference(static_cast<std::size_t>(at + shift)).step;
            if (a < 0 || b < 0)
                continue;
            ++all;
            same += a == b;
        }
        return all == 0 ? 0 : static_cast<double>(same) / static_cast<double>(all);
    }

    std::optional<std::int64_t> bySteps() const
    {
        std::unordered_map<std::int64_t, std::int64_t> firstOf;  // in the reference
        for (std::size_t at = 0; at < m_reference.members.size(); ++at)
            if (const std::int64_t step = reference(at).step; step >= 0)
                firstOf.try_emplace(step, static_cast<std::int64_t>(at));
        std::set<std::int64_t> candidates;
        std::set<std::int64_t> met;
        std::int64_t before = -1;  // those of one step mostly follow each other
        for (std::size_t at = 0; at < m_moved.members.size(); ++at) {
            const std::int64_t step = std::exchange(before, moved(at).step);
            if (step == before && at > 0)
                continue;
            if (const auto found = firstOf.find(before); found != firstOf.end() && met.insert(found->first).second)
                candidates.insert(found->second - static_cast<std::int64_t>(at));
        }
        constexpr double kSure = 0.98;  // the steps are those of the calls, so that all agree but for damage
        std::optional<std::int64_t> best;
        double bestAgrees = 0;
        bool isOnly = true;
        for (const std::int64_t shift : candidates) {
            const double part = agrees(shift) ? stepsAgree(shift) : 0;
            if (part < kSure || part < bestAgrees)
                continue;
            isOnly = part > bestAgrees;
            bestAgrees = part;
            best = shift;
        }
        return isOnly ? best : std::nullopt;
    }

    // Ranks of one host read one clock: members end at nearly the same time.
    std::optional<std::int64_t> byClock() const
    {
        const RankDigest& a = m_digests[m_reference.rank];
        const RankDigest& b = m_digests[m_moved.rank];
        const bool knowsEpochs = a.identity.gpu || (a.startEpochNs != 0 && b.startEpochNs != 0);
        if (!areOnOneHost(a.identity, b.identity) || !knowsEpochs)
            return std::nullopt;
        const std::int64_t laterNs = b.startEpochNs - a.startEpochNs;
        const auto endOf = [](const DigestCollective& one) { return one.startNs + one.durationNs; };
        std::vector<std::int64_t> ends;  // in the reference
        for (std::size_t at = 0; at < m_reference.members.size(); ++at)
            ends.push_back(endOf(reference(at)));
        if (!std::is_sorted(ends.begin(), ends.end()))
            return std::nullopt;
        constexpr std::size_t kProbes = 15;
        std::set<std::int64_t> candidates;
        const std::size_t count = m_moved.members.size();
        for (std::size_t probe = 0; probe < std::min(kProbes, count); ++probe) {
            const std::size_t at = probe * count / std::min(kProbes, count);
            const std::int64_t endNs = endOf(moved(at)) + laterNs;
            const auto next = std::lower_bound(ends.begin(), ends.end(), endNs) - ends.begin();
            for (const std::int64_t place : {next - 1, next})
                if (place >= 0 && place < static_cast<std::int64_t>(ends.size()))
                    candidates.insert(place - static_cast<std::int64_t>(at));
        }
        std::vector<std::pair<std::int64_t, std::int64_t>> apart;  // median distance of the ends, shift
        for (const std::int64_t shift : candidates) {
            if (!agrees(shift))
                continue;
            const auto [first, last] = common(shift);
            std::vector<std::int64_t> distances;
            for (std::int64_t at = first; at < last; ++at)
                distances.push_back(std::abs(endOf(moved(static_cast<std::size_t>(at))) + laterNs -
                                             ends[static_cast<std::size_t>(at + shift)]));
            apart.emplace_back(median(std::move(distances)), shift);
        }
        std::sort(apart.begin(), apart.end());
        constexpr std::int64_t kFarther = 4;
        if (apart.empty() || (apart.size() > 1 && apart[1].first < kFarther * apart[0].first))
            return std::nullopt;
        return apart[0].second;
    }

    std::optional<std::int64_t> byPattern() const
    {
        constexpr std::int64_t kLongest = 4096;
        const auto referenceSize = static_cast<std::int64_t>(m_reference.members.size());
        const auto movedSize = static_cast<std::int64_t>(m_moved.members.size());
        if (referenceSize > kLongest)
            return std::nullopt;
        const std::int64_t leastCommon = (3 * movedSize + 3) / 4;
        std::optional<std::int64_t> only;
        for (std::int64_t shift = leastCommon - movedSize; shift <= referenceSize - leastCommon; ++shift) {
            if (!agrees(shift))
                continue;
            if (only)
                return std::nullopt;
            only = shift;
        }
        return only;
    }

    const RankDigests& m_digests;
    const RankList& m_reference;
    const RankList& m_moved;
};

}  // namespace

std::optional<std::int64_t> alignRank(const RankDigests& digests, const RankList& reference, const RankList& moved,
                                      GroupAlignment& how)
{
    return Aligner(digests, reference, moved).find(how);
}

}  // namespace overlane
