// The recording in a directory as a trace in memory, merged in one go.
#pragma once

#include <string>

#include "core/spool/recording.h"

namespace overlane::test
{

inline Result<Trace> readRecording(const std::string& directory)
{
    TraceBuilder builder;
    TraceSinkOf<TraceBuilder> sink(builder);
    RecordingMerger merger(directory, sink);
    RETURN_IF_ERROR(merger.finish());
    return builder.build();
}

}  // namespace overlane::test
