// Which of the settings that were tried is advised.
#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "core/sweep/advisor.h"
#include "core/sweep/advisor_error.h"

namespace overlane
{
namespace
{

// Times that differ by less are the same: the simulation's own grain.
constexpr double kSameTime = 0.002;

using Candidates = std::vector<const AdvisorCandidate*>;

// Less to pay for and to change, for two that are equally fast.
auto effort(const AdvisorCandidate& candidate, const Scenario& now)
{
    const Scenario& scenario = candidate.scenario;
    const bool side = scenario.copyStream == CopyStream::Side;
    // Beside pinned memory or a stream of its own, non_blocking=True is what people write.
    const bool usual = scenario.nonBlocking == (side || candidate.pinnedPeakBytes > 0);
    return std::tuple(candidate.pinnedPeakBytes, scenario.workers, candidate.hostBytes, !usual,
                      changedKeys(now, scenario).size(), side, scenario.deviceBuffers);
}

// Those that none beats in both; of equally fast ones the least effort.
std::vector<AdvisorCandidate> paretoFront(std::vector<AdvisorCandidate> candidates, const Scenario& now)
{
    std::erase_if(candidates, [](const AdvisorCandidate& candidate) { return !candidate.fits; });
    std::sort(candidates.begin(), candidates.end(), [](const AdvisorCandidate& a, const AdvisorCandidate& b) {
        return std::tuple(a.pinnedPeakBytes, a.batchNs) < std::tuple(b.pinnedPeakBytes, b.batchNs);
    });
    std::vector<AdvisorCandidate> front;
    for (auto at = candidates.begin(); at != candidates.end();) {
        const auto next = std::find_if(at, candidates.end(), [at](const AdvisorCandidate& other) {
            return other.pinnedPeakBytes != at->pinnedPeakBytes;
        });
        // Of the same pinned memory: the least effort among the fastest.
        const double fastest = at->batchNs;
        const auto best =
            std::min_element(at, next, [&now, fastest](const AdvisorCandidate& a, const AdvisorCandidate& b) {
                const bool slowA = a.batchNs > fastest * (1 + kSameTime);
                const bool slowB = b.batchNs > fastest * (1 + kSameTime);
                return slowA != slowB ? slowB : effort(a, now) < effort(b, now);
            });
        if (front.empty() || best->batchNs < front.back().batchNs * (1 - kSameTime))
            front.push_back(*best);
        at = next;
    }
    return front;
}

bool worthMoreThan(double slowerNs, double fasterNs, double win = kWorthwhile)
{
    return fasterNs < slowerNs * (1 - win);
}

// Puts the settings that are advised where it stops paying, in the place of all that cost as much and win less
// than is worth it.
void placeAdvised(Advice& advice)
{
    const AdvisorCandidate& advised = advice.advised;
    const auto cheaper = [&](const AdvisorCandidate& row) {
        return row.pinnedPeakBytes < advised.pinnedPeakBytes && worthMoreThan(row.batchNs, advised.batchNs);
    };
    const auto faster = [&](const AdvisorCandidate& row) {
        return row.pinnedPeakBytes > advised.pinnedPeakBytes && row.batchNs < advised.batchNs * (1 - kSameTime);
    };
    std::vector<AdvisorCandidate> front;
    std::copy_if(advice.front.begin(), advice.front.end(), std::back_inserter(front), cheaper);
    advice.knee = front.size();
    front.push_back(advised);
    std::copy_if(advice.front.begin(), advice.front.end(), std::back_inserter(front), faster);
    advice.front = std::move(front);
}

template <typename Keep>
Candidates only(const Candidates& candidates, Keep keep)
{
    Candidates kept;
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(kept),
                 [&keep](const AdvisorCandidate* candidate) { return keep(*candidate); });
    return kept;
}

template <typename Figure>
const AdvisorCandidate* leastBy(const Candidates& candidates, Figure figure)
{
    const auto least = std::min_element(
        candidates.begin(), candidates.end(),
        [&figure](const AdvisorCandidate* a, const AdvisorCandidate* b) { return figure(*a) < figure(*b); });
    return least == candidates.end() ? nullptr : *least;
}

// Worst cases, of loaders that are the same for all that are compared.
class WorstCases
{
public:
    explicit WorstCases(const Candidates& compared)
        : m_ownLoader(std::any_of(compared.begin(), compared.end(), [](const AdvisorCandidate* candidate) {
              return simulationError(candidate->scenario).pytorch.settings < kFewestSettings;
          }))
    {
    }

    double ns(const AdvisorCandidate& candidate) const
    {
        const SimulationError& error = simulationError(candidate.scenario);
        return candidate.batchNs * (m_ownLoader ? error.own.most : error.most);
    }

    // By how much those of two ways differ that are the same.
    double unsure() const { return m_ownLoader ? kOwnMostError : kMostError; }

private:
    bool m_ownLoader = false;
};

bool keepsPinning(const AdvisorCandidate& candidate, const AdvisorCandidate& now)
{
    return candidate.scenario.pin != PinStrategy::None || now.scenario.pin == PinStrategy::None;
}

// Workers, and what is in flight.
bool keepsWorkers(const AdvisorCandidate& candidate, const AdvisorCandidate& now)
{
    const Scenario &has = candidate.scenario, &had = now.scenario;
    return has.workers >= had.workers && has.workers * has.prefetchFactor >= had.workers * had.prefetchFactor;
}

// Those whose worst case is as good as the best one is.
Candidates bestAtWorst(const Candidates& candidates, const WorstCases& worst)
{
    const AdvisorCandidate& best =
        *leastBy(candidates, [&worst](const AdvisorCandidate& candidate) { return worst.ns(candidate); });
    return only(candidates, [&best, &worst](const AdvisorCandidate& candidate) {
        const bool sameWay = batchMemory(candidate.scenario) == batchMemory(best.scenario);
        return worst.ns(best) >= worst.ns(candidate) * (1 - (sameWay ? kWorthwhile : worst.unsure()));
    });
}

bool asksForMore(const AdvisorCandidate& candidate, const AdvisorCandidate& now)
{
    return candidate.scenario.workers > now.scenario.workers || candidate.pinnedPeakBytes > now.pinnedPeakBytes;
}

// A change wins what is worth it, both as simulated and at worst. One that asks for more wins more than a comparison is
// likely to be off by, one that gives something up wins beyond the error.
bool winsEnough(const AdvisorCandidate& candidate, const AdvisorCandidate& now, const WorstCases& worst, bool givesUp)
{
    const double win = asksForMore(candidate, now) ? kPairError : kWorthwhile;
    return worthMoreThan(now.batchNs, candidate.batchNs, win) &&
           worthMoreThan(worst.ns(now), worst.ns(candidate), win) && (!givesUp || now.batchNs > worst.ns(candidate));
}

// Of those within the error of the fastest, the ones to change to: those that give up nothing that there is, or where
// there is none that give up pinning, workers, or both.
Candidates changes(Candidates within, const AdvisorCandidate& now, const WorstCases& worst)
{
    if (!now.fits)
        return within;
    struct Kept {
        bool pinning, workers;
    };
    for (const Kept kept : {Kept{true, true}, {false, true}, {true, false}, {false, false}}) {
        const bool givesUp = !kept.pinning || !kept.workers;
        Candidates found = only(within, [&](const AdvisorCandidate& candidate) {
            return (!kept.pinning || keepsPinning(candidate, now)) && (!kept.workers || keepsWorkers(candidate, now)) &&
                   winsEnough(candidate, now, worst, givesUp);
        });
        if (!found.empty())
            return found;
    }
    return {};
}

struct Choice {
    const AdvisorCandidate* fastest = nullptr;
    const AdvisorCandidate* best = nullptr;    // nullptr: the settings as they are
    const AdvisorCandidate* leaner = nullptr;  // simulated as fast as it is now, for the least effort
};

// `fitting` is not empty.
Choice choose(const AdvisorCandidate& now, const Candidates& fitting)
{
    const auto leastOf = [&now](const Candidates& candidates) {
        return leastBy(candidates,
                       [&now](const AdvisorCandidate& candidate) { return effort(candidate, now.scenario); });
    };
    Choice choice;
    choice.fastest = leastBy(fitting, [](const AdvisorCandidate& candidate) { return candidate.batchNs; });
    Candidates compared = fitting;
    compared.push_back(&now);
    const WorstCases worst(compared);
    const double reachNs = worst.ns(*choice.fastest);
    Candidates within =
        only(fitting, [reachNs](const AdvisorCandidate& candidate) { return candidate.batchNs <= reachNs; });
    if (now.fits)
        choice.leaner = leastOf(only(fitting, [&now](const AdvisorCandidate& candidate) {
            return !worthMoreThan(candidate.batchNs, now.batchNs);
        }));
    const Candidates better = changes(std::move(within), now, worst);
    if (!better.empty())
        choice.best = leastOf(bestAtWorst(better, worst));
    return choice;
}

// Of the fastest the one that is least to change.
std::optional<AdvisorCandidate> fastestPinned(const Candidates& fitting, const Scenario& now)
{
    const Candidates pinned =
        only(fitting, [](const AdvisorCandidate& candidate) { return candidate.pinnedPeakBytes > 0; });
    const AdvisorCandidate* fastest =
        leastBy(pinned, [](const AdvisorCandidate& candidate) { return candidate.batchNs; });
    if (fastest == nullptr)
        return std::nullopt;
    return *leastBy(only(pinned,
                         [fastest](const AdvisorCandidate& candidate) {
                             return candidate.batchNs <= fastest->batchNs * (1 + kSameTime);
                         }),
                    [&now](const AdvisorCandidate& candidate) { return effort(candidate, now); });
}

AdviceKind keptKind(const AdvisorCandidate& now)
{
    return worthMoreThan(now.batchNs, now.kernelNs) ? AdviceKind::StayAsIs : AdviceKind::ComputeBound;
}

}  // namespace

TimeRange timeRange(const AdvisorCandidate& candidate)
{
    const SimulationError& error = simulationError(candidate.scenario);
    const double batchNs = candidate.batchNs;
    // Kernels of one stream follow each other.
    const double kernelNs = candidate.scenario.streams == 1 ? candidate.kernelNs : 0;
    return {std::min(batchNs, std::max(batchNs * error.least, kernelNs)), batchNs * error.most};
}

Advice adviseAmong(const AdvisorCandidate& now, const std::vector<AdvisorCandidate>& tried)
{
    Advice advice;
    advice.now = advice.advised = now;
    advice.front = paretoFront(tried, now.scenario);
    if (advice.front.empty())
        return advice;
    if (advice.front.front().pinnedPeakBytes == 0)
        advice.pageable = advice.front.front();
    Candidates fitting;
    for (const AdvisorCandidate& candidate : tried)
        if (candidate.fits)
            fitting.push_back(&candidate);
    const Choice choice = choose(now, fitting);
    if (choice.best != nullptr) {
        advice.advised = *choice.best;
        advice.kind = choice.best->pinnedPeakBytes > 0 ? AdviceKind::Change : AdviceKind::PinningOff;
    } else {
        advice.kind = keptKind(now);
        if (choice.leaner != nullptr && choice.leaner->pinnedPeakBytes < now.pinnedPeakBytes)
            advice.leaner = *choice.leaner;
    }
    if (advice.kind == AdviceKind::PinningOff)
        advice.pinned = fastestPinned(fitting, now.scenario);
    if (worthMoreThan(advice.advised.batchNs, choice.fastest->batchNs))
        advice.passedOver = *choice.fastest;
    placeAdvised(advice);
    return advice;
}

bool isSure(const Advice& advice)
{
    if (advice.kind == AdviceKind::StayAsIs || advice.kind == AdviceKind::ComputeBound)
        return !advice.passedOver;
    if (advice.kind == AdviceKind::NothingFits)
        return false;
    return !advice.now.fits || timeRange(advice.advised).highNs < timeRange(advice.now).lowNs;
}

}  // namespace overlane
