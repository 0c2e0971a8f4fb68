#include "core/analysis/lost_time.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/analysis/cause_table.h"

namespace overlane
{
namespace
{

// In which a thread may explain a gap; what was not recorded comes behind them.
constexpr std::array kTurns{ProofTurn::RunsAlone, ProofTurn::NotOfHost, ProofTurn::InCall, ProofTurn::WithBatch,
                            ProofTurn::Emptied,   ProofTurn::ShortGaps, ProofTurn::AnyWork};

// How far back to look for what held everything up before a short copy.
constexpr std::int64_t kLeastLookBackNs = 100'000;

IntervalSet& setOf(LostTime& lost, LostCause cause)
{
    return lost[static_cast<std::size_t>(cause)];
}

const IntervalSet& setOf(const LostTime& lost, LostCause cause)
{
    return lost[static_cast<std::size_t>(cause)];
}

// Shares the time without kernels out to the causes, as they prove it.
class Sharing
{
public:
    Sharing(const DeviceActivity& device, const HostActivity& host, const MemoryActivity& memory, const WorkMeter& work)
        : m_alone(subtract(device.busy, device.kernels)),
          m_idle(device.busy.gaps(device.busy.span())),
          m_threads(gapThreads(device, host, work)),
          m_context{device, host, memory, m_idle},
          m_work(work)
    {
    }

    void askDevice(ProofTurn turn)
    {
        each(turn, [&](LostCause cause, const CauseProof& proof) {
            if (proof.ofDevice)
                give(cause, proof.ofDevice(m_context), turn == ProofTurn::RunsAlone ? m_alone : m_idle);
        });
    }

    void askLateThreads(ProofTurn turn)
    {
        each(turn, [&](LostCause cause, const CauseProof& proof) { askThreads(cause, proof, m_threads.own); });
    }

    // Of the work before a gap.
    void askEarlierThreads(ProofTurn turn)
    {
        each(turn, [&](LostCause cause, const CauseProof& proof) {
            if (proof.ofOthers)
                askThreads(cause, proof, m_threads.handedOver);
        });
    }

    // What no record proves is of unknown cause.
    LostTime end()
    {
        setOf(m_lost, LostCause::Unknown) = std::move(m_idle);
        return std::move(m_lost);
    }

private:
    template <typename Ask>
    void each(ProofTurn turn, Ask ask)
    {
        for (const LostCauseRow& row : lostCauses())
            for (const CauseProof& proof : row.proofs)
                if (proof.turn == turn)
                    ask(row.cause, proof);
    }

    void askThreads(LostCause cause, const CauseProof& proof, const std::vector<GapsOfThread>& some)
    {
        if (!proof.ofThread)
            return;
        std::vector<IntervalSet> sets;
        sets.reserve(some.size());
        for (const GapsOfThread& each : some)
            sets.push_back(proof.ofThread(each, m_work));
        give(cause, unite(std::move(sets), m_work), m_idle);
    }

    void give(LostCause cause, const IntervalSet& proven, IntervalSet& rest)
    {
        m_work.look();
        if (proven.empty())
            return;
        const IntervalSet taken = intersect(rest, proven);
        rest = subtract(rest, taken);
        setOf(m_lost, cause) = unite(setOf(m_lost, cause), taken);
    }

    IntervalSet m_alone;  // busy, without kernels
    IntervalSet m_idle;
    GapThreads m_threads;
    ProofContext m_context;
    const WorkMeter& m_work;
    LostTime m_lost;
};

// The host does not hold such a copy up, and nothing was there to hide it.
bool mayBeDelayed(const CopyRecord& copy)
{
    constexpr CopyCauses kOthers =
        causeBit(CopyCause::UnifiedMemory) | causeBit(CopyCause::OutsideKernels) | causeBit(CopyCause::SynchronousCall);
    return (copy.causes & causeBit(CopyCause::NoCompute)) != 0 && (copy.causes & kOthers) == 0 &&
           copy.hostMemory != MemoryKind::Pageable && (copy.bytes == 0 || copy.bytes > kInlineCopyBytes);
}

// What the device had been idle for before a copy, for about as long as the copy lasts.
std::optional<LostCause> idleBefore(const LostTime& lost, const CopyRecord& copy)
{
    const std::int64_t lookBackNs = std::max(copy.durationNs, kLeastLookBackNs);
    const Interval before{copy.startNs - lookBackNs, copy.startNs};
    std::optional<LostCause> most;
    std::int64_t mostNs = 0;
    for (const LostCauseRow& row : lostCauses()) {
        const std::int64_t lostNs = row.delaysCopies ? setOf(lost, row.cause).measureNs(before) : 0;
        if (lostNs > mostNs) {
            mostNs = lostNs;
            most = row.cause;
        }
    }
    return mostNs * 2 >= lookBackNs ? most : std::nullopt;
}

// Gives the exposed time of copies that came late to what they came late for.
void giveDelayed(const std::vector<CopyRecord>& copies, LostTime& lost, const WorkMeter& work)
{
    LostTime late;
    for (const CopyRecord& copy : copies) {
        work.count();
        if (mayBeDelayed(copy))
            if (const std::optional<LostCause> delay = idleBefore(lost, copy))
                setOf(late, *delay).add(copy.interval());
    }
    IntervalSet& exposed = setOf(lost, LostCause::Copies);
    for (const LostCauseRow& row : lostCauses()) {
        const IntervalSet moved = intersect(exposed, setOf(late, row.cause));
        if (moved.empty())
            continue;
        exposed = subtract(exposed, moved);
        IntervalSet& whole = setOf(lost, row.cause);
        whole = unite(whole, moved);
    }
}

}  // namespace

std::string_view lostCauseName(LostCause cause)
{
    return rowOf(cause).name;
}

LostTime lostTime(const DeviceActivity& device, const HostActivity& host, const MemoryActivity& memory, Interval span,
                  const WorkMeter& work)
{
    Sharing sharing(device, host, memory, work);
    for (const ProofTurn turn : kTurns) {
        sharing.askDevice(turn);
        sharing.askLateThreads(turn);
    }
    for (const ProofTurn turn : kTurns)
        sharing.askEarlierThreads(turn);
    sharing.askDevice(ProofTurn::NotRecorded);
    LostTime lost = sharing.end();
    const Interval worked = device.busy.span();
    setOf(lost, LostCause::Ends) = IntervalSet({{span.startNs, worked.startNs}, {worked.endNs, span.endNs}});
    giveDelayed(device.h2dCopies, lost, work);
    return lost;
}

std::optional<LostCause> delayOf(const LostTime& lost, const CopyRecord& copy)
{
    if (!mayBeDelayed(copy))
        return {};
    for (const LostCauseRow& row : lostCauses())
        if (const std::int64_t lateNs = row.delaysCopies ? setOf(lost, row.cause).measureNs(copy.interval()) : 0;
            lateNs > 0 && lateNs * 2 >= copy.exposedNs())
            return row.cause;
    return {};
}

}  // namespace overlane
