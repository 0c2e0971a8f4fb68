#include "core/analysis/advice.h"

#include "core/analysis/advice_texts.h"

namespace overlane
{
namespace
{

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
        case CopyRole::OptimizerState:
            return texts.gradient;
        case CopyRole::KvCache:
            return texts.kvCache;
        default:
            return {};
    }
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
