#include "core/job/rank_digest_maker.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>

#include "core/analysis/cause_table.h"
#include "core/base/saturated.h"
#include "core/job/host_pace.h"

namespace overlane
{
namespace
{

const DeviceActivity* deviceById(const Analysis& analysis, std::int64_t id)
{
    for (const DeviceActivity& device : analysis.devices())
        if (device.id == id)
            return &device;
    return nullptr;
}

const DeviceActivity* busiestDevice(const Judgement& judgement, const Analysis& analysis)
{
    const auto busy = [](const DeviceSummary& of) { return of.kernelBusyNs + of.communicationBusyNs; };
    const auto& devices = judgement.summary.devices;
    const auto most = std::max_element(devices.begin(), devices.end(),
                                       [&](const auto& a, const auto& b) { return busy(a) < busy(b); });
    return most == devices.end() ? nullptr : deviceById(analysis, most->id);
}

// Ranks are dealt to the devices of a host in turn, as every launcher does.
std::optional<std::int64_t> deviceOfRank(const RankIdentity& identity, std::size_t devicesOfHost)
{
    if (identity.localRank)
        return *identity.localRank;
    if (identity.rank && devicesOfHost > 0)
        return *identity.rank % static_cast<std::int64_t>(devicesOfHost);
    return {};
}

struct ChosenDevice {
    const DeviceActivity* device = nullptr;
    std::string words;
};

ChosenDevice chooseDevice(const JudgedTrace& judged, const RankIdentity& identity)
{
    const auto& devices = judged.analysis.devices();
    if (devices.size() <= 1)
        return {devices.empty() ? nullptr : &devices.front(), {}};
    const std::size_t ofHost = std::max(devices.size(), judged.trace.devices().size());
    if (const auto own = deviceOfRank(identity, ofHost))
        if (const DeviceActivity* found = deviceById(judged.analysis, *own))
            return {found, fmt::format("1 of {} GPUs with work: GPU {}, by its rank.", devices.size(), *own)};
    const DeviceActivity* busiest = busiestDevice(judged.judgement, judged.analysis);
    if (busiest == nullptr)
        return {};
    return {busiest, fmt::format("1 of {} GPUs with work: GPU {}, the busiest.", devices.size(), busiest->id)};
}

DigestStep timesIn(const DeviceActivity& device, const LostTime* lost, Interval range)
{
    DigestStep made;
    made.interval = range;
    made.computeNs = device.kernels.measureNs(range);
    made.communicationNs = device.communication.measureNs(range);
    for (std::size_t cause = 0; lost != nullptr && cause < lost->size(); ++cause)
        made.lostNs[cause] = (*lost)[cause].measureNs(range);
    return made;
}

void addHost(DigestStep& times, const HostPace& pace, const Step& step)
{
    const Interval onHost{step.interval.startNs, saturatedSum(step.interval.startNs, step.timeNs)};
    times.hostNs = pace.ownNs(onHost);
    if (times.hostNs == 0)
        return;
    times.hostLoaderNs = pace.loaderNs(onHost);
    times.hostCopyNs = pace.copyNs(onHost);
    times.hostStepNs = onHost.lengthNs();
    times.heldNs = pace.heldNs(onHost);
}

std::uint8_t partOf255(std::int64_t partNs, Interval range)
{
    if (range.empty())
        return 0;
    const double share = static_cast<double>(partNs) / static_cast<double>(range.lengthNs());
    return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * 255));
}

std::vector<DigestCell> stripOf(const DeviceActivity& device, Interval span)
{
    std::vector<DigestCell> cells;
    if (span.lengthNs() < static_cast<std::int64_t>(kDigestCells))
        return cells;
    cells.reserve(kDigestCells);
    const auto border = [&](std::size_t at) {
        const double part = static_cast<double>(at) / kDigestCells;
        return at == kDigestCells
                   ? span.endNs
                   : span.startNs + static_cast<std::int64_t>(static_cast<double>(span.lengthNs()) * part);
    };
    for (std::size_t at = 0; at < kDigestCells; ++at) {
        const Interval part{border(at), border(at + 1)};
        const std::int64_t copiesNs = device.h2d.measureNs(part) + device.d2h.measureNs(part);
        cells.push_back({partOf255(device.kernels.measureNs(part), part),
                         partOf255(device.communication.measureNs(part), part), partOf255(copiesNs, part)});
    }
    return cells;
}

std::string_view boundOf(const Verdict& verdict)
{
    if (verdict.computeBound)
        return "compute";
    return verdict.mainLoss ? rowOf(spokenOf(*verdict.mainLoss)).id : std::string_view();
}

RankDigest digestOfDevice(const JudgedTrace& judged, const RankIdentity& identity, const ChosenDevice& chosen,
                          const WorkMeter& work)
{
    const Judgement& judgement = judged.judgement;
    const Interval span = judged.trace.span();
    RankDigest made;
    made.identity = identity;
    made.format = judged.trace.metadata().format;
    made.startEpochNs = judged.trace.metadata().startEpochNs;
    made.span = span;
    made.active = judgement.range;
    made.events = static_cast<std::int64_t>(judged.trace.eventCount());
    made.headline = judgement.headline();
    made.bound = boundOf(judgement.verdict);
    made.kernelsKnown = judgement.kernelsKnown;
    if (judged.analysis.program().framework != Framework::Unknown)
        made.program = frameworkName(judged.analysis.program().framework);
    for (const Finding& finding : judgement.findings.findings)
        made.findings.emplace_back(finding.id);
    made.stepNs = judgement.stepNs;

    made.deviceChoice = chosen.words;
    if (chosen.device == nullptr)
        return made;
    const DeviceActivity& device = *chosen.device;
    const LostTime* lost = judged.analysis.lost(device.id);
    made.device = device.name;
    made.deviceId = device.id;
    made.whole = timesIn(device, lost, judgement.range);
    const HostPace pace(judged.trace, judged.analysis, device.id);
    made.steps.reserve(judged.steps.steps.size());
    // Numbered as those on the device.
    const StepSequence& onHost = judged.analysis.steps();
    const bool hostIsKnown = onHost.onHost && onHost.steps.size() == judged.steps.steps.size();
    for (const Step& step : judged.steps.steps) {
        work.count(kLostCauseCount);
        const std::int64_t endNs = saturatedSum(step.interval.startNs, step.timeNs);
        DigestStep times = timesIn(device, lost, Interval{step.interval.startNs, endNs}.intersected(span));
        times.number = step.number;
        times.warmUp = step.warmUp;
        if (hostIsKnown)
            addHost(times, pace, onHost.steps[made.steps.size()]);
        made.steps.push_back(times);
    }
    made.steps.pack();
    made.strip = stripOf(device, made.active);
    return made;
}

}  // namespace

RankDigest digestOf(const JudgedTrace& judged, const RankIdentity& identity, const WorkMeter& work)
{
    return digestOfDevice(judged, identity, chooseDevice(judged, identity), work);
}

std::vector<RankDigest> digestsOfGpus(const JudgedTrace& judged, const RankIdentity& identity, const WorkMeter& work)
{
    const auto& devices = judged.analysis.devices();
    std::vector<RankDigest> made;
    if (devices.size() <= 1 || (identity.rank && identity.worldSize.value_or(2) > 1))
        made.push_back(digestOf(judged, identity, work));
    else
        for (const DeviceActivity& device : devices) {
            RankIdentity own = identity;
            own.rank.reset();
            own.worldSize.reset();
            own.gpu = static_cast<int>(device.id);
            made.push_back(digestOfDevice(judged, own, {&device, {}}, work));
        }
    return made;
}

}  // namespace overlane
