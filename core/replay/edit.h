// Edits: how each change rewrites a program. One function per change, on a copy of the program.
//
// Pure, any thread. A change that a program has no place for answers with an Error that says why; one
// that is already so answers with false.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/replay/change.h"
#include "core/replay/host_memory.h"
#include "core/replay/program.h"
#include "core/replay/rates.h"

namespace overlane
{

// What fetching a batch that is ready takes: it comes in a message that names its memory.
constexpr std::int64_t kFetchNs = 200 * kNsPerUs;

// What the host computes between its calls took 0.8 of the time in the programs that gained most once it no longer
// staged copies of so many bytes a step, for so much of it (docs/validation/whatif.md).
constexpr double kStagesMuch = 0.1;
constexpr std::int64_t kCacheBytes = 24 << 20;
constexpr double kWarmComputing = 0.8;

// Of what is known to a range only: other values give its ends.
struct EditScales {
    double pinned = 1;      // of the rate of page-locked copies
    double pinning = 1;     // of the rate of pinning
    double freeing = 1;     // of the rate at which the host frees memory
    double newWorker = 1;   // of the time for a batch in workers where the training thread made them
    bool lockHeld = false;  // what a new pin thread takes over keeps the consumer waiting, by the interpreter's lock
    bool behindKernels = false;  // the next batch is made and copied once the step's kernels are issued
    double warmth = 1;           // of what calls gain behind a copy that the host stages no more
    double computing = 1;        // of the time that the host computes between calls where it stages no more
    bool staging = true;         // pauses before page-locked copies are the host's copying, where they may be
};

struct EditContext {
    const Rates& rates;
    const DeviceProfile* profile;     // of the traced machine; nullptr = unknown
    std::vector<std::string>& notes;  // what was assumed
    LibraryStaging library = LibraryStaging::Never;
    EditScales scales = {};
    bool stagesMuch = false;                  // the host stages copies for much of the step
    std::vector<Change>* needless = nullptr;  // changes that changed nothing
};

Result<bool> editPin(ReplayProgram& program, const EditContext& context, const Trace& trace);
// Whether there are copies to pin whose rate would then not be known.
bool missesPinnedRate(const ReplayProgram& program, const Rates& rates);
Result<bool> editNonBlocking(ReplayProgram& program, const EditContext& context);
Result<bool> editSideStream(ReplayProgram& program, const EditContext& context, std::int64_t depth);
Result<bool> editDropSyncs(ReplayProgram& program, const EditContext& context);
Result<bool> editReadLater(ReplayProgram& program, const EditContext& context);
Result<bool> editMergeSmall(ReplayProgram& program, const EditContext& context);
Result<bool> editWorkers(ReplayProgram& program, const EditContext& context, std::int64_t workers);
Result<bool> editDevice(ReplayProgram& program, const EditContext& context, const DeviceProfile& device,
                        const Trace& trace);
Result<bool> editLink(ReplayProgram& program, const EditContext& context, double bytesPerSecond);

// Rounded, and no further than times count.
void scaleNs(std::int64_t& ns, double factor);

// A GPU that is busy all the time clocks lower than one that rests between steps: matrix products take so many times
// as long.
void editClock(ReplayProgram& program, const Trace& trace, double factor);
// How much longer a matrix product takes at such a share: 1 below two thirds, 1.16 at 1. Measured on an H200
// (docs/validation/whatif.md).
double clockFactor(double computeShare);

// All of the host's own work takes so many times as long: between calls, in them, staging, and the loader's.
void editHostPace(ReplayProgram& program, double factor);

// Between two calls that issue work a thread does nothing else for longer.
constexpr std::int64_t kIssuingNs = 1 * kNsPerMs;
// What the host computes between calls takes so many times as long.
void editComputing(ReplayProgram& program, double factor);

// Each call, and each pause before one, takes such a share less, and no more than so much: what recording added.
void editRecordingCost(ReplayProgram& program, double share, std::int64_t mostNs);

// All of them, in the order in which they must be made, whatever the order they are given in.
Result<void> editAll(ReplayProgram& program, const EditContext& context, std::span<const Change> changes,
                     const Trace& trace);

}  // namespace overlane
