// MachineCheck: one thing that Overlane needs or uses of this machine, and what to do where it is missing.
// Purpose: a use of Overlane that a missing thing may stop.
//
// Plain data; ids are stable, words are not.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/enum_rows.h"
#include "core/base/enum_set.h"

namespace overlane
{

enum class Purpose : std::uint8_t { Open, Record, Measure, Window };
using Purposes = EnumSet<Purpose>;

struct PurposeRow {
    Purpose purpose;
    std::string_view id;
    std::string_view words;
};
inline constexpr std::array<PurposeRow, 4> kPurposes = {{
    {Purpose::Open, "open", "open traces, simulate"},
    {Purpose::Record, "record", "record programs"},
    {Purpose::Measure, "measure", "run on the GPU, calibrate"},
    {Purpose::Window, "window", "show the window"},
}};
static_assert(standInOrder(kPurposes, &PurposeRow::purpose));

struct MachineCheck {
    std::string id;
    std::string subject;
    std::string found;   // what is here
    std::string doThis;  // the next step; empty where all is well
    Purposes stops;      // empty: nothing stops, at most something is less than it could be

    bool isFine() const { return doThis.empty() && stops.empty(); }
};

}  // namespace overlane
