#include "core/findings/finding_facts.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "core/analysis/cause_table.h"
#include "core/analysis/copy_judge.h"
#include "core/analysis/gap_threads.h"
#include "core/findings/claims.h"
#include "core/findings/copy_owners.h"
#include "core/findings/event_owners.h"
#include "core/findings/host_marks.h"
#include "core/findings/rule_sets.h"

namespace overlane
{
namespace
{

// A slow copy's excess over what its link needs belongs to the link, the rest to its owner.
RuleSets setsOf(const std::vector<CopyRecord>& copies, const std::vector<RuleId>& owners,
                const std::vector<std::int64_t>& excessesNs, const WorkMeter& work)
{
    RuleIntervals intervals;
    for (std::size_t at = 0; at < copies.size(); ++at) {
        work.count();
        const Interval whole = copies[at].interval();
        const std::int64_t fastEndNs = whole.endNs - excessesNs[at];
        intervals.add(owners[at], {whole.startNs, fastEndNs});
        intervals.add(RuleId::SlowLink, {fastEndNs, whole.endNs});
    }
    return intervals.take(work);
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
    Builder(FindingFacts& facts, const Trace& trace, const Analysis& analysis, const WorkMeter& work)
        : m_facts(facts), m_trace(trace), m_analysis(analysis), m_work(work), m_marks(hostMarks(trace, work))
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
    // A device ran empty at a time, in a wait.
    void noteEmptied(const DeviceActivity& activity, std::int64_t sinceNs);
    // Idle time in or behind calls that the host made for a copy.
    void giveStaging(const DeviceActivity& activity, const IntervalSet& lost, const RuleSets& waits, Device& device);

    FindingFacts& m_facts;
    const Trace& m_trace;
    const Analysis& m_analysis;
    const WorkMeter& m_work;
    HostMarks m_marks;
    EventOwners m_copyOwners;
    EventOwners m_waitOwners;
    RuleIntervals m_waits;  // that belong to a copy
    RuleSets m_callSets;    // calls that hold the host for a copy
    // When a device ran empty while, or as, a thread waited for it, and the wait is of nothing else; by the
    // thread, none standing for any.
    std::vector<std::pair<TrackId, std::int64_t>> m_emptied;
};

void FindingFacts::Builder::readMarks()
{
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
        device.linkBytesPerSecond = activity.linkBytesPerSecond;
        device.h2dOwners = ownersOfH2d(m_trace, m_analysis.host(), activity, lost, m_work);
        device.d2hOwners = ownersOfD2h(activity, device.h2dOwners, m_work);
        device.h2dExcessesNs = slowExcesses(activity.h2dCopies, device.linkBytesPerSecond, m_work);
        device.d2hExcessesNs = slowExcesses(activity.d2hCopies, device.linkBytesPerSecond, m_work);
        noteOwners(activity, device, true);
        noteOwners(activity, device, false);
    }
    m_copyOwners.sort(m_work);
    m_waitOwners.sort(m_work);
}

void FindingFacts::Builder::noteOwners(const DeviceActivity& activity, const Device& device, bool toDevice)
{
    const std::vector<CopyRecord>& copies = toDevice ? activity.h2dCopies : activity.d2hCopies;
    const std::vector<RuleId>& owners = toDevice ? device.h2dOwners : device.d2hOwners;
    const std::vector<std::int64_t>& excessesNs = toDevice ? device.h2dExcessesNs : device.d2hExcessesNs;
    for (std::size_t at = 0; at < copies.size(); ++at) {
        m_work.count();
        const CopyRecord& copy = copies[at];
        const RuleId owner = owners[at];
        if (excessesNs[at] > 0)
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
            m_waits.add(owner, m_trace.interval(behind));
        }
    }
}

void FindingFacts::Builder::giveIdleTime()
{
    RuleIntervals calls;
    for (const HostActivity::LaunchingThread& thread : m_analysis.host().launchingThreads)
        for (const GpuCall& call : thread.calls) {
            m_work.count();
            if (call.kind == GpuCallKind::Copy) {
                const EventIndex copied = m_trace.link(call.event);
                const CopyRecord* copy = m_analysis.copyRecord(copied);
                if (copy && holdsTheHost(*copy))
                    calls.add(m_copyOwners.of(copied), {call.startNs, call.endNs});
            }
        }
    m_callSets = calls.take(m_work);
    const RuleSets waits = m_waits.take(m_work);
    RuleSets pinSets;
    pinSets[placeOf(RuleId::PinnedAllocation)] = m_marks.pinningOfLaunchingThreads(m_analysis.host());
    for (std::size_t place = 0; place < m_facts.m_devices.size(); ++place) {
        const DeviceActivity& activity = m_analysis.devices()[place];
        const LostTime& lost = *m_analysis.lost(activity.id);
        Device& device = m_facts.m_devices[place];
        const auto give = [&](LostCause cause, const RuleSets& sets) {
            m_work.look();
            giveBySet(
                lostTo(lost, cause), sets, [cause](RuleId copy) { return ownerOfIdle(cause, {.copy = copy}); },
                device.idle);
        };
        give(LostCause::Copies, setsOf(activity.h2dCopies, device.h2dOwners, device.h2dExcessesNs, m_work));
        give(LostCause::ReadBack, setsOf(activity.d2hCopies, device.d2hOwners, device.d2hExcessesNs, m_work));
        giveStaging(activity, lostTo(lost, LostCause::Staging), waits, device);
        for (const LostCauseRow& row : lostCauses()) {
            if (row.goesWithCopies)
                continue;
            giveBySet(
                lostTo(lost, row.cause), pinSets,
                [&row](RuleId rule) {
                    return ownerOfIdle(row.cause, {.pinsMemory = rule == RuleId::PinnedAllocation});
                },
                device.idle);
        }
        m_work.look();
        for (const Interval piece : lostTo(lost, LostCause::Sync).intervals())
            noteEmptied(activity, idleSinceNs(activity, piece.startNs));
        device.hostNotShown = intersect(device.idle[placeOf(RuleId::HostLate)], lostTo(lost, LostCause::HostBetween));
    }
    std::sort(m_emptied.begin(), m_emptied.end(), m_work.counting(std::less<>()));
}

void FindingFacts::Builder::noteEmptied(const DeviceActivity& activity, std::int64_t sinceNs)
{
    const std::vector<std::vector<const HostActivity::LaunchingThread*>> threads =
        threadsBehind(activity, m_analysis.host(), sinceNs);
    for (const auto& some : threads)
        if (threads.size() == 1 && some.size() != 1)
            m_emptied.emplace_back(TrackId(), sinceNs);
        else
            for (const HostActivity::LaunchingThread* thread : some)
                m_emptied.emplace_back(thread->track, sinceNs);
}

void FindingFacts::Builder::giveStaging(const DeviceActivity& activity, const IntervalSet& lost, const RuleSets& waits,
                                        Device& device)
{
    // Behind a wait: whose copy the host waited for when the device ran empty.
    RuleSets behind;
    for (const Interval piece : lost.intervals()) {
        m_work.count(static_cast<std::size_t>(kRuleCount));
        const std::int64_t sinceNs = idleSinceNs(activity, piece.startNs);
        for (std::size_t rule = 0; rule < static_cast<std::size_t>(kRuleCount); ++rule)
            if (!waits[rule].empty() && waits[rule].measureNs({sinceNs - 1, sinceNs + 1}) > 0) {
                behind[rule].add(piece);
                break;
            }
    }
    giveBySet(
        lost,
        [&](const IntervalSet& rest, std::size_t rule) {
            return unite(intersect(rest, m_callSets[rule]), intersect(rest, behind[rule]));
        },
        [](RuleId copy) { return ownerOfIdle(LostCause::Staging, {.copy = copy}); }, device.idle);
}

void FindingFacts::Builder::giveHostTime()
{
    // What holds the host. A wait of which the device does not run empty costs nothing.
    const auto emptiesADevice = [&](TrackId thread, Interval wait) {
        for (const TrackId whose : {thread, TrackId()}) {
            const auto first = std::lower_bound(m_emptied.begin(), m_emptied.end(), std::pair(whose, wait.startNs));
            if (first != m_emptied.end() && first->first == whose && first->second <= wait.endNs)
                return true;
        }
        return false;
    };
    RuleIntervals waits;
    std::array<std::vector<IntervalSet>, kRuleCount + 1> sets;
    for (const HostActivity::LaunchingThread& thread : m_analysis.host().launchingThreads) {
        for (const GpuCall& call : thread.calls) {
            m_work.count();
            if (call.kind != GpuCallKind::Sync)
                continue;
            RuleId owner = m_waitOwners.of(call.event);
            if (owner == RuleId::None && emptiesADevice(thread.track, {call.startNs, call.endNs})) {
                owner = RuleId::SyncPerStep;
                addEvidence(owner, call.event);
            }
            if (owner != RuleId::None)
                waits.add(owner, {call.startNs, call.endNs});
        }
        std::int64_t lastEndNs = std::numeric_limits<std::int64_t>::min();  // a driver call lies within the runtime's
        for (const ImplicitCall& call : thread.implicitCalls) {
            m_work.count();
            if (call.endNs <= lastEndNs ||
                !emptiesADevice(thread.track, {call.startNs + call.lengthNs() / 2, call.endNs}))
                continue;
            lastEndNs = call.endNs;
            addEvidence(RuleId::SyncPerStep, call.event);
            waits.add(RuleId::SyncPerStep, {call.startNs, call.endNs});
        }
        const auto during = [&](HostDoing doing, RuleId rule) {
            const IntervalSet& time = thread.time[static_cast<std::size_t>(doing)];
            m_work.count(1 + time.size());
            if (!time.empty())
                sets[placeOf(rule)].push_back(time);
        };
        during(HostDoing::Pinning, RuleId::PinInTrainingThread);
        during(HostDoing::BatchWait, RuleId::LoaderStarved);
        during(HostDoing::BatchWork, RuleId::LoaderStarved);
    }
    RuleSets held = waits.take(m_work);
    for (std::size_t rule = 0; rule < held.size(); ++rule) {
        m_work.look();
        sets[rule].push_back(std::move(held[rule]));
        sets[rule].push_back(std::move(m_callSets[rule]));
        held[rule] = unite(std::move(sets[rule]), m_work);
    }
    held[placeOf(RuleId::PinnedAllocation)] = m_marks.pinning;
    IntervalSet taken = m_facts.m_held[placeOf(RuleId::PinnedAllocation)] = m_marks.pinning;
    for (std::size_t rule = 0; rule < m_facts.m_held.size(); ++rule) {
        if (rule == placeOf(RuleId::PinnedAllocation) || held[rule].empty())
            continue;
        m_work.look();
        m_facts.m_held[rule] = subtract(held[rule], taken);
        taken = unite(taken, m_facts.m_held[rule]);
    }
}

void FindingFacts::Builder::orderEvidence()
{
    for (const HostMarks::Mark& mark : m_marks.marks)
        addEvidence(mark.rule, mark.event);
    for (std::vector<RuleEvidence>& evidence : m_facts.m_evidence) {
        std::sort(evidence.begin(), evidence.end(), m_work.counting([](const RuleEvidence& a, const RuleEvidence& b) {
            return std::pair(a.startNs, a.event) < std::pair(b.startNs, b.event);
        }));
        evidence.erase(std::unique(evidence.begin(), evidence.end(),
                                   [](const RuleEvidence& a, const RuleEvidence& b) { return a.event == b.event; }),
                       evidence.end());
    }
}

FindingFacts::FindingFacts(const Trace& trace, const Analysis& analysis, const WorkMeter& work)
    : m_kernelRecord(overlane::kernelRecord(trace))
{
    Builder builder(*this, trace, analysis, work);
    builder.readMarks();
    builder.findOwnersOfCopies();
    builder.giveIdleTime();
    builder.giveHostTime();
    builder.orderEvidence();
}

}  // namespace overlane
