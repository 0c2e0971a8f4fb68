#include "core/analysis/role_shares.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <tuple>

#include "core/analysis/track_lookup.h"
#include "core/base/saturated.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

// Below this part of the range, offloaded data is not what the program is about.
constexpr double kLeastOffloaded = 0.02;
constexpr double kAtCeiling = 1.1;
// What is copied in is made of what came back where that is this part of it, 1 / kLeastOfWhatGoesIn, or more.
constexpr std::int64_t kLeastOfWhatGoesIn = 8;

using ByRole = std::array<std::array<RoleShare, kCopyRoleCount>, 3>;
// When one device copies what.
using TimesByRole = std::array<std::array<std::vector<Interval>, kCopyRoleCount>, 3>;

void add(ByRole& shares, TimesByRole& times, CopyWay way, CopyRole role, std::int64_t bytes, Interval interval,
         double confidence)
{
    RoleShare& share = shares[static_cast<std::size_t>(way)][static_cast<std::size_t>(role)];
    ++share.copies;
    share.bytes = saturatedSum(share.bytes, bytes);
    share.confidence += confidence * static_cast<double>(std::max<std::int64_t>(bytes, 1));
    times[static_cast<std::size_t>(way)][static_cast<std::size_t>(role)].push_back(interval);
}

// Times are unions within the range; of several devices, those of the one with the most.
void addTimes(ByRole& shares, TimesByRole& times, const DeviceActivity& device, Interval range)
{
    for (std::size_t way = 0; way < times.size(); ++way)
        for (std::size_t role = 0; role < times[way].size(); ++role) {
            if (times[way][role].empty())
                continue;
            RoleShare& share = shares[way][role];
            const IntervalSet copying(std::move(times[way][role]));
            const std::int64_t durationNs = copying.measureNs(range);
            share.durationNs = std::max(share.durationNs, durationNs);
            share.exposedNs =
                std::max(share.exposedNs, durationNs - intersect(copying, device.kernels).measureNs(range));
        }
}

void addCopies(ByRole& shares, TimesByRole& times, const Analysis& analysis, const DeviceActivity& device,
               Interval range)
{
    for (const CopyWay way : {CopyWay::ToDevice, CopyWay::ToHost}) {
        const std::vector<CopyRecord>& copies = way == CopyWay::ToDevice ? device.h2dCopies : device.d2hCopies;
        const auto [first, last] = analysis.startingIn(copies, range);
        for (std::size_t at = first; at < last; ++at)
            add(shares, times, way, copies[at].role, copies[at].bytes, copies[at].interval(),
                static_cast<double>(copies[at].roleConfidence));
    }
}

// Copies of one row that are no CopyRecord: within a device, between devices, migrations.
void addOthers(ByRole& shares, TimesByRole& times, const Trace& trace, EventRange row, Interval range)
{
    for (std::uint32_t at = firstEndingAfter(trace, row, range.startNs); at < row.last; ++at) {
        const EventIndex event(at);
        const EventKind kind = trace.kind(event);
        const Interval interval = trace.interval(event);
        if (interval.startNs >= range.endNs)
            break;
        if (interval.startNs < range.startNs || (kind != EventKind::CopyD2D && kind != EventKind::CopyOther))
            continue;
        const CopyInfo* info = trace.copy(event);
        add(shares, times, CopyWay::Other, roleOfOtherCopy(kind, trace.name(event), info), info ? info->bytes : 0,
            interval, 1);
    }
}

std::vector<RoleShare> listOf(ByRole& shares)
{
    std::vector<RoleShare> list;
    for (std::size_t way = 0; way < shares.size(); ++way)
        for (std::size_t role = 0; role < shares[way].size(); ++role) {
            RoleShare& share = shares[way][role];
            if (share.copies == 0)
                continue;
            share.way = static_cast<CopyWay>(way);
            share.role = static_cast<CopyRole>(role);
            share.confidence /= static_cast<double>(std::max(share.bytes, share.copies));
            share.confidence = share.role == CopyRole::Unknown ? 0 : std::min(1.0, share.confidence);
            list.push_back(share);
        }
    std::stable_sort(list.begin(), list.end(), [](const RoleShare& a, const RoleShare& b) {
        return std::tuple(a.exposedNs, a.durationNs) > std::tuple(b.exposedNs, b.durationNs);
    });
    return list;
}

}  // namespace

std::string_view copyWayName(CopyWay way)
{
    static constexpr std::array<std::string_view, 3> kNames{"to the device", "to the host", "other"};
    return kNames[static_cast<std::size_t>(way)];
}

CopyRole roleOf(const Trace& trace, const Analysis& analysis, EventIndex event)
{
    if (!isCopy(trace.kind(event)))
        return CopyRole::Unknown;
    const CopyRecord* record = analysis.copyRecord(event);
    return record ? record->role : roleOfOtherCopy(trace.kind(event), trace.name(event), trace.copy(event));
}

std::vector<RoleShare> roleShares(const Analysis& analysis, const DeviceActivity& device, Interval range)
{
    ByRole shares{};
    TimesByRole times;
    addCopies(shares, times, analysis, device, range);
    addTimes(shares, times, device, range);
    return listOf(shares);
}

std::vector<RoleShare> roleShares(const Trace& trace, const Analysis& analysis, Interval range)
{
    const std::vector<DeviceActivity>& devices = analysis.devices();
    ByRole shares{};
    std::vector<TimesByRole> times(devices.size());
    for (std::size_t place = 0; place < devices.size(); ++place)
        addCopies(shares, times[place], analysis, devices[place], range);
    for (const Track& track : trace.tracks()) {
        const auto device = std::lower_bound(devices.begin(), devices.end(), track.device,
                                             [](const DeviceActivity& each, std::int32_t id) { return each.id < id; });
        if (device == devices.end() || device->id != track.device || device->otherCopyStartsNs.empty())
            continue;
        for (const EventRange row : track.rows)
            addOthers(shares, times[static_cast<std::size_t>(device - devices.begin())], trace, row, range);
    }
    for (std::size_t place = 0; place < devices.size(); ++place)
        addTimes(shares, times[place], devices[place], range);
    return listOf(shares);
}

std::int64_t hostWorkOnOffloadedNs(const Analysis& analysis, const DeviceActivity& device, Interval range)
{
    const LostTime* lost = analysis.lost(device.id);
    if (!lost)
        return 0;
    const std::vector<CopyRecord>& back = device.d2hCopies;
    const std::vector<CopyRecord>& in = device.h2dCopies;
    const auto isAmong = [](const std::vector<CopyRecord>& copies, const CopyRecord* copy) {
        return copy && !copies.empty() && copy >= &copies.front() && copy <= &copies.back();
    };
    // What came back since the last copy in is of the size of what goes in behind it: no result that was read.
    const auto isMadeOf = [&](const CopyRecord& firstIn, const CopyRecord& lastBack) {
        const std::int64_t sinceNs = &firstIn == &in.front() ? range.startNs : (&firstIn - 1)->startNs;
        std::int64_t backBytes = 0;
        for (const CopyRecord* copy = &lastBack; copy->startNs >= sinceNs; --copy) {
            backBytes = saturatedSum(backBytes, copy->bytes);
            if (copy == &back.front())
                break;
        }
        const std::int64_t untilNs = &lastBack == &back.back() ? range.endNs : (&lastBack + 1)->startNs;
        std::int64_t inBytes = 0;
        for (const CopyRecord* copy = &firstIn; copy <= &in.back() && copy->startNs < untilNs; ++copy)
            inBytes = saturatedSum(inBytes, copy->bytes);
        return backBytes >= inBytes / kLeastOfWhatGoesIn;
    };
    std::int64_t sumNs = 0;
    const auto first = std::partition_point(device.idle.begin(), device.idle.end(),
                                            [&](const IdleGap& gap) { return gap.interval.endNs <= range.startNs; });
    for (auto gap = first; gap != device.idle.end() && gap->interval.startNs < range.endNs; ++gap) {
        // Copies back end with one, and what was made of them goes the other way.
        const CopyRecord* before = gap->previous.valid() ? analysis.copyRecord(gap->previous) : nullptr;
        const CopyRecord* behind = gap->next.valid() ? analysis.copyRecord(gap->next) : nullptr;
        if (!isAmong(back, before) || !isAmong(in, behind) || !isOffloaded(behind->role) || !isMadeOf(*behind, *before))
            continue;
        for (const LostCause cause : {LostCause::Host, LostCause::HostBetween})
            sumNs += (*lost)[static_cast<std::size_t>(cause)].measureNs(gap->interval.intersected(range));
    }
    return sumNs;
}

CopyRole roleOfAdvice(const Analysis& analysis, const DeviceActivity& device, Interval range, CopyRole role)
{
    if (role != CopyRole::Parameter)
        return role;
    const std::int64_t hostNs = hostWorkOnOffloadedNs(analysis, device, range);
    return static_cast<double>(hostNs) >= kLeastOffloaded * static_cast<double>(range.lengthNs())
               ? CopyRole::OptimizerState
               : role;
}

std::string offloadCeiling(const Analysis& analysis, const DeviceActivity& device, Interval range,
                           std::int64_t iterations, std::int64_t iterationNs)
{
    if (iterations <= 0 || iterationNs <= 0 || device.linkBytesPerSecond <= 0)
        return {};
    std::array<std::int64_t, 2> bytes{};  // each way
    std::int64_t copyNs = 0;
    std::int64_t offloadedNs = 0;
    for (const RoleShare& share : roleShares(analysis, device, range)) {
        std::int64_t& way = bytes[share.way == CopyWay::ToDevice ? 0 : 1];
        way = saturatedSum(way, share.bytes);
        copyNs = saturatedSum(copyNs, share.durationNs);
        if (isOffloaded(share.role))
            offloadedNs = saturatedSum(offloadedNs, share.durationNs);
    }
    // What is offloaded is most of what is copied, and worth a word.
    if (static_cast<double>(offloadedNs) < kLeastOffloaded * static_cast<double>(range.lengthNs()) ||
        offloadedNs < copyNs - offloadedNs)
        return {};
    constexpr double kNsPerSecond = 1e9;
    const std::int64_t most = std::max(bytes[0], bytes[1]) / iterations;
    const std::int64_t linkNs = saturatedRound(static_cast<double>(most) * kNsPerSecond / device.linkBytesPerSecond);
    const std::int64_t kernelNs = device.kernels.measureNs(range) / iterations;
    const std::int64_t hostNs = hostWorkOnOffloadedNs(analysis, device, range) / iterations;
    const bool hasHostWork = static_cast<double>(hostNs) >= kLeastOffloaded * static_cast<double>(iterationNs);
    const std::int64_t ceilingNs = std::max({linkNs, kernelNs, hasHostWork ? hostNs : 0, std::int64_t{1}});
    const double times = static_cast<double>(iterationNs) / static_cast<double>(ceilingNs);
    const std::string both = std::min(bytes[0], bytes[1]) / iterations >= most / 2 ? " each way, both at once," : "";
    std::string text = fmt::format(
        "Ceiling of the offload: {} per iteration{} take {} on the link ({:.0f} GB/s), the kernels {}{}, so that an "
        "iteration takes {} at least.",
        formatBytes(most), both, formatDuration(linkNs), device.linkBytesPerSecond / kNsPerSecond,
        formatDuration(kernelNs),
        hasHostWork ? fmt::format(", the host's own work between copies back and in {}", formatDuration(hostNs))
                    : std::string(),
        formatDuration(ceilingNs));
    return text + (times < kAtCeiling
                       ? " It is reached."
                       : fmt::format(" It takes {}, {:.1f} times that.", formatDuration(iterationNs), times));
}

}  // namespace overlane
