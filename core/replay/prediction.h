// Prediction: what a replay with changes says.
//
// Plain data. Times in nanoseconds, sizes in bytes. A step's time is the longer of two periods over
// the judged steps: from start to start on the host, and from end to end of the work on the GPU. It is
// computed alike for the measured trace, its replay and the prediction, so they compare.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/replay/change.h"
#include "core/trace/trace.h"

namespace overlane
{

// What a step keeps busy; the one that is busy longest is what the next change must be about.
enum class Bottleneck : std::uint8_t {
    Compute,  // kernels
    H2D,      // copies to the device
    D2H,      // copies from the device
    Host,     // the threads that launch work: calls, and what they do between them
    Workers,  // the loader's workers, divided by their number
    PinThread,
    Loader,   // a loader that is known by the waits for it only
    Waiting,  // nothing of these fills the step: they wait for each other
};
constexpr int kBottleneckCount = 8;
std::string_view bottleneckName(Bottleneck what);      // "compute"; stable, used in JSON
std::string_view bottleneckSentence(Bottleneck what);  // "Kernels fill the step: ..."

// What a replay says of a step's time: no direction is claimed within the noise.
enum class Direction : std::uint8_t { Faster, Slower, Unclear };
std::string_view directionName(Direction direction);  // "faster", "slower", "no clear change"; used in JSON

// How far two runs of programs that take the same time may lie apart.
struct Noise {
    enum class Origin : std::uint8_t { Processes, Steps, Replay, Assumed, Least };

    std::int64_t ns = 0;
    Origin largest = Origin::Least;  // what most of it comes from

    Direction direction(std::int64_t beforeNs, std::int64_t afterNs) const;
    // "two runs differ by 16 %"; empty where there is nothing but the least that counts as a change.
    std::string words(std::int64_t stepNs) const;
};
// "18 % less", or "no clear change (-3 %, two runs differ by 16 %)".
std::string changeWords(std::int64_t beforeNs, std::int64_t afterNs, const Noise& noise);

struct Prediction {
    std::vector<Change> changes;
    std::vector<Change> needless;  // of these: it is so already
    std::string action;            // the first one in words (changeAction())

    bool ofRange = false;  // the trace shows no iterations: its only step is a whole range
    std::int64_t stepNsMeasured = 0;
    std::int64_t stepNsReplayed = 0;  // the replay without any change
    std::int64_t stepNsPredicted = 0;
    std::int64_t lowNs = 0;  // of the predicted step
    std::int64_t highNs = 0;
    std::vector<std::string> rangeOrigins;  // sentences: what makes the range as wide as it is
    Noise noise;                            // of the difference between the step before and after

    Bottleneck bottleneck = Bottleneck::Waiting;
    // Busy time per step by Bottleneck; 0 for Waiting.
    std::array<std::int64_t, kBottleneckCount> busyNs{};

    std::int64_t pinnedBytes = 0;  // page-locked memory that the changed program needs
    std::int64_t ramBytes = 0;     // of the traced machine, else of the one asked; 0 = unknown
    std::string ramOrigin;         // "the trace's gauge of available RAM", "this machine"

    std::vector<std::string> advice;     // sentences: what to do for the changes that are not needless
    std::vector<std::string> notes;      // what was assumed, and what the trace cannot tell
    std::shared_ptr<const Trace> trace;  // the predicted timeline; nullptr where none was asked for
    // With it: when each step of the measured trace starts in the predicted one, by its place; kNoTime where
    // nothing of the step is replayed.
    std::vector<std::int64_t> stepStartsNs;
    static constexpr std::int64_t kNoTime = INT64_MIN;

    Direction direction() const { return noise.direction(stepNsReplayed, stepNsPredicted); }
    // Share of the step, as replayed without change, that goes away; below 0 where it grows.
    double gain() const
    {
        return stepNsReplayed > 0 ? 1 - static_cast<double>(stepNsPredicted) / static_cast<double>(stepNsReplayed) : 0;
    }
};

}  // namespace overlane
