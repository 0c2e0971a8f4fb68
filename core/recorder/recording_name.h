// recordingName(): the file that a recording is written to, as a person asked for it and as its place in a job says.
//
// Each rank of a job records itself, so that its file's name holds rank and host: no two are the same, and they sort.
// Outside a job, and in one of a single process, names stay as they are. Pure but for the question whether a folder is
// there; any thread. Bytes of names are kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/trace/rank_properties.h"

namespace overlane
{

struct RecordingPlace {
    std::optional<LaunchedRank> rank;  // none where no launcher gave one
    std::string host;
    int restarts = 0;  // how often the launcher started the job anew (torchrun --max-restarts)

    bool isOfJob() const { return rank && !rank->isAlone(); }
};

// Here and now: of the variables of this process.
RecordingPlace recordingPlace();

// Without what no file's name should hold, and without the domain: "node7.cluster.example" -> "node7".
std::string hostForName(const std::string& host);

struct RecordingName {
    std::string file;
    std::string folder;    // to be made where it is missing; empty where the person named none
    bool changed = false;  // rank and host were added to a file that the person named
};

// Another file than the trace that is named after the rank: by its ending and the option that names it.
struct NamedFile {
    std::string_view ending = ".overlane";
    std::string_view option = "-o";
};

// `asked` is empty, a file, a folder (one that is there, or a slash at the end), or has places to fill in: {rank},
// {local_rank}, {host}; to a file with those nothing is added. `standard` is the name without its ending, where none
// was asked for
// ("train-20261127-081500"). The Error is for the person: a place that is not known, or that has no value here.
Result<RecordingName> recordingName(const std::string& asked, const std::string& standard, const RecordingPlace& place,
                                    const NamedFile& file = {});

}  // namespace overlane
