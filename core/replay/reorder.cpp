#include "core/replay/reorder.h"

#include <algorithm>
#include <vector>

#include "core/base/statistics.h"

namespace overlane
{
namespace
{

// The calls of one step that bring the next batch to the device: from its fetch, or its first copy, to
// its last copy, with no kernel asked for in between. As places in ReplayProgram::calls.
using BatchCalls = std::vector<std::uint32_t>;

bool copiesToDevice(const ReplayProgram& program, const HostCall& call)
{
    return call.kind == CallKind::Launch && program.tasks[call.firstTask].lane == Lane::H2D;
}

bool computes(const ReplayProgram& program, const HostCall& call)
{
    return call.kind == CallKind::Launch && program.tasks[call.lastTask - 1].lane == Lane::Compute;
}

// The main thread's, as places in ReplayProgram::calls.
std::vector<std::vector<std::uint32_t>> callsOfSteps(const ReplayProgram& program)
{
    std::vector<std::vector<std::uint32_t>> callsOf(program.steps.size());
    for (std::uint32_t at = 0; at < program.calls.size(); ++at) {
        const HostCall& call = program.calls[at];
        if (call.thread == program.mainThread && call.step >= 0 && static_cast<std::size_t>(call.step) < callsOf.size())
            callsOf[static_cast<std::size_t>(call.step)].push_back(at);
    }
    return callsOf;
}

std::vector<BatchCalls> batchCallsOf(const ReplayProgram& program)
{
    std::vector<BatchCalls> blocks(program.steps.size());
    const std::vector<std::vector<std::uint32_t>> callsOf = callsOfSteps(program);
    for (std::size_t step = 0; step < blocks.size(); ++step) {
        BatchCalls current;
        bool hasCopy = false, open = false;
        std::size_t kept = 0;
        for (const std::uint32_t at : callsOf[step]) {
            const HostCall& call = program.calls[at];
            const bool copies = copiesToDevice(program, call);
            if (hasCopy && computes(program, call))
                break;
            if (!open && (call.kind == CallKind::Fetch || copies))
                open = true;
            else if (call.kind == CallKind::Fetch || computes(program, call))
                current.clear(), kept = 0, open = call.kind == CallKind::Fetch, hasCopy = false;
            if (!open)
                continue;
            current.push_back(at);
            hasCopy = hasCopy || copies;
            if (copies || call.ofCopy || call.kind == CallKind::Merged)
                kept = current.size();
        }
        if (!hasCopy)
            continue;
        current.resize(kept);
        blocks[step] = std::move(current);
    }
    return blocks;
}

// The first call of each step that waits for the kernels behind its block; kNoIndex where none does.
std::vector<std::uint32_t> waitsOf(const ReplayProgram& program, const std::vector<BatchCalls>& blocks)
{
    std::vector<std::uint32_t> waits(blocks.size(), kNoIndex);
    const std::vector<std::vector<std::uint32_t>> callsOf = callsOfSteps(program);
    for (std::size_t step = 0; step < blocks.size(); ++step) {
        bool hasComputed = false;
        for (const std::uint32_t at : callsOf[step]) {
            if (blocks[step].empty() || at <= blocks[step].back())
                continue;
            const HostCall& call = program.calls[at];
            hasComputed = hasComputed || computes(program, call);
            const bool waitsForIt = (call.kind == CallKind::Sync && !call.ofCopy) ||
                                    (call.kind == CallKind::Launch && call.holds && !copiesToDevice(program, call));
            if (hasComputed && waitsForIt) {
                waits[step] = at;
                break;
            }
        }
    }
    return waits;
}

}  // namespace

std::int64_t batchesAhead(const ReplayProgram& program)
{
    std::vector<std::int64_t> lags;
    for (const GpuTask& task : program.tasks) {
        if (task.lane != Lane::Compute || task.call == kNoIndex)
            continue;
        const std::int32_t step = program.calls[task.call].step;
        for (std::uint32_t wait = task.firstWait; wait < task.lastWait; ++wait) {
            const GpuTask& waited = program.tasks[program.waits[wait]];
            if (waited.lane == Lane::H2D && waited.call != kNoIndex && step >= 0)
                lags.push_back(step - program.calls[waited.call].step);
        }
    }
    if (lags.empty()) {
        // No waits at all: the stream's order ties a step's copies to its own kernels.
        const std::vector<BatchCalls> blocks = batchCallsOf(program);
        const auto filled =
            std::count_if(blocks.begin(), blocks.end(), [](const BatchCalls& block) { return !block.empty(); });
        return static_cast<std::size_t>(filled) * 2 > blocks.size() ? 1 : 0;
    }
    return std::max<std::int64_t>(0, lowerMedian(std::move(lags))) + 1;
}

void shiftBatches(ReplayProgram& program, std::int64_t steps, BatchPlace place)
{
    const std::vector<BatchCalls> blocks = batchCallsOf(program);
    std::vector<std::size_t> filled;  // steps with a block
    for (std::size_t step = 0; step < blocks.size(); ++step)
        if (!blocks[step].empty())
            filled.push_back(step);
    if (filled.empty())
        return;
    // Which blocks stand where the block of each step stood.
    std::vector<std::vector<std::size_t>> standing(blocks.size());
    const auto count = static_cast<std::int64_t>(filled.size());
    for (std::int64_t each = 0; each < count; ++each) {
        const std::int64_t moved = std::clamp<std::int64_t>(each - steps, 0, count - 1);
        standing[filled[static_cast<std::size_t>(moved)]].push_back(filled[static_cast<std::size_t>(each)]);
    }
    std::vector<std::int32_t> blockOf(program.calls.size(), -1);
    for (const std::size_t step : filled)
        for (const std::uint32_t at : blocks[step])
            blockOf[at] = static_cast<std::int32_t>(step);
    std::vector<std::uint32_t> waits(blocks.size(), kNoIndex);
    if (place == BatchPlace::BehindKernels)
        waits = waitsOf(program, blocks);
    std::vector<std::uint32_t> newPlace(program.calls.size(), kNoIndex);
    std::vector<std::uint32_t> firstAt(program.calls.size(), kNoIndex);  // new place of what stands at an old place
    std::vector<HostCall> calls;
    calls.reserve(program.calls.size());
    const auto stand = [&](std::size_t block, std::size_t step) {
        for (const std::uint32_t moved : blocks[block]) {
            newPlace[moved] = static_cast<std::uint32_t>(calls.size());
            calls.push_back(program.calls[moved]);
            calls.back().step = static_cast<std::int32_t>(step);
        }
    };
    for (std::uint32_t at = 0; at < program.calls.size(); ++at) {
        const std::int32_t stepOfCall = program.calls[at].step;
        if (stepOfCall >= 0 && static_cast<std::size_t>(stepOfCall) < waits.size() &&
            waits[static_cast<std::size_t>(stepOfCall)] == at) {
            const auto step = static_cast<std::size_t>(stepOfCall);
            for (const std::size_t other : standing[step])
                if (other > step)
                    stand(other, step);
        }
        firstAt[at] = static_cast<std::uint32_t>(calls.size());
        if (blockOf[at] < 0) {
            newPlace[at] = static_cast<std::uint32_t>(calls.size());
            calls.push_back(program.calls[at]);
            continue;
        }
        const auto step = static_cast<std::size_t>(blockOf[at]);
        if (at != blocks[step].front())
            continue;
        for (const std::size_t other : standing[step])
            if (other <= step || waits[step] == kNoIndex)
                stand(other, step);
    }
    program.calls = std::move(calls);
    for (GpuTask& task : program.tasks)
        if (task.call != kNoIndex)
            task.call = newPlace[task.call];
    for (LoaderProgram& loader : program.loaders)
        for (LoaderBatch& batch : loader.batches)
            batch.fetch = newPlace[batch.fetch];
    for (ProgramStep& mark : program.steps)
        if (mark.call != kNoIndex)
            mark.call = std::min(firstAt[mark.call], static_cast<std::uint32_t>(program.calls.size() - 1));
}

}  // namespace overlane
