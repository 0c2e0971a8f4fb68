// Other times for the same work: another device, a lower clock, a slower or less burdened host.
#include <algorithm>
#include <fmt/format.h>

#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/replay/edit.h"

namespace overlane
{
namespace
{

bool isMatrixProduct(std::string_view name)
{
    for (const std::string_view part :
         {"gemm", "gemv", "xmma", "cutlass", "nvjet", "wgmma", "conv", "flash", "attention"})
        if (name.find(part) != std::string_view::npos)
            return true;
    return false;
}

}  // namespace

void scaleNs(std::int64_t& ns, double factor)
{
    ns = std::max<std::int64_t>(ns > 0, saturatedRound(static_cast<double>(ns) * factor));
}

Result<bool> editDevice(ReplayProgram& program, const EditContext& context, const DeviceProfile& device,
                        const Trace& trace)
{
    const DeviceProfile* from = context.profile;
    if (!from) {
        const DeviceProfile* near = nearestProfile(trace);
        return Error{
            fmt::format("The GPU of this trace has no device profile, so nothing shows how another compares; name a "
                        "machine like it "
                        "with --device {}.",
                        near ? near->key : "PROFILE (listed by `overlane run --list`)")};
    }
    if (from->key == device.key)
        return false;
    const double products =
        from->peakFlopsPerSecond * from->sustainedFlopsShare / (device.peakFlopsPerSecond * device.sustainedFlopsShare);
    const double memory = from->deviceMemoryBytesPerSecond / device.deviceMemoryBytesPerSecond;
    for (GpuTask& task : program.tasks) {
        if (task.lane == Lane::Compute)
            scaleNs(task.lengthNs, isMatrixProduct(trace.name(task.event)) ? products : memory);
        else if (task.lane == Lane::OtherCopy)
            scaleNs(task.lengthNs, memory);
        else if (task.hostMemory == MemoryKind::Pinned)
            scaleNs(task.lengthNs, task.lane == Lane::H2D ? from->h2dBytesPerSecond / device.h2dBytesPerSecond
                                                          : from->d2hBytesPerSecond / device.d2hBytesPerSecond);
        else
            scaleNs(task.lengthNs, task.lane == Lane::H2D
                                       ? from->stagingColdBytesPerSecond / device.stagingColdBytesPerSecond
                                       : from->stagingD2hBytesPerSecond / device.stagingD2hBytesPerSecond);
    }
    context.notes.push_back(
        fmt::format("Matrix products take {:.2f} times as long on {}, other kernels {:.2f} times (rates of "
                    "the two profiles); the host's own work is as measured.",
                    products, device.name, memory));
    return true;
}

double clockFactor(double computeShare)
{
    constexpr double kRests = 0.68;
    constexpr double kPerShare = 0.5;
    return 1 + kPerShare * std::max(0.0, std::min(1.0, computeShare) - kRests);
}

void editClock(ReplayProgram& program, const Trace& trace, double factor)
{
    for (GpuTask& task : program.tasks)
        if (task.lane == Lane::Compute && isMatrixProduct(trace.name(task.event)))
            scaleNs(task.lengthNs, factor);
}

void editHostPace(ReplayProgram& program, double factor)
{
    std::vector<bool> begun(program.threads, false);
    for (HostCall& call : program.calls) {
        if (call.gapNs > 0 && begun[call.thread])  // the first pause is the time before a thread began
            scaleNs(call.gapNs, factor);
        begun[call.thread] = true;
        scaleNs(call.costNs, factor);
    }
    for (GpuTask& task : program.tasks)
        if ((task.lane == Lane::H2D || task.lane == Lane::D2H) && task.hostMemory == MemoryKind::Pageable)
            scaleNs(task.lengthNs, factor);
    for (LoaderProgram& loader : program.loaders)
        for (LoaderBatch& batch : loader.batches)
            for (std::int64_t* ns : {&batch.workNs, &batch.pinNs, &batch.takeNs, &batch.holdsNs})
                if (*ns > 0)
                    scaleNs(*ns, factor);
}

void editComputing(ReplayProgram& program, double factor)
{
    std::vector<bool> begun(program.threads, false);
    for (HostCall& call : program.calls) {
        if (call.gapNs > kIssuingNs && begun[call.thread])  // the first pause is the time before a thread began
            scaleNs(call.gapNs, factor);
        begun[call.thread] = true;
    }
}

void editRecordingCost(ReplayProgram& program, double share, std::int64_t mostNs)
{
    std::vector<bool> begun(program.threads, false);
    const auto lessen = [&](std::int64_t& ns) {
        ns -= std::min(mostNs, saturatedRound(share * static_cast<double>(ns)));
    };
    for (HostCall& call : program.calls) {
        if (call.gapNs > 0 && begun[call.thread])
            lessen(call.gapNs);
        begun[call.thread] = true;
        lessen(call.costNs);
    }
}

}  // namespace overlane
