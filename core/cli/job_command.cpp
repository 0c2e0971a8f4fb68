#include <fmt/format.h>
#include <memory>

#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/job_answer.h"
#include "core/cli/long_task.h"
#include "core/content/terminal.h"

namespace overlane
{
namespace
{

struct JobOptions {
    std::vector<std::string> paths;
    bool all = false;
    bool fresh = false;
    bool json = false;
};

// One screen.
constexpr std::size_t kMostRowsOfTerminal = 32;

int show(const JobOptions& options, CommandOutput to)
{
    LongTask reading("Reading ranks", options.json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal);
    JobRequest request;
    request.paths = options.paths;
    request.useDigests = !options.fresh;
    const Result<Job> job = openJob(request, reading.progress());
    if (!job.ok())
        return fail(job.failure(), to);
    if (options.json)
        to.out << toText(jobJson(job.value()));
    else
        to.out << terminalText(jobBlocks(job.value(), options.all ? SIZE_MAX : kMostRowsOfTerminal));
    const std::size_t broken = job.value().ranks.size() - job.value().readRanks();
    if (broken == 0)
        return kExitOk;
    return fail(fmt::format("{} of {} files could not be read.", broken, job.value().ranks.size()), to,
                broken == job.value().ranks.size() ? kExitFailed : kExitDamaged);
}

std::string jobHelp()
{
    return R"(PATHS are the ranks of one job, one file for each: a folder with their traces (or with a folder
for each), an archive (.tar, .tar.gz, .zip), files, a pattern in quotes, or digests made by
`overlane digest`. Which rank a file is of comes from the trace (PyTorch's distributedInfo, or what
the launcher of a recording said), else from its name: rank3.json.gz, worker3_..., trace_3.json.

The answer names the rank that the others wait for, by what it does itself, and what it costs; or
says what was seen and why that names no rank. The table has a row for each rank, per step: compute,
exposed communication, exposed copies, waiting for batches, waiting for the host, and other idle
time, which add up to the step.

A digest next to its trace (rank3.json.gz.digest) is read in its place while the trace is as it was.

Examples:
  overlane job profile_traces/iteration_10
  overlane job rank0.json.gz rank1.json.gz
  overlane job --json 'runs/7/*.overlane' | jq .slowest

)" + std::string(kExitCodesHelp);
}

CommandAction declareJob(OptionList& list)
{
    auto options = std::make_shared<JobOptions>();
    list.add("PATHS", options->paths, "Folders, archives, files, patterns or digests of one job's ranks").required();
    list.flag("--all", options->all, "Show every rank, not only those that differ most");
    list.flag("--fresh", options->fresh, "Read the traces, also where they have digests");
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    return [options](CommandOutput to) { return show(*options, to); };
}

}  // namespace

constinit const Command jobCommand = {"job", "Compare the ranks of a job: which is slow, and where its time goes.",
                                      jobHelp, declareJob};

}  // namespace overlane
