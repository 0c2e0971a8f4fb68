// The wording of tracks, one for all sources: "GPU 0 · NVIDIA H200", below it "H2D", "D2H", "D2D",
// "P2P", "compute", and below those "stream 7". Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/trace/event.h"
#include "core/trace/track.h"

namespace overlane
{

// `name` may be empty.
std::string deviceTrackName(std::int32_t device, std::string_view name);
// A negative number stands for the whole device.
std::string streamTrackName(std::int64_t stream);
// " of context 2": behind the name of a stream of a further context, since each context numbers its own streams
// (cuptiGetStreamIdEx). Empty for 0, the first context of a process on a device or one that is not known.
std::string contextSuffix(std::int64_t context);
// The context that a name with such a suffix says; else 0.
std::int64_t contextOfName(std::string_view name);

// What a track does for a loader, by its kind and its name: recordings name the actors as the laboratory does, with
// " (loader 2)" behind those of a further loader.
enum class LoaderRole : std::uint8_t { Worker, PinThread, Training, Other };
LoaderRole loaderRole(const Track& track);
// Followed by the worker's number.
constexpr std::string_view kWorkerTrackName = "worker ";
constexpr std::string_view kPinThreadTrackName = "pin thread";
constexpr std::string_view kTrainingTrackName = "main";

// "stacks of worker 0": of a thread or an actor of that name.
std::string stacksTrackName(std::string_view thread);
// The parent of those of a loader's workers.
constexpr std::string_view kWorkerStacksTrackName = "stacks of the workers";

// The engines of a device in their order from the top; each is one track below the device, by the table of
// core/trace/track_kinds.h.
enum class EngineLane : std::uint8_t {
    H2D,
    D2H,
    D2D,    // within a device
    P2P,    // between devices
    Other,  // between places on the host, unified memory
    Compute,
};
EngineLane engineLane(EventKind deviceWork, bool betweenDevices = false);
TrackKind engineTrackKind(EngineLane lane);
std::string_view engineTrackName(EngineLane lane);

// Orders among siblings that hold for every source: host before devices, bookkeeping last. What
// belongs between two of them adds a number below kTrackOrderStep.
constexpr std::int32_t kTrackOrderStep = 1'000'000;
constexpr std::int32_t kDeviceTrackOrder = kTrackOrderStep;
constexpr std::int32_t kBookkeepingTrackOrder = 2 * kTrackOrderStep;
constexpr std::int32_t kCounterTrackOrder = kBookkeepingTrackOrder - 1;

// Bytes of page-locked memory in use, as every source names that counter.
constexpr std::string_view kPinnedMemoryCounter = "Pinned memory";

// Place of a gauge among gauges, by its name: memory that is pinned first, what only seldom matters
// last; below 1000. Sources that name the same thing the same way show it in the same place.
std::int32_t gaugeRank(std::string_view name);

}  // namespace overlane
