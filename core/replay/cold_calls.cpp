#include "core/replay/cold_calls.h"

#include <algorithm>
#include <array>

#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/replay/edit.h"

namespace overlane
{
namespace
{

// What a core has for itself on the servers of today: smaller copies leave most of it.
constexpr std::int64_t kCoreCacheBytes = 2 << 20;

// Longer than that nothing takes to come back into the caches between two calls.
constexpr std::int64_t kMostColdNs = 150 * kNsPerUs;
// So many calls behind a copy the caches are filled again.
constexpr std::uint8_t kNear = 32;
constexpr std::uint8_t kFar = kNear + 1;

struct Stretch {
    std::uint8_t upTo;    // calls behind the copy
    double usuallyTakes;  // of the time, without the copy
};
constexpr std::array kStretches = {Stretch{4, 0.35}, Stretch{8, 0.6}, Stretch{16, 0.7}, Stretch{kNear, 0.85},
                                   Stretch{kFar, 0.92}};

double gain(std::uint8_t behind, double warmth)
{
    const auto stretch =
        std::find_if(kStretches.begin(), kStretches.end(), [&](const Stretch& each) { return behind <= each.upTo; });
    return warmth * (1 - stretch->usuallyTakes);
}

// Calls that the host stages a copy in, or right before.
std::vector<bool> stagingCalls(const ReplayProgram& program, LibraryStaging library)
{
    std::vector<bool> stages(program.calls.size(), false);
    for (std::uint32_t at = 0; at < program.calls.size(); ++at) {
        const HostCall& call = program.calls[at];
        if (call.kind != CallKind::Launch || !call.holds)
            continue;
        const GpuTask& task = program.tasks[call.firstTask];
        stages[at] = (task.lane == Lane::H2D || task.lane == Lane::D2H) && task.hostMemory == MemoryKind::Pageable &&
                     task.bytes >= kCoreCacheBytes;
    }
    for (const HostPause& pause : stagingPauses(program, library).pauses)
        stages[pause.call] = program.tasks[program.calls[pause.call].firstTask].bytes >= kCoreCacheBytes;
    return stages;
}

}  // namespace

ColdCalls coldCalls(const ReplayProgram& program, LibraryStaging library, bool stagesMuch)
{
    const std::uint8_t farBehind = stagesMuch ? kFar : 0;
    const std::vector<bool> stages = stagingCalls(program, library);
    ColdCalls cold(program.calls.size(), 0);
    std::vector<std::uint8_t> behind(program.threads, 0);
    for (std::uint32_t at = 0; at < program.calls.size(); ++at) {
        std::uint8_t& count = behind[program.calls[at].thread];
        cold[at] = count;
        if (stages[at])
            count = 1;
        else if (count > 0)
            count = count < kNear ? count + 1 : farBehind;
    }
    return cold;
}

std::int64_t warmCalls(ReplayProgram& program, const ColdCalls& cold, double warmth)
{
    std::int64_t goneNs = 0;
    for (std::size_t at = 0; at < program.calls.size(); ++at) {
        if (cold[at] == 0)
            continue;
        HostCall& call = program.calls[at];
        const std::int64_t beforeNs = saturatedSum(call.gapNs, call.costNs);
        for (std::int64_t* ns : {&call.gapNs, &call.costNs})
            if (*ns > 0 && *ns <= kIssuingNs)
                *ns -= std::min(kMostColdNs, saturatedRound(gain(cold[at], warmth) * static_cast<double>(*ns)));
        if (program.isJudged(call))
            goneNs = saturatedSum(goneNs, beforeNs - saturatedSum(call.gapNs, call.costNs));
    }
    return goneNs;
}

}  // namespace overlane
