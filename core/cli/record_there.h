// recordThere(): `overlane record --host`, from the connection to the trace that is here.
//
// Blocks; the main thread, whose signals it takes.
#pragma once

#include <optional>

#include "core/cli/command.h"
#include "core/cli/record_arguments.h"
#include "core/system/child_process.h"

namespace overlane
{

struct RecordedThere {
    int code = 0;
    std::optional<ProgramEnd> program;  // where it ended and its trace is here: the code is its own
};

RecordedThere recordThere(const RecordArguments& options, CommandOutput to);

}  // namespace overlane
