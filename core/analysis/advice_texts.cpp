#include "core/analysis/advice_texts.h"

#include <array>

namespace overlane
{
namespace
{

// In the order of Remedy.
using Texts = std::array<RoleTexts, 12>;

const RoleTexts& at(const Texts& texts, Remedy remedy)
{
    return texts[static_cast<std::size_t>(remedy)];
}

constexpr std::string_view kOwnStreamOfActivations =
    "save_on_cpu copies on the compute stream: copy activations on a stream of their own into pinned memory while the "
    "next layer computes (torchtune's OffloadActivations(use_streams=True) does), or recompute some layers instead "
    "(torch.utils.checkpoint).";
constexpr std::string_view kNextLayerOnSideStream =
    "Load the next layer's weights on a side stream (torch.cuda.stream) into a second buffer while this layer "
    "computes, and let the compute stream wait for it (wait_stream).";

constexpr std::string_view kEager =
    "Load kernels before the loop: set CUDA_MODULE_LOADING=EAGER, or run one iteration of every shape first.";

constexpr std::string_view kNextPartOfState =
    "Keep the optimizer's state in pinned memory that is allocated once, copy it both ways with non_blocking=True, and "
    "bring the next part on a side stream (torch.cuda.stream) while this one is updated.";
constexpr std::string_view kSmallerState =
    "Send less: keep the optimizer's state in 8 or 16 bits, or a larger part of it on the GPU.";

constexpr Texts kPyTorch{{
    {"Keep the source in pinned memory (tensor.pin_memory(), or one torch.empty(..., pin_memory=True) that is filled "
     "again) and copy with non_blocking=True.",
     "Keep the weights on the host in pinned memory (pin_memory(), once, before the loop), copy them with "
     "non_blocking=True, and load the next layer on a side stream (torch.cuda.stream) while this one computes.",
     "Use torch.autograd.graph.save_on_cpu(pin_memory=True), or recompute instead of copying "
     "(torch.utils.checkpoint).",
     "Copy into pinned buffers that are allocated once (torch.empty(..., pin_memory=True)) with "
     "copy_(..., non_blocking=True), and wait for an event before the optimizer reads them.",
     "Keep the KV cache of the host in pinned memory that is allocated once, and fetch the next layer's part with "
     "non_blocking=True on a side stream while this layer computes.",
     kNextPartOfState},
    {"Copy with .to(device, non_blocking=True) from pinned memory (tensor.pin_memory(), once): both are needed.",
     "Keep the weights on the host in pinned memory (pin_memory(), once, before the loop), copy them with "
     "non_blocking=True, and load the next layer on a side stream (torch.cuda.stream) while this one computes.",
     "Use torch.autograd.graph.save_on_cpu(pin_memory=True): only copies from and to pinned memory let the host go "
     "on.",
     "Copy with non_blocking=True between the device and pinned buffers that are allocated once.",
     "Copy with non_blocking=True from pinned memory that is allocated once.", kNextPartOfState},
    {"Copy the next one on a side stream (torch.cuda.stream) while this one is computed, and let the compute stream "
     "wait for it (wait_stream).",
     kNextLayerOnSideStream, kOwnStreamOfActivations,
     "Copy each gradient on a side stream (torch.cuda.stream) while the backward pass continues, and wait for its "
     "event before the optimizer step.",
     "Fetch the next layer's keys and values on a side stream (torch.cuda.stream) while this layer computes.",
     kNextPartOfState},
    {"Start the next copy before the kernels of the present iteration: keep one more input on the device.",
     kNextLayerOnSideStream,
     "Issue the activation copy of the layer below before the backward kernels of this one are launched.", "", "",
     kNextPartOfState},
    {"Copy results into pinned memory with non_blocking=True on a side stream, and read them some steps later.",
     "Copy into pinned memory with non_blocking=True on a side stream, and go on before it is done.",
     kOwnStreamOfActivations,
     "Copy each gradient into a pinned buffer with non_blocking=True on a side stream while the backward pass "
     "continues.",
     "Copy keys and values into pinned memory with non_blocking=True on a side stream.", kNextPartOfState},
    {"Send less: smaller types, no unused columns, decode or augment on the GPU.", "",
     "Send less: offload fewer layers, recompute some (torch.utils.checkpoint), or save activations in bfloat16.", "",
     ""},
    {"Copy into pinned buffers that are allocated once (torch.empty(..., pin_memory=True), before the loop).", "", "",
     "", ""},
    {"Wait less often: no .item(), .cpu() or print of a GPU value in every step, and read results some steps later.",
     "", "", "", ""},
    {"Launch less: torch.compile(mode=\"reduce-overhead\") or CUDA graphs, or a larger batch.", "", "", "", ""},
    {"Find what the launching thread does between the launches, and move it out of the step.", "", "", "", ""},
    {"PyTorch's allocator asks the driver for memory, as it should in the first iterations only. Where it retries "
     "later "
     "(torch.cuda.memory_stats()), use a smaller batch; else set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, and "
     "call no empty_cache().",
     "", "", "", ""},
    {kEager, "", "", "", ""},
}};

constexpr std::string_view kDevicePutAhead =
    "Call jax.device_put for the next batch before the host reads the present result (float(), np.asarray, "
    "block_until_ready): it returns at once, and the copy overlaps the kernels.";
constexpr std::string_view kOffloadInJit =
    "Keep the weights in memory_kind=\"pinned_host\" and device_put the next layer's inside jit, so that XLA copies "
    "it while this layer computes.";
constexpr std::string_view kOffloadPolicy =
    "Offload inside jit with a checkpoint policy (jax.checkpoint_policies.save_and_offload_only_these_names), which "
    "XLA overlaps, or save fewer activations.";

constexpr Texts kJax{{
    {kDevicePutAhead, kOffloadInJit, kOffloadPolicy, "", ""},
    {kDevicePutAhead, kOffloadInJit, kOffloadPolicy, "", ""},
    {kDevicePutAhead, kOffloadInJit, kOffloadPolicy, "", ""},
    {kDevicePutAhead, kOffloadInJit, kOffloadPolicy, "", ""},
    {"Call copy_to_host_async() on the result right after the dispatch, and read it (float(), np.asarray) some steps "
     "later.",
     "", kOffloadPolicy, "", ""},
    {"Send less: smaller types, no unused columns; make on the device what can be made there (jax.random, jax.numpy).",
     "", "", "", ""},
    {"Keep the arrays in memory_kind=\"pinned_host\" outside the loop instead of pinning in every step.", "", "", "",
     ""},
    {"Read results less often: float(), np.asarray and block_until_ready wait for the GPU; dispatch the next step "
     "first.",
     "", "", "", ""},
    {"Launch less: put more of the program into one jit, and several steps into one dispatch (jax.lax.scan).", "", "",
     "", ""},
    {"Dispatch the next step before the host works on this one's result; make batches in another thread, or put "
     "several steps into one dispatch (jax.lax.scan).",
     "", "", "", ""},
    {"Let JAX keep its memory: preallocation on (XLA_PYTHON_CLIENT_PREALLOCATE), and no "
     "XLA_PYTHON_CLIENT_ALLOCATOR=platform.",
     "", "", "", ""},
    {kEager, "", "", "", ""},
}};

constexpr Texts kCuPy{{
    {"Keep the source in pinned memory (cupyx.empty_pinned, allocated once) and copy with array.set(source, "
     "stream=stream) on a cupy.cuda.Stream(non_blocking=True).",
     "", "", "", ""},
    {"Copy with array.set(source, stream=stream) from pinned memory (cupyx.empty_pinned): cupy.asarray of an "
     "ordinary NumPy array blocks the host.",
     "", "", "", ""},
    {"Copy into a second array on a cupy.cuda.Stream(non_blocking=True) of its own while the kernels run, and let "
     "their stream wait for its event (stream.wait_event).",
     "", "", "", ""},
    {"Set the next array on a stream of its own before the kernels of the present one are launched.", "", "", "", ""},
    {"Get results with array.get(stream=stream, out=pinned) into an array of cupyx.empty_pinned, and read them some "
     "iterations later.",
     "", "", "", ""},
    {"Send less: smaller types, no unused columns; make on the GPU what can be made there.", "", "", "", ""},
    {"Allocate pinned arrays once (cupyx.empty_pinned), or keep CuPy's pinned memory pool instead of freeing its "
     "blocks.",
     "", "", "", ""},
    {"Wait less often: no .get(), .item() or print of a CuPy array in every iteration.", "", "", "", ""},
    {"Launch less: fuse element-wise work (cupy.fuse, cupy.ElementwiseKernel), or capture a graph "
     "(stream.begin_capture).",
     "", "", "", ""},
    {"Move the work between the launches to another thread, or launch more ahead before doing it.", "", "", "", ""},
    {"Keep CuPy's memory pool: no set_allocator(None), and no free_all_blocks() in the loop.", "", "", "", ""},
    {kEager, "", "", "", ""},
}};

constexpr Texts kCuda{{
    {"Allocate the source once with cudaHostAlloc, and copy with cudaMemcpyAsync on a stream of its own.", "", "", "",
     ""},
    {"Use cudaMemcpyAsync from pinned memory instead of cudaMemcpy, and no synchronization behind it; let the "
     "kernel's stream wait (cudaStreamWaitEvent).",
     "", "", "", ""},
    {"Give the copies a stream made with cudaStreamCreateWithFlags(cudaStreamNonBlocking) and two buffers on the "
     "device; order them with cudaEventRecord and cudaStreamWaitEvent.",
     "", "", "", ""},
    {"Issue cudaMemcpyAsync for piece i + 1 before the kernels of piece i, with two buffers on the device.", "", "", "",
     ""},
    {"cudaMemcpyAsync into pinned memory on a stream of its own, which waits for the kernel by cudaStreamWaitEvent; "
     "wait for its event only when the result is needed.",
     "", "", "", ""},
    {"Send less per piece, or compress it; more streams do not help, since copies of one direction share one engine.",
     "", "", "", ""},
    {"Call cudaHostAlloc once, before the loop, and reuse the memory.", "", "", "", ""},
    {"Replace cudaDeviceSynchronize and cudaStreamSynchronize in the loop by events that are waited for one iteration "
     "later.",
     "", "", "", ""},
    {"Launch less: capture the iteration as a CUDA graph (cudaStreamBeginCapture), or fuse kernels.", "", "", "", ""},
    {"Move the work between the launches to another thread, or queue more work ahead before doing it.", "", "", "", ""},
    {"Allocate device memory once, before the loop, or with cudaMallocAsync and cudaFreeAsync, which stay in stream "
     "order.",
     "", "", "", ""},
    {kEager, "", "", "", ""},
}};

constexpr std::string_view kPinnedOffload =
    "Keep the host's side in pinned memory that is allocated once, copy asynchronously on a stream of its own, and "
    "fetch the next layer while this one computes.";

constexpr Texts kPlain{{
    {"Keep the source in pinned memory that is allocated once, outside the loop, and copy it asynchronously.",
     kPinnedOffload, kPinnedOffload, kPinnedOffload, kPinnedOffload, kPinnedOffload},
    {"Copy asynchronously from pinned memory, without a wait behind the copy: both are needed.", kPinnedOffload,
     kPinnedOffload, kPinnedOffload, kPinnedOffload, kPinnedOffload},
    {"Copy on a stream of its own into a second buffer while the present one is computed, and order the two by an "
     "event.",
     kPinnedOffload, kPinnedOffload, kPinnedOffload, kPinnedOffload, kPinnedOffload},
    {"Start the next copy before the kernels of the present iteration, with two buffers on the device.", kPinnedOffload,
     kPinnedOffload, kPinnedOffload, kPinnedOffload, kPinnedOffload},
    {"Copy results into pinned memory on a stream of its own, and read them some iterations later.", kPinnedOffload,
     kPinnedOffload, kPinnedOffload, kPinnedOffload, kPinnedOffload},
    {"Send less: smaller types, nothing that is not used.",
     "Send less: keep more weights on the GPU, or quantize them; larger batches spread each copy over more work.",
     "Send less: offload fewer layers, or recompute some of them.",
     "Send less: 16-bit gradients, or several micro-batches per optimizer step.",
     "Send less: keep more of the KV cache on the GPU, or quantize it.", kSmallerState},
    {"Allocate pinned memory once, outside the loop, and reuse it.", "", "", "", ""},
    {"Wait less often: read results some iterations later, after more work has been issued.", "", "", "", ""},
    {"Launch less: CUDA graphs, fused kernels, or more work per launch.", "", "", "", ""},
    {"Move the work between the launches to another thread, or queue more work ahead before doing it.", "", "", "", ""},
    {"Allocate device memory once, outside the loop, or from a stream-ordered pool (cudaMallocAsync, cudaFreeAsync).",
     "", "", "", ""},
    {kEager, "", "", "", ""},
}};

}  // namespace

const RoleTexts& pytorchTexts(Remedy remedy)
{
    return at(kPyTorch, remedy);
}

const RoleTexts& jaxTexts(Remedy remedy)
{
    return at(kJax, remedy);
}

const RoleTexts& cupyTexts(Remedy remedy)
{
    return at(kCuPy, remedy);
}

const RoleTexts& cudaTexts(Remedy remedy)
{
    return at(kCuda, remedy);
}

const RoleTexts& plainTexts(Remedy remedy)
{
    return at(kPlain, remedy);
}

std::string_view loaderText(Remedy remedy)
{
    switch (remedy) {
        case Remedy::Pin:
            return "Use DataLoader(pin_memory=True) and .to(device, non_blocking=True).";
        case Remedy::NoWait:
            return "Copy with .to(device, non_blocking=True); it needs pinned memory (DataLoader(pin_memory=True)).";
        case Remedy::CopyStream:
            return "Copy the next batch on a side stream (torch.cuda.stream) and let the compute stream wait for it "
                   "(wait_stream).";
        case Remedy::Ahead:
            return "Start the copy of the next batch before the kernels of the present one: prefetch one batch ahead.";
        case Remedy::PinOnce:
            return "Use DataLoader(pin_memory=True), which pins in a thread of its own, or copy into pinned buffers "
                   "that are allocated once.";
        case Remedy::HostLess:
            return "Find what the launching thread does between the launches, and move it to workers or out of the "
                   "step.";
        default:
            return {};
    }
}

std::string_view fsdpText(Remedy remedy)
{
    switch (remedy) {
        case Remedy::Pin:
        case Remedy::NoWait:
            return "Offload with pinned memory (CPUOffloadPolicy(pin_memory=True) of fully_shard, its default).";
        case Remedy::CopyStream:
        case Remedy::Ahead:
            return "Let FSDP fetch the next unit while this one computes: forward_prefetch=True, or "
                   "set_modules_to_forward_prefetch() of fully_shard.";
        case Remedy::SendLess:
            return "Send less: offload fewer units, use bfloat16 parameters (MixedPrecision), or larger batches.";
        default:
            return {};
    }
}

}  // namespace overlane
