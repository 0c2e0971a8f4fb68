#include "core/replay/program.h"

#include <cmath>

namespace overlane
{
namespace
{

// A quarter of what times can count, so that no sum along a schedule overflows.
constexpr double kMostNs = 0x1p61;

}  // namespace

bool timesAddUp(const ReplayProgram& program)
{
    double sumNs = 0;
    const auto add = [&](std::int64_t ns) { sumNs += std::abs(static_cast<double>(ns)); };
    for (const HostCall& call : program.calls) {
        add(call.gapNs);
        add(call.costNs);
        add(call.tailNs);
    }
    for (const GpuTask& task : program.tasks) {
        add(task.lengthNs);
        add(task.afterCallNs);
        add(task.afterWorkNs);
    }
    for (const LoaderProgram& loader : program.loaders)
        for (const LoaderBatch& batch : loader.batches)
            for (const std::int64_t ns : {batch.workNs, batch.pinNs, batch.transitNs, batch.askNs, batch.pauseNs,
                                          batch.holdsNs, batch.epochOffsetNs})
                add(ns);
    return sumNs <= kMostNs;
}

}  // namespace overlane
