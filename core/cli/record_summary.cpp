#include "core/cli/record_summary.h"

#include <cstdint>
#include <filesystem>
#include <fmt/format.h>

#include "core/base/counted.h"
#include "core/base/units.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"
#include "core/cli/long_task.h"

namespace overlane
{
namespace
{

// Judging takes about 134 bytes an event (tests/gpu/README.md); larger recordings are judged when somebody
// asks, so that the recorder stays small beside the program whatever its length.
constexpr std::int64_t kMostEventsForVerdict = 1'200'000;

void printVerdict(const RecordOutcome& outcome, const std::string& shown, std::ostream& err)
{
    if (outcome.totals.events > kMostEventsForVerdict) {
        err << fmt::format("overlane: {} events are too many to judge while a program runs; `overlane info {}` does.\n",
                           formatCount(outcome.totals.events), shown);
        return;
    }
    TraceRequest request;
    request.depth = Depth::Verdict;
    const auto judged = judgeFile(outcome.file, LongTask::Drawing::OnTerminal, request);
    if (!judged.ok())
        err << "overlane: " << judged.error() << '\n';
    else
        err << verdictText(judged.value()->judgement.verdict);
}

std::string shownName(const std::string& file, const std::string& shownIn)
{
    return shownIn.empty()
               ? file
               : (std::filesystem::path(shownIn) / std::filesystem::path(file).filename()).lexically_normal().string();
}

std::string folderOf(const std::string& file)
{
    const std::string folder = std::filesystem::path(file).parent_path().string();
    return folder.empty() ? "." : folder;
}

}  // namespace

std::string rankPrefix(const RecordingPlace& place)
{
    return place.isOfJob() ? fmt::format("rank {}: ", place.rank->rank) : std::string();
}

void printRecordSummary(const RecordOutcome& outcome, const RecordingPlace& place, const std::string& shownIn,
                        std::ostream& err)
{
    const std::string file = shownName(outcome.file, shownIn);
    const RecordingTotals& totals = outcome.totals;
    const auto say = [&](const std::string& sentence) {
        // In one piece, since other ranks write to the same terminal.
        err << fmt::format("overlane: {}{}\n", rankPrefix(place), sentence) << std::flush;
    };
    if (!outcome.failure.empty())
        say(outcome.failure + "; what was recorded until then:");
    for (const std::string& warning : outcome.warnings)
        say(warning);
    const bool isEmpty = totals.kernels == 0 && totals.copies == 0;
    if (isEmpty && totals.hindered > 0) {
        say(fmt::format("no copy and no kernel was recorded, for the reason above. {} has the gauges.", file));
    } else if (isEmpty) {
        say(
            fmt::format("no copy and no kernel came: no process of the program used the GPU while recording. See {} "
                        "for the gauges.",
                        file));
    } else {
        say(fmt::format(
            "{}, {}, {} of {} in {}{}.", counted(totals.processes, "process", "processes"),
            counted(totals.kernels, "kernel"), counted(totals.copies, "copy", "copies"), formatBytes(totals.copyBytes),
            file,
            totals.dropped == 0
                ? std::string()
                : fmt::format("; {} dropped", counted(static_cast<std::int64_t>(totals.dropped), "record"))));
    }
    if (!place.isOfJob()) {
        if (!isEmpty)
            printVerdict(outcome, file, err);
    } else if (place.rank->rank == 0) {
        say(fmt::format("`overlane job {}` reads all ranks as one.", folderOf(file)));
    }
}

}  // namespace overlane
