#include "core/job/rank_reader.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "core/base/file_stamp.h"
#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/base/work_meter.h"
#include "core/io/format.h"
#include "core/job/rank_collectives.h"
#include "core/job/rank_digest_maker.h"
#include "core/judgement/judged_trace.h"
#include "core/trace/rank_properties.h"

namespace overlane
{
namespace
{

std::string property(const Trace& trace, const char* name)
{
    const auto& properties = trace.metadata().properties;
    const auto found = properties.find(name);
    return found == properties.end() ? std::string() : found->second;
}

}  // namespace

RankIdentity identityOfTrace(const Trace& trace, const RankIdentity& byName)
{
    RankIdentity made = byName;
    if (const auto rank = rankNumber(property(trace, kRankProperty))) {
        made.rank = rank;
        made.source = trace.origin().origin == TraceOrigin::Recorded ? "environment" : "trace";
    }
    if (const auto worldSize = rankNumber(property(trace, kWorldSizeProperty)))
        made.worldSize = worldSize;
    if (const auto local = rankNumber(property(trace, kLocalRankProperty)))
        made.localRank = local;
    if (const std::string host = property(trace, kHostProperty); !host.empty())
        made.host = host;
    return made;
}

namespace
{

Result<std::vector<RankDigest>> digestsOfFile(const std::string& path, const RankIdentity& byName, bool ofGpus,
                                              Progress& progress)
{
    // Before it is read: a later change makes the digest old.
    const auto stamp = stampOf(path);
    ASSIGN_OR_RETURN(Trace trace, readTrace(path, progress));
    const std::string name = std::filesystem::path(path).filename().string();
    const RankIdentity identity = identityOfTrace(trace, byName);
    std::string damage = damageOf(trace);
    auto made = attempt("judge " + name, &progress, [&](const WorkMeter& work) -> Result<std::vector<RankDigest>> {
        ASSIGN_OR_RETURN(const std::unique_ptr<const JudgedTrace> judged,
                         JudgedTrace::make(std::move(trace), name, {}, work));
        std::vector<RankDigest> digests;
        if (ofGpus)
            digests = digestsOfGpus(*judged, identity, work);
        else
            digests.push_back(digestOf(*judged, identity, work));
        for (RankDigest& digest : digests) {
            if (digest.deviceId < 0)
                continue;
            RankCollectives collectives = rankCollectives(judged->trace, judged->analysis, digest.deviceId, work);
            digest.groups = std::move(collectives.groups);
            digest.collectives = std::move(collectives.collectives);
            digest.collectives.pack();
        }
        return digests;
    });
    if (!made.ok())
        return made;
    for (RankDigest& digest : made.value()) {
        digest.file = name;
        digest.damage = damage;
        if (stamp) {
            digest.fileBytes = stamp->bytes;
            digest.fileChangedNs = stamp->changedNs;
        }
    }
    return made;
}

}  // namespace

Result<RankDigest> digestOfFile(const std::string& path, const RankIdentity& byName, Progress& progress)
{
    ASSIGN_OR_RETURN(std::vector<RankDigest> digests, digestsOfFile(path, byName, false, progress));
    return std::move(digests.front());
}

Result<std::vector<RankDigest>> gpuDigestsOfFile(const std::string& path, const RankIdentity& byName,
                                                 Progress& progress)
{
    return digestsOfFile(path, byName, true, progress);
}

bool isOfFile(const RankDigest& digest, const std::string& path)
{
    const auto stamp = stampOf(path);
    return stamp && stamp->bytes == digest.fileBytes && stamp->changedNs == digest.fileChangedNs;
}

std::int64_t memoryToRead(const std::string& path, std::int64_t fileBytes)
{
    // An event takes some 160 bytes while a trace is made of it, and here on disk 2.4 bytes (.overlane), 25 (gzip),
    // 400 (JSON) or 100 (SQLite): tests/bench/README.md.
    constexpr std::pair<std::string_view, std::int64_t> kBytesPerByte[] = {
        {".overlane", 70}, {".gz", 8}, {".json", 1}, {".sqlite", 2}};
    constexpr std::int64_t kOther = 8;
    constexpr std::int64_t kLeast = 16 * kMiB;
    const auto* const row = std::find_if(std::begin(kBytesPerByte), std::end(kBytesPerByte),
                                         [&](const auto& one) { return path.ends_with(one.first); });
    const std::int64_t perByte = row == std::end(kBytesPerByte) ? kOther : row->second;
    return std::max(kLeast, saturatedProduct(fileBytes, perByte));
}

}  // namespace overlane
