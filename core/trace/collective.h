// CollectiveInfo: the collective (or send and receive) that a communication kernel carried out: its kind, group of
// ranks, place in the group's order and bytes. What joins the kernels of one collective over the ranks of a job.
//
// A value. Source: the arguments PyTorch's profiler writes to NCCL kernels and `record_param_comms` ("Collective
// name", "Process Group Name", "Group size", "In msg nelems", "dtype", "Seq"; libkineto/src/output_json.cpp,
// torch/csrc/profiler/util.h). A kernel without them has none here; what its name and its place among those of its
// stream tell is for who asks (core/job/rank_collectives.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/strong_id.h"

namespace overlane
{

// The numbers are stored in files: append, never renumber.
enum class CollectiveKind : std::uint8_t {
    Unknown = 0,
    AllReduce = 1,
    AllGather = 2,
    ReduceScatter = 3,
    Broadcast = 4,
    Reduce = 5,
    AllToAll = 6,
    SendReceive = 7,  // point to point, batched ones too
    Barrier = 8,
    Gather = 9,
    Scatter = 10,
};
constexpr int kCollectiveKindCount = 11;

// "all-reduce", "send/receive"; stable, used in JSON and golden texts.
std::string_view collectiveKindName(CollectiveKind kind);

// As PyTorch names it ("_allgather_base", "all_to_allv", "nccl:all_reduce") or NCCL ("ncclAllReduce", the name of a
// kernel); Unknown for any other name. Case and underscores do not matter.
CollectiveKind collectiveKindOf(std::string_view name);

struct CollectiveInfo {
    CollectiveKind kind = CollectiveKind::Unknown;
    StringId group;              // name of the group of ranks; none where unknown
    std::int64_t sequence = -1;  // the program's own number in the group; -1 where it gives none
    std::int64_t bytes = 0;      // the larger of what one rank puts in and gets out; 0 where unknown
    std::int32_t groupSize = 0;  // ranks; 0 where unknown

    friend bool operator==(const CollectiveInfo&, const CollectiveInfo&) = default;
};
// More ranks than any job has.
constexpr std::int32_t kMostRanks = 1 << 24;

// What a trace says of the groups that its collectives are of, kept as one property of its metadata, so that every
// format and every part of a trace has it.
struct CollectiveGroupInfo {
    std::string description;  // "default_pg"; empty where unknown
    std::vector<int> ranks;   // ascending; empty where unknown
};
using CollectiveGroups = std::map<std::string, CollectiveGroupInfo, std::less<>>;  // by name
inline constexpr const char* kCollectiveGroups = "process groups";
std::string collectiveGroupsText(const CollectiveGroups& groups);
CollectiveGroups collectiveGroupsOf(std::string_view text);  // what is no such text is left out
// "[0, 1, 2, 3]" or "0,1,2,3"; empty where it is cut off ("[0, 1, ...]") or no such list.
std::vector<int> ranksOfText(std::string_view text);

}  // namespace overlane
