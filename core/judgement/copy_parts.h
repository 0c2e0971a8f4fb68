// Copies of a device by direction and cause, hidden ones too, most exposed time first.
//
// Pure functions, any thread. Nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/program_traits.h"
#include "core/content/block.h"
#include "core/judgement/judgement.h"
#include "core/trace/event.h"

namespace overlane
{

struct CopyPart {
    EventKind direction = EventKind::CopyH2D;
    CopyGroup group;
    double share = 0;  // of the exposed time of the device's copies in this direction
};

enum class CopyChoice : std::uint8_t { All, Exposed };

std::vector<CopyPart> copyParts(const DeviceJudgement& device, CopyChoice choice);
// A row for each part; the remark explains its cause, and what to do about it in the words of this program. `carries`:
// what most of the exposed copies to the device carry.
Table copyTable(const std::vector<CopyPart>& parts, CopyRole carries, const ProgramTraits& program);

}  // namespace overlane
