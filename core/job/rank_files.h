// findRanks(): the files of a job's ranks in what a person names: a folder, files, a pattern, an archive.
//
// Of a folder its own traces and digests, else those of the folders in it (one level). A digest that lies beside its
// trace ("rank3.json.gz.digest") belongs to it; one without its trace stands for it. Any thread. Bytes of names are
// kept as they are; they are made printable where they are shown.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/job/rank_digest.h"

namespace overlane
{

// More than any job that one desk can look at.
constexpr std::size_t kMostRanksOfJob = 4096;

struct RankFile {
    std::string trace;      // empty where only its digest is there
    std::string digest;     // empty where there is none
    RankIdentity identity;  // as the name says; what the trace itself says goes before it
    std::string member;     // its name in an archive, behind that of the archive; empty of a file

    const std::string& path() const { return trace.empty() ? digest : trace; }
    // For people; path() of what was unpacked is gone with RankFiles.
    const std::string& shownPath() const { return member.empty() ? path() : member; }
};

struct RankFiles {
    std::vector<RankFile> files;            // by rank as the names say, then by name
    std::vector<std::string> notes;         // what was left out, a sentence each
    std::vector<TemporaryFolder> unpacked;  // of archives
};

// Where the digest of a trace lies: beside it, or in a folder of digests.
std::string digestPath(const std::string& trace, const std::string& folder = {});

// The Error is that there is no such file, or that a folder holds no traces.
Result<RankFiles> findRanks(const std::vector<std::string>& paths, const Progress& progress);

}  // namespace overlane
