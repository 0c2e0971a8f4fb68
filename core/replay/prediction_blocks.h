// What a replay and a prediction say, as blocks (core/content/block.h).
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <vector>

#include "core/content/block.h"
#include "core/replay/prediction.h"
#include "core/replay/replay.h"

namespace overlane
{

// What the trace takes, how near the replay without changes comes, and what it rests on.
Blocks replayBlocks(const ReplayReport& report);
// Headline, bottleneck, busy times and memory, what to do, assumptions, what makes the range.
Blocks predictionBlocks(const Prediction& prediction);

// Of predictions of one change each, as they are ordered: what would help, what may, and what cannot be predicted for
// want of a figure.
Blocks suggestionBlocks(const std::vector<Prediction>& suggestions, const ReplayReport& report);

// Of Replay::easiest(): "Easiest change: pin the loader's batches, 43.5 ms to 34.1 ms a step, predicted (range 25.6 ms
// to 42.3 ms)."
std::string easiestChangeText(const Prediction& easiest);
// "Pin the loader's batches: 43.5 ms to 34.1 ms a step, predicted", and shorter forms for less room.
std::vector<std::string> easiestChangeForms(const Prediction& easiest);

// "9.10 ms, 36 % less"; within the noise changeWords() alone. `beforeNs` is the step without the change.
std::string gainText(std::int64_t beforeNs, std::int64_t afterNs, const Noise& noise);
// "6.13 ms a step, 60 % less; range 5.98 ms to 6.24 ms"
std::string predictedTime(const Prediction& prediction);
// Empty ranges are one time.
std::string predictedRange(const Prediction& prediction);
// "Kernels fill the step: ...", or the range.
std::string bottleneckText(const Prediction& prediction);
// "+0.1 %"
std::string replayErrorText(const ReplayReport& report);

}  // namespace overlane
