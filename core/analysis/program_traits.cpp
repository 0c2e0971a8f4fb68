#include "core/analysis/program_traits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>

namespace overlane
{
namespace
{

// Longer names say no more of who made them.
constexpr std::size_t kLettersLookedAt = 256;
constexpr std::string_view kCommand = "command";

struct Sign {
    std::string_view part;
    Framework framework;
    bool atStart = false;
};

// What only this framework writes. XLA also runs below TensorFlow, whose own names say so.
constexpr std::array<Sign, 23> kSigns{{
    {"at::native::", Framework::PyTorch},
    {"c10::", Framework::PyTorch},
    {"aten::", Framework::PyTorch, true},
    {"autograd::engine", Framework::PyTorch, true},
    {"enumerate(DataLoader)", Framework::PyTorch, true},
    {"DataLoader.__next__", Framework::PyTorch, true},
    {"Optimizer.step#", Framework::PyTorch, true},
    {"nn.Module: ", Framework::PyTorch, true},
    {"triton_poi_fused", Framework::PyTorch, true},
    {"triton_red_fused", Framework::PyTorch, true},
    {"[pl]", Framework::Lightning, true},
    {"[Strategy]", Framework::Lightning, true},
    {"lightning/pytorch/", Framework::Lightning},
    {"accelerate/accelerator.py", Framework::Accelerate},
    {"accelerate/hooks.py", Framework::Accelerate},
    {"FSDP::", Framework::Fsdp, true},
    {"FullyShardedDataParallel.", Framework::Fsdp, true},
    {"PjitFunction(", Framework::Jax, true},
    {"jit(", Framework::Jax},
    {"TSL:", Framework::Jax, true},
    {"stream_executor::gpu::", Framework::Jax},
    {"cupy_", Framework::CuPy, true},
    {"_cupy_", Framework::CuPy},
}};

// Of names that XLA gives its kernels: "loop_add_fusion_3", "input_reduce_fusion", "gemm_fusion_dot_2".
bool isXlaKernel(std::string_view name)
{
    return (name.starts_with("loop_") || name.starts_with("input_") || name.starts_with("gemm_") ||
            name.starts_with("wrapped_")) &&
           (name.find("fusion") != name.npos || name.starts_with("wrapped_"));
}

bool isTensorFlow(std::string_view name)
{
    return name.starts_with("tensorflow::") || name.find("EagerKernelExecute") != name.npos ||
           name.find("Eigen::GpuDevice") != name.npos;
}

// Functions on sampled stacks that only a program that uses the library runs. All else of a library's files may be
// there because it was imported.
struct StackSign {
    std::string_view file;
    std::string_view function;
    Framework framework;
};
constexpr std::array<StackSign, 3> kStackSigns{{
    {"lightning/pytorch/loops/", "advance", Framework::Lightning},
    {"pytorch_lightning/loops/", "advance", Framework::Lightning},
    {"accelerate/accelerator.py", "backward", Framework::Accelerate},
}};

bool isOnSampledStack(std::string_view name)
{
    return name.find(".py:") != name.npos;
}

bool isLoaderRange(std::string_view name)
{
    if (isOnSampledStack(name))
        return name.find("dataloader.py:") != name.npos && name.find("__next__") != name.npos;
    return name.find("DataLoader") != name.npos || name.find("dataloader.py") != name.npos;
}

// Of a program that trains: ranges, operators and kernels of an optimizer's step.
bool isOfOptimizer(std::string_view name)
{
    static constexpr std::array<std::string_view, 5> kParts{"Optimizer.", "multi_tensor_apply", "_foreach_addcdiv",
                                                            "_fused_adam", "FusedAdam"};
    return std::any_of(kParts.begin(), kParts.end(),
                       [&](std::string_view part) { return name.find(part) != name.npos; });
}

// A Python program whose libraries show no name of theirs could be any of them.
bool isNativeProgram(const Trace& trace)
{
    bool hasProcess = false;
    for (const Track& track : trace.tracks()) {
        if (track.kind != TrackKind::Thread || track.events.empty() || !track.parent.valid())
            continue;
        const Track& process = trace.track(track.parent);
        if (process.kind != TrackKind::Process)
            continue;
        hasProcess = true;
        if (process.name.find("ython") != process.name.npos || process.name.empty())
            return false;
    }
    const auto command = trace.metadata().properties.find(std::string(kCommand));
    return hasProcess &&
           (command == trace.metadata().properties.end() || command->second.find("ython") == std::string::npos);
}

bool makesCalls(const Trace& trace, const WorkMeter& work)
{
    for (std::size_t at = 0; at < trace.eventCount(); ++at) {
        work.count();
        if (trace.kind(EventIndex(at)) == EventKind::RuntimeCall)
            return true;
    }
    return false;
}

}  // namespace

std::string_view frameworkName(Framework framework)
{
    static constexpr std::array<std::string_view, kFrameworkCount> kNames{
        "unknown", "PyTorch", "PyTorch Lightning", "Hugging Face Accelerate", "PyTorch FSDP", "JAX", "CuPy", "CUDA"};
    return kNames[static_cast<std::size_t>(framework)];
}

ProgramTraits programTraits(const Trace& trace, const WorkMeter& work)
{
    ProgramTraits traits;
    const std::map<std::string, std::string>& properties = trace.metadata().properties;
    if (const auto found = properties.find(kUsableProcessors); found != properties.end())
        std::from_chars(found->second.data(), found->second.data() + found->second.size(), traits.processors);
    std::array<std::size_t, kFrameworkCount> names{};
    std::array<std::string, kFrameworkCount> evidence;
    bool hasTensorFlow = false;
    const auto note = [&](Framework framework, std::string_view name) {
        const auto at = static_cast<std::size_t>(framework);
        if (names[at]++ == 0)
            evidence[at] = name;
    };
    for (std::size_t at = 0; at < trace.strings().size(); ++at) {
        work.count();
        const std::string_view name = trace.strings().view(StringId(at)).substr(0, kLettersLookedAt);
        traits.hasLoader = traits.hasLoader || isLoaderRange(name);
        traits.hasOptimizer = traits.hasOptimizer || isOfOptimizer(name);
        if (isOnSampledStack(name)) {
            for (const StackSign& sign : kStackSigns)
                if (name.starts_with(sign.file) && name.find(sign.function) != name.npos)
                    note(sign.framework, name);
            continue;
        }
        for (const Sign& sign : kSigns)
            if (sign.atStart ? name.starts_with(sign.part) : name.find(sign.part) != name.npos)
                note(sign.framework, name);
        if (isXlaKernel(name))
            note(Framework::Jax, name);
        hasTensorFlow = hasTensorFlow || isTensorFlow(name);
    }
    for (const Track& track : trace.tracks())
        traits.hasLoader = traits.hasLoader || track.kind == TrackKind::LoaderActor;
    // The laboratory's programs and the loaders that are recorded are PyTorch's.
    if (traits.hasLoader)
        note(Framework::PyTorch, "DataLoader");
    if (hasTensorFlow)
        names[static_cast<std::size_t>(Framework::Jax)] = 0;
    const auto has = [&](Framework framework) { return names[static_cast<std::size_t>(framework)] > 0; };
    for (const Framework library : {Framework::PyTorch, Framework::Jax, Framework::CuPy})
        if (has(library) &&
            names[static_cast<std::size_t>(library)] > names[static_cast<std::size_t>(traits.framework)])
            traits.framework = library;
    for (const Framework wrapper : {Framework::Fsdp, Framework::Accelerate, Framework::Lightning})
        if (has(wrapper) && traits.framework != Framework::Jax && traits.framework != Framework::CuPy)
            traits.framework = wrapper;
    traits.evidence = evidence[static_cast<std::size_t>(traits.framework)];
    if (traits.framework == Framework::Unknown && !hasTensorFlow && isNativeProgram(trace) && makesCalls(trace, work))
        traits.framework = Framework::Cuda;
    return traits;
}

}  // namespace overlane
