// The names in Chrome traces that Overlane writes, for its writer and its reader: categories of events as PyTorch's
// profiler has them, and what says the rest, so that reading the file again gives the same trace. docs/export.md
// describes them.
//
// Constants and pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/trace/collective.h"
#include "core/trace/event.h"
#include "core/trace/track.h"

namespace overlane
{

// The member of the file, before "traceEvents", that says what wrote the file, and how to read it.
inline constexpr std::string_view kChromeOverlane = "overlane";
constexpr int kChromeVersion = 1;
// The metadata event that declares a track.
inline constexpr std::string_view kChromeTrackEvent = "overlane_track";
inline constexpr std::string_view kChromeDeviceAnnotation = "gpu_user_annotation";

std::string_view chromeCategory(EventKind kind);
// By the category, and where that is of several, by args.kind and args.direction; host work where nothing tells.
EventKind chromeKind(std::string_view category, std::string_view kind, std::string_view direction);
// "h2d", "d2h", "d2d", "other", as in the table of copies.
std::string_view copyDirectionId(EventKind copy);

// As PyTorch names copies: "Memcpy HtoD (Pinned -> Device)".
std::string chromeCopyName(EventKind kind, const CopyInfo& copy, bool betweenDevices);

// As PyTorch names the collective: "all_reduce".
std::string_view chromeCollectiveName(CollectiveKind kind);

MemoryKind memoryKindOf(std::string_view name);
std::optional<TrackKind> trackKindOf(std::string_view id);
std::string_view counterUnitId(CounterUnit unit);
CounterUnit counterUnitOf(std::string_view id);

}  // namespace overlane
