#include "core/analysis/lost_time.h"

#include <utility>
#include <vector>

namespace overlane
{
namespace
{

// The idle intervals at whose start the host was in a call that waits for the device: the device
// ran empty because nobody was there to queue more.
IntervalSet emptiedBySync(const IntervalSet& idle, const IntervalSet& syncs)
{
    IntervalSet emptied;
    for (const Interval gap : idle.intervals())
        if (syncs.measureNs({gap.startNs - 1, gap.startNs + 1}) > 0)
            emptied.add(gap);
    return emptied;
}

}  // namespace

std::string_view lostCauseName(LostCause cause)
{
    static constexpr std::array<std::string_view, kLostCauseCount> kNames{
        "exposed copies",
        "results read back",
        "other copies and memsets",
        "swap",
        "waiting for batches",
        "batches made by the training thread",
        "pinning in the training thread",
        "explicit synchronisation",
        "host late",
        "host between recorded work",
        "start and end",
        "not told by the trace",
    };
    return kNames[static_cast<std::size_t>(cause)];
}

LostTime lostTime(const DeviceActivity& device, const HostActivity& host, const MemoryActivity& memory, Interval span)
{
    LostTime lost;
    const auto set = [&](LostCause cause) -> IntervalSet& { return lost[static_cast<std::size_t>(cause)]; };
    const IntervalSet exposedH2d = subtract(device.h2d, device.h2dHidden);
    set(LostCause::ReadBack) = subtract(subtract(device.d2h, device.d2hHidden), exposedH2d);
    set(LostCause::OtherWork) =
        subtract(subtract(device.busy, device.kernels), unite(exposedH2d, set(LostCause::ReadBack)));

    const Interval worked = device.busy.span();
    const IntervalSet idle = device.busy.gaps(worked);
    set(LostCause::Ends) = IntervalSet({{span.startNs, worked.startNs}, {worked.endNs, span.endNs}});
    IntervalSet rest = idle;
    const auto take = [&](const IntervalSet& proof) {
        if (proof.empty())
            return IntervalSet();
        IntervalSet taken = intersect(rest, proof);
        rest = subtract(rest, taken);
        return taken;
    };
    const HostTime thread = host.launching(device.id);
    const auto during = [&](HostDoing doing) -> const IntervalSet& { return thread[static_cast<std::size_t>(doing)]; };
    set(LostCause::Swap) = take(memory.swapping);
    set(LostCause::Copies) = unite(exposedH2d, take(during(HostDoing::BlockingCopy)));
    set(LostCause::MakingBatches) = take(during(HostDoing::BatchWork));
    set(LostCause::Batches) = take(during(HostDoing::BatchWait));
    set(LostCause::Pinning) = take(during(HostDoing::Pinning));
    set(LostCause::Sync) = take(emptiedBySync(idle, during(HostDoing::Sync)));
    set(LostCause::Host) = take(during(HostDoing::Work));
    set(LostCause::HostBetween) = take(host.launchingSpan(device.id));
    set(LostCause::Unknown) = std::move(rest);
    return lost;
}

}  // namespace overlane
