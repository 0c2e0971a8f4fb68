// What makes a program a recorded one: the variables that it is started with, and what its trace keeps of it.
//
// Pure functions of their arguments, the environment and the file system; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/spool/record_kinds.h"
#include "core/system/child_process.h"
#include "core/trace/trace.h"

namespace overlane
{

// The library that records inside the program: `asked`, else the one beside this program. The Error says that there is
// none, or that another profiler has its place.
Result<std::string> recordingLibrary(const std::string& asked);

struct PythonHook {
    std::string folder;          // empty: the one that came with this program
    bool looksAtLoader = false;  // at PyTorch's DataLoader, and counts iterations
    bool isNeeded = false;       // else a program goes without where there is none
    std::int64_t stacksUs = 0;   // between two looks at stacks; 0 = none
};
Result<void> addPythonHook(ProgramStart& program, const PythonHook& hook);

// `folder` is that of the recording, absolute.
void addRecordingVariables(ProgramStart& program, const std::string& library, const std::string& folder,
                           const RecordKinds& kinds);

// That iterations were to be recorded and none was counted; `otherwise`: "Record by seconds".
std::string noIterationText(std::string_view otherwise);

// Title, origin, kinds, processors, and the rank that a launcher gave.
void describeRecording(TraceMetadata& metadata, const ProgramStart& program, const RecordKinds& kinds);

}  // namespace overlane
