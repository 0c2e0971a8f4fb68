// Writes a whole trace as an .overlane file, in place of what is there or not at all.
//
// Stateless, any thread. The new file grows beside the old one and takes its name when complete
// and on disk; on any failure the old file is as it was and the new one is gone.
#pragma once

#include <optional>
#include <string>

#include "core/base/file_stamp.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/trace/made_by_hand.h"
#include "core/trace/trace.h"

namespace overlane
{

// A file as this program read or wrote it last, and what a person had made in it.
struct OverlaneOnDisk {
    std::string path;
    FileStamp stamp;
    MadeByHand hand;
};

struct OverlaneSaveRequest {
    std::optional<MadeByHand> hand;  // in place of the trace's own
    // Where another program has changed this file since, what was made there is not lost: it is joined with
    // `hand`, and where the file holds another trace by now, nothing is written.
    std::optional<OverlaneOnDisk> known;
};

struct OverlaneSaved {
    OverlaneOnDisk disk;
    bool merged = false;  // with what another program had saved
};

// The Error is the reason alone, without the name of the file.
Result<OverlaneSaved> saveOverlane(const Trace& trace, const std::string& path, Progress& progress,
                                   const OverlaneSaveRequest& request = {});

}  // namespace overlane
