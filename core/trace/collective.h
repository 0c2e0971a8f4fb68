// CollectiveInfo: the collective (or send and receive) that a communication kernel carried out: its kind, group of
// ranks, place in the group's order and bytes. What joins the kernels of one collective over the ranks of a job.
//
// A value. Sources: the arguments PyTorch's profiler writes to NCCL kernels and `record_param_comms` ("Collective
// name", "Process Group Name", "Group size", "In msg nelems", "dtype", "Seq"), NCCL's NVTX payloads, else the
// kernel's name and its place among those of its stream.
#pragma once

#include <cstdint>
#include <string_view>

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

}  // namespace overlane
