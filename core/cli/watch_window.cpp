#include "core/cli/watch_window.h"

#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/progress.h"
#include "core/base/work_meter.h"
#include "core/io/format.h"
#include "core/judgement/judged_trace.h"
#include "core/recorder/recording_files.h"

namespace overlane
{

Result<SeenWindow> lookAtWindow(const RecordedWindow& window, const std::string& file)
{
    constexpr int kLeastUrgent = 19;
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kLeastUrgent);  // of this thread, on Linux
    Progress progress;
    return attempt("judge a window", &progress, [&](const WorkMeter& work) -> Result<SeenWindow> {
        ASSIGN_OR_RETURN(WrittenWindow written, writeWindow(window, file));
        SeenWindow seen;
        seen.file = file;
        seen.cut = window.cut;
        seen.warnings = std::move(written.warnings);
        seen.usedGpu = written.totals.kernels > 0 || written.totals.copies > 0;
        if (!seen.usedGpu)
            return seen;
        ASSIGN_OR_RETURN(Trace read, readTrace(file, progress));
        ASSIGN_OR_RETURN(const auto judged,
                         JudgedTrace::make(std::move(read), std::filesystem::path(file).filename().string(), {}, work));
        seen.figures = windowFigures(*judged);
        seen.figures.number = window.number;
        seen.figures.endUnixNs = window.endUnixNs;
        return seen;
    });
}

}  // namespace overlane
