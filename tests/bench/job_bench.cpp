// The ranks of a job, made and opened, with the time and the most memory of the process.
//   job_bench make FOLDER [RANKS] [EVENTS]      writes them as FOLDER/traces/rankN.overlane
//   job_bench full FOLDER [RANKS]               writes digests as large as they may be:
//   FOLDER/full/rankN.json.gz.digest job_bench open PATH [fresh]                 opens traces or digests and makes what
//   a picture needs of them
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/resource.h>

#include "core/base/parallel.h"
#include "core/io/format.h"
#include "core/job/job_figures.h"
#include "core/job/rank_digest_file.h"
#include "tests/bench/rank_traces.h"
#include "tests/unit/job/made_up_digest.h"

namespace overlane
{
namespace
{

int makeRanks(const std::string& folder, int ranks, std::int64_t events)
{
    std::filesystem::create_directories(folder + "/traces");
    std::atomic<bool> written = true;
    runInParallel(static_cast<std::size_t>(ranks), 0, [&](std::size_t rank) {
        Progress progress;
        const std::string path = folder + "/traces/rank" + std::to_string(rank) + ".overlane";
        const Trace trace = bench::rankOfJob(static_cast<int>(rank), ranks, events);
        if (const Result<void> done = writeTrace(trace, path, progress); !done.ok()) {
            std::fprintf(stderr, "%s\n", done.error().c_str());
            written = false;
        }
        return written.load();
    });
    return written ? 0 : 1;
}

// As large as digests may be.
int makeDigests(const std::string& folder, int ranks)
{
    std::filesystem::create_directories(folder + "/full");
    for (int rank = 0; rank < ranks; ++rank) {
        RankDigest digest = test::madeUpDigest(static_cast<std::uint32_t>(rank) + 1, 2'000, 20'000);
        digest.identity.rank = rank;
        digest.identity.worldSize = ranks;
        if (!writeDigest(digest, folder + "/full/rank" + std::to_string(rank) + ".json.gz.digest").ok())
            return 1;
    }
    return 0;
}

int openRanks(const std::string& path, bool fresh)
{
    const auto start = std::chrono::steady_clock::now();
    Progress progress;
    JobRequest request;
    request.paths = {path};
    request.useDigests = !fresh;
    double firstS = 0;
    const auto elapsedS = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    request.ready = [&](std::size_t, std::size_t, const JobRank&) { firstS = firstS > 0 ? firstS : elapsedS(); };
    const Result<Job> job = openJob(request, progress);
    if (!job.ok()) {
        std::fprintf(stderr, "%s\n", job.error().c_str());
        return 1;
    }
    const double readS = elapsedS();
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    const long readMib = usage.ru_maxrss / 1024;
    const Blocks blocks = jobBlocks(job.value());
    getrusage(RUSAGE_SELF, &usage);
    std::printf(
        "%zu ranks: first after %.3f s, all after %.3f s, tables after %.3f s; CPU %.3f s; most memory %ld MiB, %ld "
        "when all were read\n",
        job.value().readRanks(), firstS, readS, elapsedS(),
        double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
            double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
        usage.ru_maxrss / 1024, readMib);
    return blocks.empty() ? 1 : 0;
}

}  // namespace
}  // namespace overlane

int main(int count, char** arguments)
{
    const std::string what = count > 2 ? arguments[1] : "";
    if (what == "make")
        return overlane::makeRanks(arguments[2], count > 3 ? std::atoi(arguments[3]) : 512,
                                   count > 4 ? std::atoll(arguments[4]) : 100'000);
    if (what == "full")
        return overlane::makeDigests(arguments[2], count > 3 ? std::atoi(arguments[3]) : 512);
    if (what == "open")
        return overlane::openRanks(arguments[2], count > 3);
    std::fprintf(stderr, "job_bench make FOLDER [RANKS] [EVENTS], job_bench open PATH [fresh]\n");
    return 2;
}
