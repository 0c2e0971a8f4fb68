#include "core/job/own_steps.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/saturated.h"
#include "core/base/statistics.h"

namespace overlane
{
namespace
{

std::int64_t lostTo(const DigestStep& step, std::initializer_list<LostCause> causes)
{
    std::int64_t sum = 0;
    for (const LostCause cause : causes)
        sum = saturatedSum(sum, step.lostNs[static_cast<std::size_t>(cause)]);
    return sum;
}

std::int64_t& partOf(OwnStep& step, OwnPart part)
{
    return step.partNs[static_cast<std::size_t>(part)];
}

OwnStep ownStepOf(const DigestStep& step, bool knowsHosts)
{
    OwnStep own;
    partOf(own, OwnPart::Compute) = step.computeNs;
    partOf(own, OwnPart::Link) =
        lostTo(step, {LostCause::Copies, LostCause::ReadBack, LostCause::Migration, LostCause::OtherWork});
    own.gpuNs = saturatedSum(step.computeNs, partOf(own, OwnPart::Link));
    if (!knowsHosts)
        return own;
    own.hostNs = step.hostNs;
    own.hostStepNs = step.hostStepNs - step.heldNs;
    partOf(own, OwnPart::Loader) = step.hostLoaderNs;
    partOf(own, OwnPart::CopyCalls) = step.hostCopyNs;
    partOf(own, OwnPart::Host) = std::max<std::int64_t>(step.hostNs - step.hostLoaderNs - step.hostCopyNs, 0);
    return own;
}

// Of each figure by itself.
template <typename Middle>
OwnStep middleOf(const std::vector<OwnStep>& steps, Middle middle)
{
    const auto of = [&](auto figure) {
        std::vector<std::int64_t> values;
        values.reserve(steps.size());
        for (const OwnStep& step : steps)
            values.push_back(figure(step));
        return middle(std::move(values));
    };
    OwnStep made;
    made.gpuNs = of([](const OwnStep& step) { return step.gpuNs; });
    made.hostNs = of([](const OwnStep& step) { return step.hostNs; });
    made.hostStepNs = of([](const OwnStep& step) { return step.hostStepNs; });
    for (std::size_t part = 0; part < made.partNs.size(); ++part)
        made.partNs[part] = of([&](const OwnStep& step) { return step.partNs[part]; });
    return made;
}

std::int64_t meanOf(const std::vector<std::int64_t>& values)
{
    std::int64_t sum = 0;
    for (const std::int64_t value : values)
        sum = saturatedSum(sum, value);
    return sum / static_cast<std::int64_t>(std::max<std::size_t>(values.size(), 1));
}

}  // namespace

std::optional<UnlikeSteps> unlikeSteps(const RankDigests& digests)
{
    constexpr double kUnlike = 1.5;
    std::optional<UnlikeSteps> found;
    for (const RankDigest& digest : digests) {
        if (digest.stepNs <= 0)
            continue;
        if (!found)
            found = {digest.stepNs, digest.stepNs};
        found->shortestNs = std::min(found->shortestNs, digest.stepNs);
        found->longestNs = std::max(found->longestNs, digest.stepNs);
    }
    if (!found || static_cast<double>(found->longestNs) <= kUnlike * static_cast<double>(found->shortestNs))
        return std::nullopt;
    return found;
}

OwnSteps::OwnSteps(const RankDigests& digests)
{
    findNumbers(digests);
    std::vector<std::vector<std::size_t>> compared;  // of each rank the places of its steps of these numbers
    std::vector<std::int64_t> lengths;
    for (const RankDigest& digest : digests) {
        std::unordered_map<std::int64_t, std::size_t> byNumber;
        for (std::size_t at = 0; at < digest.steps.size(); ++at)
            byNumber.emplace(digest.steps[at].number, at);
        std::int64_t sumNs = 0;
        compared.emplace_back();
        for (const std::int64_t number : m_numbers) {
            const std::size_t at = byNumber.at(number);
            const DigestStep step = digest.steps[at];
            compared.back().push_back(at);
            sumNs = saturatedSum(sumNs, step.interval.lengthNs());
            m_knowsHosts = m_knowsHosts && step.hostStepNs > 0;
        }
        lengths.push_back(sumNs / static_cast<std::int64_t>(std::max<std::size_t>(m_numbers.size(), 1)));
    }
    m_jobStepNs = lowerMedian(std::move(lengths));
    for (std::size_t rank = 0; rank < digests.size(); ++rank) {
        m_steps.emplace_back();
        for (const std::size_t at : compared[rank])
            m_steps.back().push_back(ownStepOf(digests[rank].steps[at], m_knowsHosts));
        m_means.push_back(middleOf(m_steps.back(), &meanOf));
        m_medians.push_back(middleOf(m_steps.back(), [](auto values) { return overlane::median(std::move(values)); }));
    }
}

void OwnSteps::findNumbers(const RankDigests& digests)
{
    std::map<std::int64_t, std::size_t> counts;
    std::unordered_set<std::int64_t> leftOut;
    for (const RankDigest& digest : digests) {
        std::unordered_set<std::int64_t> met;  // a number may come twice
        for (const DigestStep& step : digest.steps) {
            counts[step.number] += met.insert(step.number).second ? 1 : 0;
            if (step.warmUp)
                leftOut.insert(step.number);
        }
        if (!digest.steps.empty())
            leftOut.insert(digest.steps.back().number);
    }
    for (const auto& [number, count] : counts)
        if (count == digests.size() && !leftOut.contains(number))
            m_numbers.push_back(number);
}

bool OwnSteps::has(std::int64_t number) const
{
    return std::binary_search(m_numbers.begin(), m_numbers.end(), number);
}

std::vector<std::int64_t> OwnSteps::seriesOf(std::size_t rank) const
{
    const bool isHost = m_means[rank].hostStepNs >= m_means[rank].gpuNs;
    std::vector<std::int64_t> series;
    for (const OwnStep& step : m_steps[rank])
        series.push_back(isHost ? step.hostStepNs : step.gpuNs);
    return series;
}

std::vector<std::int64_t> OwnSteps::seriesOf(std::size_t rank, OwnPart part) const
{
    std::vector<std::int64_t> series;
    for (const OwnStep& step : m_steps[rank])
        series.push_back(step.partNs[static_cast<std::size_t>(part)]);
    return series;
}

}  // namespace overlane
