// digestOfFile(): a rank's trace read, judged and digested; and the rank that a trace says it is of.
//
// Any thread; the trace is gone when the digest is there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/job/rank_digest.h"
#include "core/trace/trace.h"

namespace overlane
{

// By its properties (core/trace/rank_properties.h), else as its name says.
RankIdentity identityOfTrace(const Trace& trace, const RankIdentity& byName);

Result<RankDigest> digestOfFile(const std::string& path, const RankIdentity& byName, Progress& progress);

// The same of each GPU of a process that drives several (digestsOfGpus()).
Result<std::vector<RankDigest>> gpuDigestsOfFile(const std::string& path, const RankIdentity& byName,
                                                 Progress& progress);

// Whether a digest was made from the file as it is now.
bool isOfFile(const RankDigest& digest, const std::string& path);

// What reading a file of this name and size takes at most, about: by what an event takes on disk and in memory.
std::int64_t memoryToRead(const std::string& path, std::int64_t fileBytes);

}  // namespace overlane
