#include "core/cli/judge_file.h"

#include <filesystem>

namespace overlane
{

void addIterationOption(OptionList& list, std::string& iteration)
{
    list.add("--iteration", iteration, "The loop to judge by, of those that info lists: place, name or count")
        .type("LEVEL|NAME|COUNT");
}

Result<std::unique_ptr<const JudgedTrace>> judgeFile(const std::string& path, LongTask::Drawing drawing,
                                                     const TraceRequest& request)
{
    ASSIGN_OR_RETURN(Trace read, readWithProgress(path, drawing));
    LongTask judging("Judging", drawing);
    return attempt("judge the trace", &judging.progress(),
                   [&](const WorkMeter& work) -> Result<std::unique_ptr<const JudgedTrace>> {
                       auto judged = JudgedTrace::make(std::move(read), std::filesystem::path(path).filename().string(),
                                                       request, work);
                       if (!judged.ok())
                           return judged.failure().in(path);
                       return judged;
                   });
}

}  // namespace overlane
