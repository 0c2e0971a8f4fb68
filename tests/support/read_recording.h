// The recording in a directory as a trace in memory, merged in one go.
#pragma once

#include <fmt/format.h>
#include <string>

#include "core/base/units.h"
#include "core/spool/recording_merger.h"

namespace overlane::test
{

inline Result<Trace> readRecording(const std::string& directory)
{
    TraceBuilder builder;
    TraceSinkOf<TraceBuilder> sink(builder);
    RecordingMerger merger(directory, sink);
    RETURN_IF_ERROR(merger.finish());
    for (const RecordingNotice& notice : merger.takeNotices())
        if (isAlarming(notice.status))
            builder.metadata().properties[fmt::format("process {}: {}", notice.pid, formatDuration(notice.timeNs))] =
                notice.sentence;
    return builder.build();
}

}  // namespace overlane::test
