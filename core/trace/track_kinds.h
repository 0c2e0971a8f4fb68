// The kinds of tracks as a table: a row for each, with its id, its words and its place on the screen; and the engine
// lanes of a device as another.
//
// Constants; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/trace/track.h"
#include "core/trace/track_names.h"

namespace overlane
{

// From the top, among siblings. Engines follow each other in the order of their kinds, all others as they were added.
enum class LaneGroup : std::uint8_t { Loader, Host, Device, Engine, Stream, Gauge };

// The bands of an overview, and what sums over a range are listed for.
enum class LaneBand : std::uint8_t { Host, Copies, Kernels, None };
constexpr int kLaneBandCount = static_cast<int>(LaneBand::None);

struct TrackKindRow {
    TrackKind kind;
    std::string_view id;    // "h2d": what keys and JSON name it by; never changes
    std::string_view name;  // "H2D": what such lanes are called together
    LaneGroup group;
    // In a sentence or two, and the key of the lesson that shows it (resources/lessons). A loader's actors are
    // explained by their role (core/lessons/explanation_texts.h).
    std::string_view explanation;
    std::string_view lesson;
    LaneBand band = LaneBand::None;
    bool bearsOwnName = true;     // else an engine is called `name`, whatever a source calls it
    bool shownEmpty = false;      // a lane of the window though nothing is on it: its idleness is worth seeing
    bool alwaysPictured = false;  // likewise in the picture of a device in a report
    bool startsClosed = false;    // its streams or rows are shown only when asked for
    bool isRecorded = false;      // a recorded process adds such lanes itself (core/spool/spool_format.h)

    bool isEngine() const { return group == LaneGroup::Engine; }
    bool isLane() const { return group != LaneGroup::Gauge; }
};
// In the order of TrackKind.
std::span<const TrackKindRow> trackKinds();
const TrackKindRow& rowOf(TrackKind kind);
// Of a lane that a recorded process added, by the number that it gave; Group where it adds none of that kind.
TrackKind recordedKind(std::uint32_t number);

struct EngineLaneRow {
    EngineLane lane;
    TrackKind kind;
    std::string_view name;  // of its track, for every source
};
const EngineLaneRow& rowOf(EngineLane lane);

}  // namespace overlane
