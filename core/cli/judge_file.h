// Files judged for the commands, with their progress drawn; Ctrl+C cancels. Calling thread.
#pragma once

#include <memory>
#include <string>

#include "core/cli/long_task.h"
#include "core/cli/option_list.h"
#include "core/io/format.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

// --iteration, the option that takes another of a trace's loops, of every command that judges.
void addIterationOption(OptionList& list, std::string& iteration);

Result<std::unique_ptr<const JudgedTrace>> judgeFile(const std::string& path, LongTask::Drawing drawing,
                                                     const TraceRequest& request = {});

}  // namespace overlane
