// Advisor: the best that a DataLoader's user can set under a limit of memory, found in simulation.
//
// Data, compute, machine and the number of streams stay as they are; what is searched is pin_memory,
// non_blocking, the copy's stream with the batches kept on the device, workers and prefetch_factor:
// every combination, a long run of each (sweep.h, time per batch). A simulated time stands for a range, by the measured
// error of the simulation (advisor_error.h), and what is advised holds over that: of those simulated within the range
// of the fastest, the one whose worst case is best. All whose worst case is within kWorthwhile of that, or kMostError
// where their memory takes another way, are as good: the settings as they are first, then the least pinned memory, the
// fewest workers, the least memory of the host, the fewest settings to change. A change wins kWorthwhile, both as
// simulated and at worst; one that asks for more workers or pinned memory wins kPairError. One that gives up pinning,
// workers or batches in flight wins beyond the error, and only where none that keeps them wins. Worst cases are those
// of two loaders; of Overlane's own, with kOwnMostError, where PyTorch's rows say too little of a way that is compared.
// The front holds the settings that no other beats in both time and pinned memory, as far as a difference is worth it;
// it stops paying at the settings that are advised or kept, so that no row of it is both faster and no dearer than
// those.
// Pure functions, any thread; bytes and nanoseconds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/device_profile.h"
#include "core/loader/scenario.h"
#include "core/runs/measured_run.h"

namespace overlane
{

// What a further step must win to be worth memory, workers or a change of code.
constexpr double kWorthwhile = 0.02;

struct AdvisorLimits {
    std::int64_t ramBytes = 0;     // of the machine; 0: the scenario's
    std::int64_t pinnedBytes = 0;  // page-locked at most; 0: no limit but RAM
    std::int64_t cores = 0;        // for workers, pin thread and training; 0: the scenario's
};

struct AdvisorCandidate {
    Scenario scenario;
    double batchNs = 0;  // in a long run
    std::int64_t pinnedPeakBytes = 0;
    std::int64_t swapPeakBytes = 0;
    double overlapShare = 0;
    double kernelNs = 0;         // per batch
    double copyNs = 0;           // host to device, per batch
    double loadNs = 0;           // of the loader's workers, per batch
    std::int64_t hostBytes = 0;  // pinned memory, workers and the batches they hold
    bool fits = false;
    std::string error;  // why it cannot run at all; then there are no figures
};

// What a batch takes in eight runs of ten of either loader, by the error of the simulation; never less than its
// kernels.
struct TimeRange {
    double lowNs = 0;
    double highNs = 0;
};
TimeRange timeRange(const AdvisorCandidate& candidate);

enum class AdviceKind : std::uint8_t {
    Change,        // other settings are worth it
    StayAsIs,      // nothing is worth a change
    ComputeBound,  // kernels take all the time there is
    PinningOff,    // other settings are, and pageable memory is as good for them
    NothingFits,   // not within the limits
};
std::string_view adviceKindName(AdviceKind kind);  // "change", ...; stable

struct AdviceMeasurement {
    std::string device;
    double nowNs = 0;  // per batch
    double advisedNs = 0;
};

struct Advice {
    AdviceKind kind = AdviceKind::NothingFits;
    AdvisorLimits limits;
    std::string profile;                         // the device profile's key; empty where nothing was simulated
    AdvisorCandidate now;                        // the settings as they are
    AdvisorCandidate advised;                    // equal to `now` where nothing is worth a change
    std::vector<AdvisorCandidate> front;         // by pinned memory, least first; each faster than the one before
    std::size_t knee = 0;                        // where it stops paying: the place of `advised` in the front
    std::optional<AdvisorCandidate> pageable;    // the fastest without pinned memory that fits
    std::optional<AdvisorCandidate> pinned;      // the fastest with pinned memory that fits, where none is advised
    std::optional<AdvisorCandidate> leaner;      // simulated as fast as what is kept, with less pinned memory
    std::optional<AdvisorCandidate> passedOver;  // the fastest, where `advised` is not as fast within kWorthwhile
    std::size_t tried = 0;                       // combinations
    std::optional<AdviceMeasurement> measured;   // where a GPU confirmed it
};

// The settings differ from `now` in these keys of allSettings(), in its order.
std::vector<std::string> changedKeys(const Scenario& now, const Scenario& advised);

// What follows from figures alone: of those that were tried, `now` among them or not able to run.
Advice adviseAmong(const AdvisorCandidate& now, const std::vector<AdvisorCandidate>& tried);

// A change is faster over the whole error, or needed to fit; what is kept is simulated as fast as anything.
bool isSure(const Advice& advice);

Result<Advice> advise(const Scenario& now, const DeviceProfile& device, const AdvisorLimits& limits, Progress& progress,
                      unsigned threads = 0);

using AdviceMeasure = std::function<Result<MeasuredRunResult>(const Scenario&, const MeasuredRunOptions&, Progress&)>;
// Runs the settings as they are and as advised on this machine's GPU.
Result<AdviceMeasurement> confirmAdvice(const Advice& advice, const MeasuredRunOptions& options, Progress& progress,
                                        const AdviceMeasure& measure = {});

}  // namespace overlane
