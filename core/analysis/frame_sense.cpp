#include "core/analysis/frame_sense.h"

#include <algorithm>
#include <array>
#include <optional>

namespace overlane
{
namespace
{

// "threading.py:355 Condition.wait"
struct Parts {
    std::string_view path;
    std::string_view function;  // without what it is a member of
};

Parts partsOf(std::string_view name)
{
    const std::size_t space = name.find(' ');
    const std::string_view place = name.substr(0, space);
    Parts parts{place.substr(0, place.rfind(':')), {}};
    if (space != std::string_view::npos) {
        const std::string_view whole = name.substr(space + 1);
        const std::size_t dot = whole.rfind('.');
        parts.function = dot == std::string_view::npos ? whole : whole.substr(dot + 1);
    }
    return parts;
}

template <std::size_t kCount>
bool startsWithAny(std::string_view text, const std::array<std::string_view, kCount>& starts)
{
    return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return text.starts_with(start); });
}

// A file, or all below a folder: its functions with any of these parts, or all where there are none.
struct PathAndFunctions {
    std::string_view path;
    std::array<std::string_view, 4> functions;
};

template <std::size_t kCount>
bool isAmong(const Parts& frame, const std::array<PathAndFunctions, kCount>& all)
{
    return std::any_of(all.begin(), all.end(), [&](const PathAndFunctions& each) {
        return frame.path.starts_with(each.path) &&
               (each.functions.front().empty() ||
                std::any_of(each.functions.begin(), each.functions.end(), [&](std::string_view part) {
                    return !part.empty() && frame.function.find(part) != std::string_view::npos;
                }));
    });
}

// Files of Python's own library, and what of theirs waits.
constexpr std::array<PathAndFunctions, 14> kWaiting{{
    {"threading.py", {"wait", "acquire", "join", "_enter__"}},
    {"queue.py", {"get", "put", "join", {}}},
    {"selectors.py", {"select", {}, {}, {}}},
    {"multiprocessing/connection.py", {"recv", "poll", "wait", "accept"}},
    {"multiprocessing/queues.py", {"get", "put", {}, {}}},
    {"multiprocessing/synchronize.py", {"wait", "acquire", "_enter__", {}}},
    {"multiprocessing/pool.py", {"get", "wait", "next", "join"}},
    {"multiprocessing/popen_", {"poll", "wait", {}, {}}},
    {"multiprocessing/process.py", {"join", {}, {}, {}}},
    {"concurrent/futures/", {"result", "wait", "as_completed", {}}},
    {"socket.py", {"read", "recv", "accept", {}}},
    {"ssl.py", {"read", "recv", {}, {}}},
    {"subprocess.py", {"wait", "communicate", {}, {}}},
    {"zmq/", {"recv", "poll", {}, {}}},
}};

// Where compilers are entered: what these call compiles, too (host_stacks_builder.cpp). Much of a compiler's own files
// runs in each call of what was compiled, so a file stands for itself or for functions with any of these parts.
constexpr std::array<PathAndFunctions, 22> kCompilers{{
    {"torch/_dynamo/convert_frame.py", {}},
    {"torch/_dynamo/symbolic_convert.py", {}},
    {"torch/_dynamo/output_graph.py", {}},
    {"torch/_dynamo/variables/", {}},
    {"torch/_inductor/async_compile.py", {}},
    {"torch/_inductor/codecache.py", {"load", "compile", "save", "hash"}},
    {"torch/_inductor/codegen/", {}},
    {"torch/_inductor/compile_fx.py", {"compile", "codegen", {}, {}}},
    {"torch/_inductor/fx_passes/", {}},
    {"torch/_inductor/graph.py", {}},
    {"torch/_inductor/scheduler.py", {}},
    {"torch/_inductor/select_algorithm.py", {}},
    {"torch/_inductor/runtime/triton_heuristics.py", {"compile", "autotune", "benchmark", "coordinate_descent"}},
    {"torch/fx/experimental/", {}},
    {"triton/compiler/code_generator.py", {}},
    {"triton/compiler/compiler.py", {"compile", "make_ir", "make_backend", "parse"}},
    {"triton/backends/", {"make_", "add_stages", "load_dialects", {}}},
    {"jax/_src/compil", {}},
    {"jax/_src/interpreters/mlir.py", {}},
    {"jax/_src/interpreters/partial_eval.py", {}},
    {"jaxlib/mlir/", {}},
    {"numba/core/", {}},
}};

// Parts of frameworks that work on the host whatever the arrays are on, or wait for the GPU.
constexpr std::array<std::string_view, 12> kHostParts{
    "torch/utils/data/",       "torch/multiprocessing/", "torch/serialization.py", "torch/distributed/",
    "torch/storage.py",        "torchvision/io/",        "torchvision/datasets/",  "torchvision/transforms/",
    "torchaudio/_torchcodec.", "torchaudio/datasets/",   "jax/_src/array.py",      "transformers/tokenization_"};
constexpr std::array<std::string_view, 22> kLaunching{
    "torch/",   "torchvision/", "torchaudio/", "torchmetrics/", "transformers/", "diffusers/", "timm/",   "peft/",
    "xformers", "flash_attn",   "apex/",       "deepspeed/",    "megatron/",     "vllm/",      "triton/", "jax/",
    "flax/",    "optax/",       "equinox/",    "haiku/",        "cupy/",         "cupyx/"};

// Libraries of CUDA, by the first part of their files' names.
constexpr std::array<std::string_view, 4> kCudaCompilers{"libnvrtc", "libnvJitLink", "libnvptxcompiler",
                                                         "libnvidia-ptxjitcompiler"};
constexpr std::array<std::string_view, 8> kCudaLaunching{"libcublas",   "libcudnn",    "libcufft", "libcurand",
                                                         "libcusparse", "libcusolver", "libnccl",  "libcutensor"};

// Of compiled code only where it is certain; none else.
std::optional<FrameSense> compiledSense(const Parts& frame)
{
    if (frame.path == "kernel")
        return FrameSense::Waits;
    if (startsWithAny(frame.path, kCudaCompilers))
        return FrameSense::Compiles;
    if (startsWithAny(frame.path, kCudaLaunching))
        return FrameSense::Launches;
    if (frame.path != "libcudart" && !frame.path.starts_with("libcudart.") && !frame.path.starts_with("libcuda."))
        return std::nullopt;
    if (frame.function.find("Synchronize") != std::string_view::npos)
        return FrameSense::Waits;
    const bool launches = frame.function.find("Launch") != std::string_view::npos ||
                          frame.function.starts_with("launch of ") ||
                          frame.function.find("Async") != std::string_view::npos;
    return launches ? std::optional(FrameSense::Launches) : std::nullopt;
}

}  // namespace

FrameSense frameSense(std::string_view name)
{
    const Parts frame = partsOf(name);
    if (const std::optional<FrameSense> sense = compiledSense(frame))
        return *sense;
    if (isAmong(frame, kWaiting))
        return FrameSense::Waits;
    if (isGeneratedFrame(name))
        return FrameSense::Launches;
    if (isAmong(frame, kCompilers))
        return FrameSense::Compiles;
    return startsWithAny(frame.path, kLaunching) && !startsWithAny(frame.path, kHostParts) ? FrameSense::Launches
                                                                                           : FrameSense::Work;
}

bool isRecorderFrame(std::string_view name)
{
    const std::string_view path = partsOf(name).path;
    const std::size_t folder = path.rfind('/');
    const std::string_view file = folder == std::string_view::npos ? path : path.substr(folder + 1);
    return file.starts_with("overlane_") && file.ends_with(".py");
}

bool isGeneratedFrame(std::string_view name)
{
    return name.find("torchinductor_") != std::string_view::npos || name.starts_with("<eval_with_key>");
}

}  // namespace overlane
