#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <set>

#include "core/base/units.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/long_task.h"
#include "core/job/job.h"
#include "core/job/rank_digest_file.h"

namespace overlane
{
namespace
{

struct DigestOptions {
    std::vector<std::string> paths;
    std::string folder;
};

std::string fileNameOf(const std::string& path)
{
    return std::filesystem::path(path).filename().string();
}

// Names of files that several folders have: their digests in one folder are named after both.
std::set<std::string> namesOfSeveral(const std::vector<RankFile>& files)
{
    std::set<std::string> seen, several;
    for (const RankFile& file : files)
        if (const std::string name = fileNameOf(file.trace); !seen.insert(name).second)
            several.insert(name);
    return several;
}

Result<std::string> written(const JobRank& rank, const std::string& folder, const std::set<std::string>& several)
{
    if (!rank.isRead())
        return Error{rank.problem};
    if (folder.empty() && !rank.file.member.empty())
        return Error{fmt::format("{}: name a folder for its digest: -o FOLDER.", rank.file.member)};
    std::string path = digestPath(rank.file.trace, folder);
    if (!folder.empty() && several.contains(fileNameOf(rank.file.trace))) {
        const std::filesystem::path trace(rank.file.trace);
        path = digestPath(trace.parent_path().filename().string() + "_" + trace.filename().string(), folder);
    }
    RETURN_IF_ERROR(writeDigest(rank.digest, path));
    return path;
}

int make(const DigestOptions& options, CommandOutput to)
{
    std::error_code error;
    if (!options.folder.empty() && std::filesystem::exists(options.folder, error) &&
        !std::filesystem::is_directory(options.folder, error))
        return fail(fmt::format("{} is no folder; -o names the folder of the digests.", options.folder), to);
    if (!options.folder.empty() && !std::filesystem::is_directory(options.folder, error) &&
        !std::filesystem::create_directories(options.folder, error))
        return fail(fmt::format("{} cannot be made: {}.", options.folder, error.message()), to);
    LongTask reading("Reading ranks", LongTask::Drawing::OnTerminal);
    const Result<RankFiles> files = findRanks(options.paths, reading.progress());
    if (!files.ok())
        return fail(files.failure(), to);
    const std::set<std::string> several = namesOfSeveral(files.value().files);
    std::int64_t made = 0;
    std::vector<std::string> problems;
    JobRequest request;
    request.paths = options.paths;
    request.useDigests = false;
    request.ready = [&](std::size_t, std::size_t, const JobRank& rank) {
        if (rank.file.trace.empty())
            return;  // is one already
        const Result<std::string> path = written(rank, options.folder, several);
        if (!path.ok())
            return problems.push_back(path.error());
        ++made;
        to.out << path.value() << "\n";
    };
    const Result<Job> job = openJob(request, reading.progress());
    if (!job.ok())
        return fail(job.failure(), to);
    for (const std::string& problem : problems)
        fail(problem, to);
    if (made == 0 && problems.empty())
        return fail("These are digests already; name the traces.", to);
    return problems.empty() ? kExitOk : made > 0 ? kExitDamaged : kExitFailed;
}

std::string digestHelp()
{
    return R"(Writes TRACE.digest next to each trace, or into FOLDER: what `overlane job` needs of a rank, in at
most 64 KiB. Digests of hundreds of ranks are read in a second. Each rank may make its own, where its
trace is. Prints the name of each.

Examples:
  overlane digest rank3.json.gz
  overlane digest -o digests runs/7

)" + std::string(kExitCodesHelp);
}

CommandAction declareDigest(OptionList& list)
{
    auto options = std::make_shared<DigestOptions>();
    list.add("TRACE", options->paths, "The traces, folders of them, or patterns").required();
    list.add("-o,--output", options->folder, "A folder for the digests; else each lies next to its trace")
        .type("FOLDER");
    return [options](CommandOutput to) { return make(*options, to); };
}

}  // namespace

constinit const Command digestCommand = {"digest", "Write what a job needs of each rank into a small file.", digestHelp,
                                         declareDigest};

}  // namespace overlane
