// Presets: whole sets of settings to start from, as a list that the command line, the laboratory and lessons share. The
// table of the settings themselves is in core/loader/settings.h.
//
// Constants, made at the first call; any thread. Units as in core/loader/scenario.h.
#pragma once

#include <span>
#include <string_view>

#include "core/loader/scenario.h"

namespace overlane
{

struct Preset {
    std::string_view key;     // "pinned_side_stream"; stable
    std::string_view name;    // "pinned, side stream"
    std::string_view hint;    // one sentence: what to watch and what to try next
    std::string_view device;  // key of the device profile it is meant for
    Scenario scenario;
};
std::span<const Preset> allPresets();  // the first is the default of a first start

}  // namespace overlane
