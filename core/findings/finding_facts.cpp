#include "core/findings/finding_facts.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/analysis/copy_judge.h"
#include "core/findings/claims.h"
#include "core/findings/copy_owners.h"
#include "core/findings/gpu_link.h"
#include "core/findings/host_marks.h"

namespace overlane
{
namespace
{

// What a link carries beside headers and acknowledgements, of the rate that the system says: 55 of 63 GB/s
// on PCIe 5 with 16 lanes.
constexpr double kPayloadShare = 0.87;

using RuleSets = std::array<IntervalSet, kRuleCount + 1>;  // the last: nobody's

std::size_t placeOf(RuleId rule)
{
    return static_cast<std::size_t>(rule);
}

// Owners of copies by their event, and of the waits that belong to a copy.
class EventOwners
{
public:
    void add(EventIndex event, RuleId owner) { m_owners.emplace_back(event, owner); }
    void sort() { std::sort(m_owners.begin(), m_owners.end()); }
    RuleId of(EventIndex event) const
    {
        const auto found = std::lower_bound(m_owners.begin(), m_owners.end(), std::pair(event, RuleId{}));
        return found == m_owners.end() || found->first != event ? RuleId::None : found->second;
    }

private:
    std::vector<std::pair<EventIndex, RuleId>> m_owners;
};

// A slow copy's excess over what its link needs belongs to the link, the rest to its owner.
RuleSets setsOf(const std::vector<CopyRecord>& copies, const std::vector<RuleId>& owners, double linkBytesPerSecond)
{
    RuleSets sets;
    for (std::size_t at = 0; at < copies.size(); ++at) {
        const Interval whole = copies[at].interval();
        const std::int64_t fastEndNs = whole.endNs - slowExcessNs(copies[at], linkBytesPerSecond);
        sets[placeOf(owners[at])].add({whole.startNs, fastEndNs});
        sets[placeOf(RuleId::SlowLink)].add({fastEndNs, whole.endNs});
    }
    return sets;
}

// Gives every idle moment of a cause to the owner of the set that it lies in; where several hold it,
// to the first rule.
template <typename OwnerOf>
void giveBySet(IntervalSet rest, const RuleSets& sets, OwnerOf ownerOf, std::array<IntervalSet, kRuleCount>& idle)
{
    for (std::size_t at = 0; at < sets.size() && !rest.empty(); ++at) {
        if (sets[at].empty())
            continue;
        IntervalSet taken = intersect(rest, sets[at]);
        if (taken.empty())
            continue;
        rest = subtract(rest, taken);
        if (const RuleId owner = ownerOf(static_cast<RuleId>(at)); owner != RuleId::None)
            idle[placeOf(owner)] = unite(idle[placeOf(owner)], taken);
    }
    if (const RuleId owner = ownerOf(RuleId::None); owner != RuleId::None && !rest.empty())
        idle[placeOf(owner)] = unite(idle[placeOf(owner)], rest);
}

// When the idle time began that a moment lies in.
std::int64_t idleSinceNs(const DeviceActivity& device, std::int64_t timeNs)
{
    const auto after = std::partition_point(device.idle.begin(), device.idle.end(),
                                            [&](const IdleGap& gap) { return gap.interval.startNs <= timeNs; });
    return after == device.idle.begin() ? timeNs : (after - 1)->interval.startNs;
}

const IntervalSet& lostTo(const LostTime& lost, LostCause cause)
{
    return lost[static_cast<std::size_t>(cause)];
}

// The longest of the waits of the launching threads during which, or at whose end, a device ran empty.
std::int64_t longestWaitNs(const HostActivity& host, std::int64_t emptyNs)
{
    std::int64_t longestNs = 0;
    for (const HostActivity::LaunchingThread& thread : host.launchingThreads) {
        const std::vector<Interval>& waits = thread.time[static_cast<std::size_t>(HostDoing::Sync)].intervals();
        const auto after =
            std::partition_point(waits.begin(), waits.end(), [&](Interval wait) { return wait.startNs <= emptyNs; });
        if (after != waits.begin() && (after - 1)->endNs >= emptyNs)
            longestNs = std::max(longestNs, (after - 1)->lengthNs());
    }
    return longestNs;
}

bool holdsTheHost(const CopyRecord& copy)
{
    return copy.hostMemory == MemoryKind::Pageable || copy.async == AsyncFlag::Sync;
}

}  // namespace

FindingFacts::FindingFacts(const Trace& trace, const Analysis& analysis) : m_kernelRecord(overlane::kernelRecord(trace))
{
    const HostMarks marks = hostMarks(trace);
    m_watchesBuffers = trace.metadata().format == "simulated";
    m_watchesReads = m_watchesBuffers || trace.metadata().format == "measured";
    m_memoryPressure = marks.memoryPressure;
    m_hasMemoryGauges = marks.hasMemoryGauges;

    const auto addEvidence = [&](RuleId rule, EventIndex event) {
        m_evidence[placeOf(rule)].push_back({trace.interval(event).startNs, event});
    };

    // Owners of the copies, and of the waits that come with them.
    EventOwners copyOwners;
    EventOwners waitOwners;
    RuleSets waitSets;
    m_devices.resize(analysis.devices().size());
    for (std::size_t place = 0; place < m_devices.size(); ++place) {
        const DeviceActivity& activity = analysis.devices()[place];
        const LostTime& lost = *analysis.lost(activity.id);
        Device& device = m_devices[place];
        for (const DeviceInfo& info : trace.devices())
            if (info.id == activity.id)
                device.linkBytesPerSecond =
                    info.linkBytesPerSecond * (trace.metadata().format == "simulated" ? 1 : kPayloadShare);
        if (device.linkBytesPerSecond <= 0)
            device.linkBytesPerSecond = linkBytesPerSecondOf(activity.name);
        device.h2dOwners = ownersOfH2d(trace, analysis.host(), activity, lost);
        device.d2hOwners = ownersOfD2h(activity, device.h2dOwners);
        const auto note = [&](const std::vector<CopyRecord>& copies, const std::vector<RuleId>& owners, bool toDevice) {
            for (std::size_t at = 0; at < copies.size(); ++at) {
                const CopyRecord& copy = copies[at];
                const RuleId owner = owners[at];
                if (slowExcessNs(copy, device.linkBytesPerSecond) > 0)
                    addEvidence(RuleId::SlowLink, copy.event);
                if (owner == RuleId::None)
                    continue;
                copyOwners.add(copy.event, owner);
                // A wait for a copy to the device is part of asking for it. A wait for a result stands
                // for itself, as does one before a copy.
                if (owner == RuleId::SyncPerStep) {
                    const CallsAround around = callsAround(trace, analysis.host(), activity, copy);
                    const EventIndex wait = around.waitAfter.valid() ? around.waitAfter : around.syncBefore;
                    addEvidence(owner, wait.valid() ? wait : copy.event);
                    continue;
                }
                addEvidence(owner, copy.event);
                const EventIndex behind = toDevice ? waitBehind(trace, analysis.host(), copy) : EventIndex();
                if (behind.valid()) {
                    waitOwners.add(behind, owner);
                    waitSets[placeOf(owner)].add(trace.interval(behind));
                }
            }
        };
        note(activity.h2dCopies, device.h2dOwners, true);
        note(activity.d2hCopies, device.d2hOwners, false);
    }
    copyOwners.sort();
    waitOwners.sort();

    // Idle time, and when the waits that nobody else owns left a device empty.
    std::vector<std::int64_t> emptiedNs;
    RuleSets callSets;
    for (const HostActivity::LaunchingThread& thread : analysis.host().launchingThreads)
        for (const GpuCall& call : thread.calls) {
            if (call.kind == GpuCallKind::Copy) {
                const EventIndex work = trace.link(call.event);
                const CopyRecord* copy = analysis.copyRecord(work);
                if (copy && holdsTheHost(*copy))
                    callSets[placeOf(copyOwners.of(work))].add({call.startNs, call.endNs});
            }
        }
    RuleSets pinSets;
    pinSets[placeOf(RuleId::PinnedAllocation)] = marks.pinningOfLaunchingThreads(analysis.host());
    for (std::size_t place = 0; place < m_devices.size(); ++place) {
        const DeviceActivity& activity = analysis.devices()[place];
        const LostTime& lost = *analysis.lost(activity.id);
        Device& device = m_devices[place];
        const auto give = [&](LostCause cause, const RuleSets& sets) {
            giveBySet(
                lostTo(lost, cause), sets, [cause](RuleId copy) { return ownerOfIdle(cause, {.copy = copy}); },
                device.idle);
        };
        give(LostCause::Copies, setsOf(activity.h2dCopies, device.h2dOwners, device.linkBytesPerSecond));
        give(LostCause::ReadBack, setsOf(activity.d2hCopies, device.d2hOwners, device.linkBytesPerSecond));
        give(LostCause::Staging, callSets);
        RuleSets migrations;
        migrations[placeOf(RuleId::UnifiedMemory)] = marks.migrations(activity.id);
        give(LostCause::OtherWork, migrations);
        for (const LostCause cause :
             {LostCause::Pinning, LostCause::MakingBatches, LostCause::Host, LostCause::HostBetween, LostCause::Swap,
              LostCause::Batches, LostCause::LaunchBound})
            giveBySet(
                lostTo(lost, cause), pinSets,
                [cause](RuleId rule) { return ownerOfIdle(cause, {.pinsMemory = rule == RuleId::PinnedAllocation}); },
                device.idle);
        std::array<IntervalSet, kRuleCount> bySync;
        for (const Interval piece : lostTo(lost, LostCause::Sync).intervals()) {
            const std::int64_t sinceNs = idleSinceNs(activity, piece.startNs);
            RuleId wait = RuleId::SyncPerStep;
            for (std::size_t rule = 0; rule < static_cast<std::size_t>(kRuleCount); ++rule)
                if (!waitSets[rule].empty() && waitSets[rule].measureNs({sinceNs - 1, sinceNs + 1}) > 0) {
                    wait = static_cast<RuleId>(rule);
                    break;
                }
            // Without the wait the host would have been earlier by as long as it waited; for the rest
            // of the gap it was late anyway.
            const std::int64_t byWaitNs = sinceNs + longestWaitNs(analysis.host(), sinceNs);
            const Interval owed{piece.startNs, std::min(piece.endNs, std::max(piece.startNs, byWaitNs))};
            if (wait == RuleId::SyncPerStep)
                emptiedNs.push_back(sinceNs);
            bySync[placeOf(ownerOfIdle(LostCause::Sync, {.wait = wait}))].add(owed);
            bySync[placeOf(ownerOfIdle(LostCause::Host, {}))].add({owed.endNs, piece.endNs});
        }
        for (std::size_t rule = 0; rule < bySync.size(); ++rule)
            device.idle[rule] = unite(device.idle[rule], bySync[rule]);
        device.hostNotShown =
            subtract(device.idle[placeOf(RuleId::HostLate)],
                     analysis.host().launching(activity.id)[static_cast<std::size_t>(HostDoing::Work)]);
    }
    std::sort(emptiedNs.begin(), emptiedNs.end());

    // What holds the host. A wait of which the device does not run empty costs nothing.
    const auto emptiesADevice = [&](Interval wait) {
        const auto first = std::lower_bound(emptiedNs.begin(), emptiedNs.end(), wait.startNs);
        return first != emptiedNs.end() && *first <= wait.endNs;
    };
    RuleSets held = std::move(callSets);
    for (const HostActivity::LaunchingThread& thread : analysis.host().launchingThreads) {
        for (const GpuCall& call : thread.calls) {
            if (call.kind != GpuCallKind::Sync)
                continue;
            RuleId owner = waitOwners.of(call.event);
            if (owner == RuleId::None && emptiesADevice({call.startNs, call.endNs})) {
                owner = RuleId::SyncPerStep;
                addEvidence(owner, call.event);
            }
            if (owner != RuleId::None)
                held[placeOf(owner)].add({call.startNs, call.endNs});
        }
        const auto during = [&](HostDoing doing, RuleId rule) {
            held[placeOf(rule)] = unite(held[placeOf(rule)], thread.time[static_cast<std::size_t>(doing)]);
        };
        during(HostDoing::Pinning, RuleId::PinInTrainingThread);
        during(HostDoing::BatchWait, RuleId::LoaderStarved);
        during(HostDoing::BatchWork, RuleId::LoaderStarved);
    }
    held[placeOf(RuleId::PinnedAllocation)] = marks.pinning;
    IntervalSet taken = m_held[placeOf(RuleId::PinnedAllocation)] = marks.pinning;
    for (std::size_t rule = 0; rule < m_held.size(); ++rule) {
        if (rule == placeOf(RuleId::PinnedAllocation) || held[rule].empty())
            continue;
        m_held[rule] = subtract(held[rule], taken);
        taken = unite(taken, m_held[rule]);
    }

    for (const HostMarks::Mark& mark : marks.marks)
        addEvidence(mark.rule, mark.event);
    for (std::vector<RuleEvidence>& evidence : m_evidence) {
        std::sort(evidence.begin(), evidence.end(), [](const RuleEvidence& a, const RuleEvidence& b) {
            return std::pair(a.startNs, a.event) < std::pair(b.startNs, b.event);
        });
        evidence.erase(std::unique(evidence.begin(), evidence.end(),
                                   [](const RuleEvidence& a, const RuleEvidence& b) { return a.event == b.event; }),
                       evidence.end());
    }
}

}  // namespace overlane
