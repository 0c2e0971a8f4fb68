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

bool holdsTheHost(const CopyRecord& copy)
{
    return copy.hostMemory == MemoryKind::Pageable || copy.async == AsyncFlag::Sync;
}

}  // namespace

// Goes through the copies, the idle time, the calls of the host and the marks, in this order: each
// needs whose the former are.
class FindingFacts::Builder
{
public:
    Builder(FindingFacts& facts, const Trace& trace, const Analysis& analysis)
        : m_facts(facts), m_trace(trace), m_analysis(analysis), m_marks(hostMarks(trace))
    {
    }

    void readMarks();
    void findOwnersOfCopies();
    void giveIdleTime();
    void giveHostTime();
    void orderEvidence();

private:
    void addEvidence(RuleId rule, EventIndex event)
    {
        m_facts.m_evidence[placeOf(rule)].push_back({m_trace.interval(event).startNs, event});
    }
    void noteOwners(const DeviceActivity& activity, const Device& device, bool toDevice);
    // Idle time in or behind calls that the host made for a copy.
    void giveStaging(const DeviceActivity& activity, const IntervalSet& lost, Device& device);

    FindingFacts& m_facts;
    const Trace& m_trace;
    const Analysis& m_analysis;
    HostMarks m_marks;
    EventOwners m_copyOwners;
    EventOwners m_waitOwners;
    RuleSets m_waitSets;  // waits that belong to a copy
    RuleSets m_callSets;  // calls that hold the host for a copy
    // When a device ran empty while, or as, the host waited for it, and the wait is nobody else's.
    std::vector<std::int64_t> m_emptiedNs;
};

void FindingFacts::Builder::readMarks()
{
    m_facts.m_watchesBuffers = m_trace.metadata().format == "simulated";
    m_facts.m_watchesReads = m_facts.m_watchesBuffers || m_trace.metadata().format == "measured";
    m_facts.m_memoryPressure = m_marks.memoryPressure;
    m_facts.m_hasMemoryGauges = m_marks.hasMemoryGauges;
}

void FindingFacts::Builder::findOwnersOfCopies()
{
    m_facts.m_devices.resize(m_analysis.devices().size());
    for (std::size_t place = 0; place < m_facts.m_devices.size(); ++place) {
        const DeviceActivity& activity = m_analysis.devices()[place];
        const LostTime& lost = *m_analysis.lost(activity.id);
        Device& device = m_facts.m_devices[place];
        for (const DeviceInfo& info : m_trace.devices())
            if (info.id == activity.id)
                device.linkBytesPerSecond =
                    info.linkBytesPerSecond * (m_trace.metadata().format == "simulated" ? 1 : kPayloadShare);
        if (device.linkBytesPerSecond <= 0)
            device.linkBytesPerSecond = linkBytesPerSecondOf(activity.name);
        device.h2dOwners = ownersOfH2d(m_trace, m_analysis.host(), activity, lost);
        device.d2hOwners = ownersOfD2h(activity, device.h2dOwners);
        noteOwners(activity, device, true);
        noteOwners(activity, device, false);
    }
    m_copyOwners.sort();
    m_waitOwners.sort();
}

void FindingFacts::Builder::noteOwners(const DeviceActivity& activity, const Device& device, bool toDevice)
{
    const std::vector<CopyRecord>& copies = toDevice ? activity.h2dCopies : activity.d2hCopies;
    const std::vector<RuleId>& owners = toDevice ? device.h2dOwners : device.d2hOwners;
    for (std::size_t at = 0; at < copies.size(); ++at) {
        const CopyRecord& copy = copies[at];
        const RuleId owner = owners[at];
        if (slowExcessNs(copy, device.linkBytesPerSecond) > 0)
            addEvidence(RuleId::SlowLink, copy.event);
        if (owner == RuleId::None)
            continue;
        m_copyOwners.add(copy.event, owner);
        // A wait for a copy to the device is part of asking for it. A wait for a result stands
        // for itself, as does one before a copy.
        if (owner == RuleId::SyncPerStep) {
            const CallsAround around = callsAround(m_trace, m_analysis.host(), activity, copy);
            const EventIndex wait = around.waitAfter.valid() ? around.waitAfter : around.syncBefore;
            addEvidence(owner, wait.valid() ? wait : copy.event);
            continue;
        }
        addEvidence(owner, copy.event);
        const EventIndex behind = toDevice ? waitBehind(m_trace, m_analysis.host(), copy) : EventIndex();
        if (behind.valid()) {
            m_waitOwners.add(behind, owner);
            m_waitSets[placeOf(owner)].add(m_trace.interval(behind));
        }
    }
}

void FindingFacts::Builder::giveIdleTime()
{
    for (const HostActivity::LaunchingThread& thread : m_analysis.host().launchingThreads)
        for (const GpuCall& call : thread.calls) {
            if (call.kind == GpuCallKind::Copy) {
                const EventIndex work = m_trace.link(call.event);
                const CopyRecord* copy = m_analysis.copyRecord(work);
                if (copy && holdsTheHost(*copy))
                    m_callSets[placeOf(m_copyOwners.of(work))].add({call.startNs, call.endNs});
            }
        }
    RuleSets pinSets;
    pinSets[placeOf(RuleId::PinnedAllocation)] = m_marks.pinningOfLaunchingThreads(m_analysis.host());
    for (std::size_t place = 0; place < m_facts.m_devices.size(); ++place) {
        const DeviceActivity& activity = m_analysis.devices()[place];
        const LostTime& lost = *m_analysis.lost(activity.id);
        Device& device = m_facts.m_devices[place];
        const auto give = [&](LostCause cause, const RuleSets& sets) {
            giveBySet(
                lostTo(lost, cause), sets, [cause](RuleId copy) { return ownerOfIdle(cause, {.copy = copy}); },
                device.idle);
        };
        give(LostCause::Copies, setsOf(activity.h2dCopies, device.h2dOwners, device.linkBytesPerSecond));
        give(LostCause::ReadBack, setsOf(activity.d2hCopies, device.d2hOwners, device.linkBytesPerSecond));
        giveStaging(activity, lostTo(lost, LostCause::Staging), device);
        RuleSets migrations;
        migrations[placeOf(RuleId::UnifiedMemory)] = m_marks.migrations(activity.id);
        give(LostCause::OtherWork, migrations);
        for (const LostCause cause :
             {LostCause::Pinning, LostCause::MakingBatches, LostCause::Host, LostCause::HostBetween, LostCause::Swap,
              LostCause::Batches, LostCause::LaunchBound, LostCause::Sync})
            giveBySet(
                lostTo(lost, cause), pinSets,
                [cause](RuleId rule) { return ownerOfIdle(cause, {.pinsMemory = rule == RuleId::PinnedAllocation}); },
                device.idle);
        for (const Interval piece : lostTo(lost, LostCause::Sync).intervals())
            m_emptiedNs.push_back(idleSinceNs(activity, piece.startNs));
        device.hostNotShown =
            subtract(device.idle[placeOf(RuleId::HostLate)],
                     m_analysis.host().launching(activity.id)[static_cast<std::size_t>(HostDoing::Work)]);
    }
    std::sort(m_emptiedNs.begin(), m_emptiedNs.end());
}

void FindingFacts::Builder::giveStaging(const DeviceActivity& activity, const IntervalSet& lost, Device& device)
{
    RuleSets sets = m_callSets;
    // Behind a wait: whose copy the host waited for when the device ran empty.
    for (const Interval piece : lost.intervals()) {
        const std::int64_t sinceNs = idleSinceNs(activity, piece.startNs);
        for (std::size_t rule = 0; rule < static_cast<std::size_t>(kRuleCount); ++rule)
            if (!m_waitSets[rule].empty() && m_waitSets[rule].measureNs({sinceNs - 1, sinceNs + 1}) > 0) {
                sets[rule].add(piece);
                break;
            }
    }
    giveBySet(
        lost, sets, [](RuleId copy) { return ownerOfIdle(LostCause::Staging, {.copy = copy}); }, device.idle);
}

void FindingFacts::Builder::giveHostTime()
{
    // What holds the host. A wait of which the device does not run empty costs nothing.
    const auto emptiesADevice = [&](Interval wait) {
        const auto first = std::lower_bound(m_emptiedNs.begin(), m_emptiedNs.end(), wait.startNs);
        return first != m_emptiedNs.end() && *first <= wait.endNs;
    };
    RuleSets held = std::move(m_callSets);
    for (const HostActivity::LaunchingThread& thread : m_analysis.host().launchingThreads) {
        for (const GpuCall& call : thread.calls) {
            if (call.kind != GpuCallKind::Sync)
                continue;
            RuleId owner = m_waitOwners.of(call.event);
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
    held[placeOf(RuleId::PinnedAllocation)] = m_marks.pinning;
    IntervalSet taken = m_facts.m_held[placeOf(RuleId::PinnedAllocation)] = m_marks.pinning;
    for (std::size_t rule = 0; rule < m_facts.m_held.size(); ++rule) {
        if (rule == placeOf(RuleId::PinnedAllocation) || held[rule].empty())
            continue;
        m_facts.m_held[rule] = subtract(held[rule], taken);
        taken = unite(taken, m_facts.m_held[rule]);
    }
}

void FindingFacts::Builder::orderEvidence()
{
    for (const HostMarks::Mark& mark : m_marks.marks)
        addEvidence(mark.rule, mark.event);
    for (std::vector<RuleEvidence>& evidence : m_facts.m_evidence) {
        std::sort(evidence.begin(), evidence.end(), [](const RuleEvidence& a, const RuleEvidence& b) {
            return std::pair(a.startNs, a.event) < std::pair(b.startNs, b.event);
        });
        evidence.erase(std::unique(evidence.begin(), evidence.end(),
                                   [](const RuleEvidence& a, const RuleEvidence& b) { return a.event == b.event; }),
                       evidence.end());
    }
}

FindingFacts::FindingFacts(const Trace& trace, const Analysis& analysis) : m_kernelRecord(overlane::kernelRecord(trace))
{
    Builder builder(*this, trace, analysis);
    builder.readMarks();
    builder.findOwnersOfCopies();
    builder.giveIdleTime();
    builder.giveHostTime();
    builder.orderEvidence();
}

}  // namespace overlane
