// RankDigest: what a job needs of one rank's trace, small enough to read those of 512 ranks at once: at most
// kMostDigestBytes in a file, whatever the trace's length.
//
// A value, made by digestOf() (rank_digest_maker.h) from a judged trace on any thread. Times are nanoseconds on the
// rank's own clock, since `startEpochNs` of its trace; bytes. Where something was left out to stay within the size, the
// digest says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/interval.h"
#include "core/job/digest_rows.h"
#include "core/job/packed_list.h"
#include "core/job/shared_list.h"

namespace overlane
{

constexpr std::size_t kMostDigestBytes = 64 << 10;

// Which rank of which job a trace is of, and how that is known.
struct RankIdentity {
    std::optional<int> rank;       // in the whole job
    std::optional<int> worldSize;  // how many ranks the job has
    std::optional<int> localRank;  // on its host
    std::string host;              // empty where unknown
    std::string source;            // what says the rank: "trace", "environment", "file name"; empty: nothing does
    // Of several that one process drives: the row is this GPU, and no rank. In no file.
    std::optional<int> gpu = {};
    friend bool operator==(const RankIdentity&, const RankIdentity&) = default;
};

// GPUs of one process, or ranks of one host that is known.
bool areOnOneHost(const RankIdentity& a, const RankIdentity& b);

// "rank 3 on node1", "rank 3", "GPU 3", "unknown rank".
std::string rankLabel(const RankIdentity& identity);

// A group of ranks that communicate ("0", "fsdp"), as the trace names it.
struct DigestGroup {
    std::string name;
    std::string description;  // "default_pg"; empty where unknown
    std::vector<int> ranks;   // ascending; empty where unknown
    int size = 0;             // how many ranks it has; 0 where unknown
    bool sequenceIsGlobal =
        false;      // the program numbered the collectives; else they are counted from the trace's start
    int self = -1;  // this rank's number in the group, as its sends and receives say; -1 where unknown
    friend bool operator==(const DigestGroup&, const DigestGroup&) = default;
};

// How busy the device was in one of equally long parts of the active range, each 0 to 255 of the part.
struct DigestCell {
    std::uint8_t compute = 0;
    std::uint8_t communication = 0;
    std::uint8_t copies = 0;
    friend bool operator==(const DigestCell&, const DigestCell&) = default;
};

struct RankDigest {
    RankIdentity identity;
    std::string file;            // of the trace, as it was named; relative to the digest's folder where it lies below
    std::string format;          // TraceOriginRow::id
    std::int64_t fileBytes = 0;  // the state of the file that was read: its size and its time,
    std::int64_t fileChangedNs = 0;  // Unix time; 0 = unknown
    std::string program;             // the framework that ran; empty where unknown
    std::string device;              // name of the GPU
    std::int32_t deviceId = -1;
    std::string deviceChoice;  // which of several GPUs of the trace that is, as a sentence; empty where it has one
    std::int64_t startEpochNs = 0;
    Interval span;    // of the trace
    Interval active;  // the range that the verdict is about
    std::int64_t events = 0;

    std::string headline;               // of the verdict
    std::string bound;                  // what limits an iteration: the stable name of the verdict's limit
    std::vector<std::string> findings;  // ids of rules, most costly first
    std::string damage;                 // of the file, as a sentence; empty where it is whole

    // Every kernel was recorded; else the parts of times below say nothing.
    bool kernelsKnown = true;
    DigestStep whole;              // the same of `active`
    std::int64_t stepNs = 0;       // the one step time; 0 without steps
    PackedList<DigestStep> steps;  // in order of start; thinned out evenly where there are too many
    std::int64_t stepsLeftOut = 0;
    std::vector<DigestGroup> groups;
    PackedList<DigestCollective> collectives;  // in order of start
    std::int64_t collectivesLeftOut = 0;       // behind those kept
    SharedList<DigestCell> strip;              // over `active`
    friend bool operator==(const RankDigest&, const RankDigest&) = default;
};

}  // namespace overlane
