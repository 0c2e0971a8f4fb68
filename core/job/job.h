// Job: the ranks of a job as one, each with its digest or the reason why it has none. openJob() reads it.
//
// A trace of one process that drives several GPUs, alone and of no rank, is a job of these GPUs: each is a row.
//
// A value; any thread. Ranks are in order of rank, those whose rank nothing tells behind them in order of name. A rank
// that cannot be read is a problem of its own and never ends the rest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/job/rank_digest.h"
#include "core/job/rank_files.h"

namespace overlane
{

struct JobRank {
    RankFile file;
    RankIdentity identity;
    RankDigest digest;    // of no meaning where there is a problem
    std::string problem;  // a sentence; empty where the rank was read
    bool fromDigest = false;

    bool isRead() const { return problem.empty(); }
    // "rank 3 on node1", "GPU 3", or the file's name where nothing tells the rank.
    std::string label() const;
};

struct Job {
    std::vector<JobRank> ranks;
    std::vector<std::string> notes;  // of the search: what was left out, a sentence each

    std::size_t readRanks() const;
    bool isOfGpus() const { return !ranks.empty() && ranks.front().identity.gpu; }
    // What a row is: "rank", "GPU".
    const char* rowWord() const { return isOfGpus() ? "GPU" : "rank"; }
    // How many ranks the job has, as most of its ranks say; 0 = unknown.
    int worldSize() const;
    // Ranks of which there is no file, ascending; those below the highest one where the size is unknown.
    std::vector<int> missing() const;
    // Ranks of which there are several files, ascending.
    std::vector<int> doubled() const;
};

struct JobRequest {
    std::vector<std::string> paths;  // folders, files, patterns
    unsigned threads = 0;            // 0: as many as the machine has
    // What reading traces may take at once, about; 0: half of the memory that is free. One trace is always read.
    std::int64_t mostBytes = 0;
    bool useDigests = true;
    // Called when a rank is there, one at a time, from the threads that read: digests first. The place is that in the
    // order of the files' names, and of `count`.
    std::function<void(std::size_t place, std::size_t count, const JobRank& rank)> ready;
};

// The Error is that nothing was found or that it was cancelled.
Result<Job> openJob(const JobRequest& request, Progress& progress);

}  // namespace overlane
