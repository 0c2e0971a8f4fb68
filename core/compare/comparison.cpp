#include "core/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/compare/comparison_sentence.h"
#include "core/compare/device_steps.h"
#include "core/compare/work_changes.h"

namespace overlane
{
namespace
{

QuantityChange changeOf(const std::vector<double>& a, const std::vector<double>& b)
{
    QuantityChange change;
    change.a = distribution(a);
    change.b = distribution(b);
    const RankTest test = rankTest(a, b);
    change.p = test.p;
    change.effect = test.effect;
    change.claim = claimOf(a.size(), b.size(), test, test.p);
    return change;
}

std::vector<double> lengths(const std::vector<Interval>& intervals)
{
    std::vector<double> values;
    values.reserve(intervals.size());
    for (const Interval interval : intervals)
        values.push_back(static_cast<double>(interval.lengthNs()));
    return values;
}

std::vector<Summary> summaries(const Analysis& analysis, const std::vector<Interval>& intervals)
{
    std::vector<Summary> all;
    all.reserve(intervals.size());
    for (const Interval interval : intervals)
        all.push_back(analysis.summarize(interval));
    return all;
}

const DeviceSummary* deviceOf(const Summary& summary, std::int32_t id)
{
    const auto found =
        std::lower_bound(summary.devices.begin(), summary.devices.end(), id,
                         [](const DeviceSummary& device, std::int32_t sought) { return device.id < sought; });
    return found == summary.devices.end() || found->id != id ? nullptr : &*found;
}

const DeviceActivity* activityOf(const Analysis& analysis, std::int32_t id)
{
    const auto& devices = analysis.devices();
    const auto found =
        std::lower_bound(devices.begin(), devices.end(), id,
                         [](const DeviceActivity& device, std::int32_t sought) { return device.id < sought; });
    return found == devices.end() || found->id != id ? nullptr : &*found;
}

// Mean and median apart by more than this share of the larger one: a few long steps carry the cost.
constexpr double kUnevenShare = 0.2;

bool isUneven(const Distribution& steps, std::int64_t meanNs)
{
    const auto mean = static_cast<double>(meanNs);
    return std::abs(mean - steps.median) > kUnevenShare * std::max(mean, steps.median);
}

std::int64_t divisorOf(const AlignedSide& side)
{
    return static_cast<std::int64_t>(std::max<std::size_t>(1, side.steps.size()));
}

Speed speedOf(const Comparison& steps, ClaimBy by)
{
    if (by == ClaimBy::Means && steps.perStep)
        return simulatedSpeed(steps.wallANs, steps.wallBNs);
    Speed speed{std::llround(steps.stepTime.a.median), std::llround(steps.stepTime.b.median), Pace::NotSure, by};
    if (by == ClaimBy::Steps && steps.stepTime.claim == Claim::Lower && speed.bNs < speed.aNs)
        speed.pace = Pace::Faster;
    else if (by == ClaimBy::Steps && steps.stepTime.claim == Claim::Higher && speed.bNs > speed.aNs)
        speed.pace = Pace::Slower;
    return speed;
}

// One side while it is compared: every step summarized once, for all devices.
struct Measured {
    const CompareSide* side;
    const AlignedSide* aligned;
    Summary whole;
    std::vector<Summary> steps;
    KernelTally kernels;

    Measured(const CompareSide& compared, const AlignedSide& part)
        : side(&compared),
          aligned(&part),
          whole(compared.analysis->summarize(part.range)),
          steps(summaries(*compared.analysis, part.steps)),
          kernels(*compared.trace)
    {
    }
    std::size_t stepCount() const { return aligned->steps.size(); }
    std::int64_t divisor() const { return divisorOf(*aligned); }

    // A figure of one device, one value per step for which `has` holds.
    template <typename Figure, typename Has>
    std::vector<double> values(std::int32_t device, Figure figure, Has has) const
    {
        std::vector<double> all;
        for (const Summary& step : steps)
            if (const DeviceSummary* summary = deviceOf(step, device); summary && has(*summary))
                all.push_back(static_cast<double>(figure(*summary)));
        return all;
    }
    template <typename Figure>
    std::vector<double> values(std::int32_t device, Figure figure) const
    {
        return values(device, figure, [](const DeviceSummary&) { return true; });
    }
};

std::vector<CauseChange> causeChanges(const DeviceSummary& a, const Measured& sideA, const DeviceSummary& b,
                                      const Measured& sideB)
{
    std::vector<CauseChange> changes;
    for (std::size_t cause = 0; cause < kLostCauseCount; ++cause) {
        if (a.lostNs[cause] == 0 && b.lostNs[cause] == 0)
            continue;
        const auto lost = [cause](const DeviceSummary& device) { return device.lostNs[cause]; };
        CauseChange change;
        change.cause = static_cast<LostCause>(cause);
        change.aNs = a.lostNs[cause] / sideA.divisor();
        change.bNs = b.lostNs[cause] / sideB.divisor();
        change.claim = changeOf(sideA.values(a.id, lost), sideB.values(b.id, lost)).claim;
        changes.push_back(change);
    }
    std::stable_sort(changes.begin(), changes.end(), [](const CauseChange& x, const CauseChange& y) {
        return std::abs(x.deltaNs()) > std::abs(y.deltaNs());
    });
    return changes;
}

DeviceComparison compareDevice(const DeviceSummary& a, const Measured& sideA, const DeviceSummary& b,
                               const Measured& sideB)
{
    DeviceComparison device;
    device.a = a;
    device.b = b;
    device.kernelsANs = a.kernelBusyNs / sideA.divisor();
    device.kernelsBNs = b.kernelBusyNs / sideB.divisor();
    device.causes = causeChanges(a, sideA, b, sideB);
    const auto exposed = [](const DeviceSummary& summary) { return summary.exposedCopyNs; };
    const auto overlap = [](const DeviceSummary& summary) { return summary.overlapShare; };
    const auto copies = [](const DeviceSummary& summary) { return summary.h2dBusyNs > 0; };
    device.exposed = changeOf(sideA.values(a.id, exposed), sideB.values(b.id, exposed));
    device.overlap = changeOf(sideA.values(a.id, overlap, copies), sideB.values(b.id, overlap, copies));

    device.kernels = kernelChanges(sideA.kernels.groups(a.id, *sideA.aligned), sideA.stepCount(),
                                   sideB.kernels.groups(b.id, *sideB.aligned), sideB.stepCount());
    const DeviceActivity* activityA = activityOf(*sideA.side->analysis, a.id);
    const DeviceActivity* activityB = activityOf(*sideB.side->analysis, b.id);
    if (activityA && activityB)
        device.copies = copyChanges(copyGroups(*activityA, *sideA.aligned), sideA.stepCount(),
                                    copyGroups(*activityB, *sideB.aligned), sideB.stepCount());
    return device;
}

// Devices of the same id; where no id agrees, those in the same place.
void pairDevices(const Measured& sideA, const Measured& sideB, Comparison& comparison)
{
    const auto& devicesA = sideA.whole.devices;
    const auto& devicesB = sideB.whole.devices;
    const bool byId = std::any_of(devicesA.begin(), devicesA.end(),
                                  [&](const DeviceSummary& device) { return deviceOf(sideB.whole, device.id); });
    for (std::size_t i = 0; i < devicesA.size(); ++i) {
        const DeviceSummary* other = byId                  ? deviceOf(sideB.whole, devicesA[i].id)
                                     : i < devicesB.size() ? &devicesB[i]
                                                           : nullptr;
        if (other)
            comparison.devices.push_back(compareDevice(devicesA[i], sideA, *other, sideB));
        else
            comparison.onlyInA.push_back(devicesA[i].id);
    }
    for (std::size_t i = 0; i < devicesB.size(); ++i)
        if (byId ? !deviceOf(sideA.whole, devicesB[i].id) : i >= devicesA.size())
            comparison.onlyInB.push_back(devicesB[i].id);
}

}  // namespace

Result<Comparison> compareSteps(const CompareSide& a, const CompareSide& b, const AlignmentWish& wish)
{
    ASSIGN_OR_RETURN(Alignment aligned, align(*a.analysis, deviceSteps(*a.trace, *a.analysis, *a.steps), *b.analysis,
                                              deviceSteps(*b.trace, *b.analysis, *b.steps), wish));
    Comparison comparison;
    comparison.alignment = std::move(aligned);
    const AlignedSide& sideA = comparison.alignment.a;
    const AlignedSide& sideB = comparison.alignment.b;
    comparison.perStep = comparison.alignment.perStep();
    comparison.wallANs = sideA.range.lengthNs() / divisorOf(sideA);
    comparison.wallBNs = sideB.range.lengthNs() / divisorOf(sideB);
    comparison.stepTime = changeOf(lengths(sideA.steps), lengths(sideB.steps));
    comparison.uneven = comparison.perStep && (isUneven(comparison.stepTime.a, comparison.wallANs) ||
                                               isUneven(comparison.stepTime.b, comparison.wallBNs));
    if (comparison.uneven && comparison.stepTime.claim != Claim::TooFew)
        comparison.stepTime.claim = Claim::TooUneven;
    comparison.speed = speedOf(comparison, claimBy(*a.trace, *b.trace));
    return comparison;
}

Result<Comparison> compare(const CompareSide& a, const CompareSide& b, const AlignmentWish& wish, const WorkMeter& work)
{
    ASSIGN_OR_RETURN(Comparison comparison, compareSteps(a, b, wish));
    work.look();
    const Measured sideA(a, comparison.alignment.a);
    work.look();
    const Measured sideB(b, comparison.alignment.b);
    work.look();
    pairDevices(sideA, sideB, comparison);
    comparison.sentence = comparisonSentence(comparison);
    return comparison;
}

}  // namespace overlane
