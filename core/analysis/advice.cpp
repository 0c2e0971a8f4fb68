#include "core/analysis/advice.h"

#include <fmt/format.h>

#include "core/analysis/advice_texts.h"

namespace overlane
{
namespace
{

// A place with less of the time is not where to begin.
constexpr double kWorthBeginningWith = 0.08;
constexpr double kNextToNothing = 0.1;

const RoleTexts& textsOf(Remedy remedy, const ProgramTraits& program)
{
    if (program.isPyTorch())
        return pytorchTexts(remedy);
    switch (program.framework) {
        case Framework::Jax:
            return jaxTexts(remedy);
        case Framework::CuPy:
            return cupyTexts(remedy);
        case Framework::Cuda:
            return cudaTexts(remedy);
        default:
            return plainTexts(remedy);
    }
}

std::string_view ofRole(const RoleTexts& texts, CopyRole role)
{
    switch (role) {
        case CopyRole::Parameter:
            return texts.parameter;
        case CopyRole::Activation:
            return texts.activation;
        case CopyRole::Gradient:
            return texts.gradient;
        case CopyRole::OptimizerState:
            return texts.state;
        case CopyRole::KvCache:
            return texts.kvCache;
        default:
            return {};
    }
}

// A loop that a framework runs for a program, which calls it once.
bool isFrameworksLoop(std::string_view function)
{
    for (const std::string_view path : {"lightning/", "pytorch_lightning/", "transformers/trainer", "accelerate/"})
        if (function.starts_with(path))
            return true;
    return false;
}

}  // namespace

std::string_view advice(Remedy remedy, CopyRole role, const ProgramTraits& program)
{
    if (program.isPyTorch() && program.hasLoader && !isOffloaded(role))
        if (const std::string_view text = loaderText(remedy); !text.empty())
            return text;
    if (program.framework == Framework::Fsdp && role == CopyRole::Parameter)
        if (const std::string_view text = fsdpText(remedy); !text.empty())
            return text;
    const RoleTexts& texts = textsOf(remedy, program);
    if (const std::string_view text = ofRole(texts, role); !text.empty())
        return text;
    // What a role needs is the same in every framework, as far as it has no words of its own for it.
    if (const std::string_view text = ofRole(plainTexts(remedy), role); !text.empty())
        return text;
    return texts.any;
}

std::string_view pinnedResultsAdvice(const ProgramTraits& program)
{
    if (program.isPyTorch())
        return "Copy results into pinned memory that is allocated once (torch.empty(..., pin_memory=True)) with "
               "copy_(..., non_blocking=True), and wait for an event before they are read.";
    if (program.framework == Framework::CuPy)
        return "Get results with array.get(stream=stream, out=pinned) into an array of cupyx.empty_pinned that is "
               "allocated once.";
    if (program.framework == Framework::Cuda)
        return "Allocate memory for results once with cudaHostAlloc, and copy into it with cudaMemcpyAsync.";
    return "Copy results into pinned memory that is allocated once, outside the loop.";
}

bool isLaunching(const std::vector<CodeShare>& places, const std::vector<CodeShare>& launching)
{
    return !places.empty() && !launching.empty() && launching.front().place == places.front().place;
}

std::string hostAdvice(const std::vector<CodeShare>& places, const std::optional<OtherThread>& other,
                       const std::vector<CodeShare>& launching, const ProgramTraits& program)
{
    const MainSense main = mainSense(places);
    if (main.sense == FrameSense::Waits)
        return fmt::format("Prepare what {} waits for further ahead, or in more threads or processes{}.",
                           shortPlace(main.place->place),
                           other ? fmt::format("; begin with {}", shortPlace(other->place.place)) : std::string());
    if (main.sense == FrameSense::Compiles)
        return program.framework == Framework::Jax
                   ? "Compile before the loop: call the function once with the loop's shapes and types, keep these the "
                     "same, jit once outside the loop, and keep compiled code (jax_compilation_cache_dir)."
               : program.isPyTorch()
                   ? "Compile before the loop: call the model once with each of the loop's shapes, keep these few "
                     "(padding, torch.compile(dynamic=True)), and look for recompilations (TORCH_LOGS=recompiles)."
                   : "Compile before the loop, and keep shapes and types the same.";
    if (places.empty() || places.front().share < kWorthBeginningWith)
        return std::string(advice(Remedy::HostLess, CopyRole::Unknown, program));
    const std::string& first = places.front().place;
    if (isLaunching(places, launching))
        return fmt::format("{} launches GPU work, so that this is part of launching, too. {}", first,
                           advice(Remedy::LaunchLess, CopyRole::Unknown, program));
    const CodeShare& share = places.front();
    if (isFrameworksLoop(share.innermost) && share.ownLines < kNextToNothing * share.share)
        return fmt::format(
            "Look at what {} calls in {}: callbacks, logging and the progress bar run there in each step.", first,
            share.innermost);
    // A line that runs the whole program: what it calls is what can be moved.
    if (share.ownLines < kNextToNothing * share.share && share.innermostShare < share.share / 2) {
        const std::string& called = share.innermost;
        if (called.empty() || frameSense(called) != FrameSense::Work)
            return std::string(advice(Remedy::HostLess, CopyRole::Unknown, program));
        return fmt::format("Begin with {}, called from {}: move it to {}, or out of the loop.", called, first,
                           program.hasLoader ? "workers" : "another thread");
    }
    return fmt::format("Begin with {}: move it to {}, out of the loop, or onto the GPU.", first,
                       program.hasLoader ? "workers" : "another thread");
}

std::optional<Remedy> remedyOf(ImplicitWait wait)
{
    switch (wait) {
        case ImplicitWait::Free:
        case ImplicitWait::Allocate:
            return Remedy::FreeLess;
        case ImplicitWait::PageLock:
            return Remedy::PinOnce;
        case ImplicitWait::LoadModule:
            return Remedy::LoadEarly;
        case ImplicitWait::None:
            break;
    }
    return {};
}

std::string_view causeAdvice(CopyCause cause, CopyRole role, const ProgramTraits& program)
{
    const bool isTorch = program.isPyTorch();
    switch (cause) {
        case CopyCause::Hidden:
            return "";
        case CopyCause::UnifiedMemory:
            return "Keep the data in pinned memory and copy it, or move managed memory early with "
                   "cudaMemPrefetchAsync.";
        case CopyCause::OutsideKernels:
            return "The first copy has no kernel before it and the last none behind it: the longer the run, the less "
                   "it matters.";
        case CopyCause::StagedInline:
            return isTorch ? "Merge small tensors into one copy (torch.cat or one packed buffer), then pin that."
                           : "Merge small copies into one packed buffer in pinned memory.";
        case CopyCause::PageableMemory:
            return advice(Remedy::Pin, role, program);
        case CopyCause::SynchronousCall:
            return advice(Remedy::NoWait, role, program);
        case CopyCause::SameStream:
            return advice(Remedy::CopyStream, role, program);
        case CopyCause::EventDependency:
            return "Let the copy's stream wait only for what last used its target buffer, not for the whole compute "
                   "stream: use a second buffer on the device and record the event right after the kernel that reads "
                   "it.";
        case CopyCause::LegacyDefaultStream:
            return isTorch ? "Put kernels and copies on streams of their own made with cudaStreamNonBlocking "
                             "(torch.cuda.Stream is one)."
                           : "Put kernels and copies on streams of their own made with cudaStreamNonBlocking.";
        case CopyCause::EngineBusy:
            return advice(Remedy::SendLess, role, program);
        case CopyCause::HostSync:
        case CopyCause::NoCompute:
            return advice(Remedy::Ahead, role, program);
        case CopyCause::UnknownMemory:
            return isTorch && program.hasLoader
                       ? "Check that the DataLoader uses pin_memory=True; a trace from a newer profiler names the "
                         "memory kind."
                       : "Check that the host's memory is pinned; a trace from a newer profiler names the memory kind.";
        case CopyCause::Unknown:
            break;
    }
    return "Record kernels, runtime calls and stream waits too (ProfilerActivity.CPU, overlane record --kinds all).";
}

}  // namespace overlane
