// Communication: kernels and copies that move data between GPUs, told by their names.
//
// Kernels: those of NCCL and RCCL (ncclDevKernel_AllReduce_Sum_f32_RING_LL, ncclSymkDevKernel_AllGather_LL,
// ncclKernel_..., ncclAllReduceRingLLKernel_..., mscclKernel_...), of NVSHMEM and what is written on it
// (nvshmem..., deep_ep::), and the all-reduce kernels of inference engines and PyTorch's symmetric memory, which
// read other GPUs' memory themselves. Copies: "PtoP", as CUPTI, Nsight Systems and PyTorch name those between
// devices. MPI libraries have no kernels for it: theirs are such copies. Pure; any thread.
#pragma once

#include <string_view>

namespace overlane
{

bool isCommunicationKernel(std::string_view name);
bool isPeerCopy(std::string_view name);

}  // namespace overlane
