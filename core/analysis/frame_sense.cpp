#include "core/analysis/frame_sense.h"

#include <algorithm>
#include <array>

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

// Files of Python's own library, and what of theirs waits. All functions: those with any of these parts.
struct WaitingFile {
    std::string_view path;
    std::array<std::string_view, 4> functions;
};
constexpr std::array<WaitingFile, 14> kWaiting{{
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

bool waits(const Parts& frame)
{
    return std::any_of(kWaiting.begin(), kWaiting.end(), [&](const WaitingFile& file) {
        return frame.path.starts_with(file.path) &&
               std::any_of(file.functions.begin(), file.functions.end(), [&](std::string_view part) {
                   return !part.empty() && frame.function.find(part) != std::string_view::npos;
               });
    });
}

// What of a compiler runs in every call of what it compiled.
constexpr std::array<std::string_view, 5> kCalledCompiled{
    "torch/_dynamo/eval_frame.py", "torch/_dynamo/external_utils.py", "torch/_inductor/output_code.py",
    "torch/_inductor/cudagraph_trees.py", "torch/_inductor/runtime/"};
constexpr std::array<std::string_view, 11> kCompilers{"torch/_dynamo/",
                                                      "torch/_inductor/",
                                                      "torch/fx/",
                                                      "triton/compiler/",
                                                      "triton/backends/",
                                                      "jax/_src/compiler.py",
                                                      "jax/_src/compilation_cache.py",
                                                      "jax/_src/interpreters/mlir.py",
                                                      "jax/_src/interpreters/partial_eval.py",
                                                      "jaxlib/mlir/",
                                                      "numba/core/"};

// Parts of frameworks that work on the host whatever the arrays are on, or wait for the GPU.
constexpr std::array<std::string_view, 12> kHostParts{
    "torch/utils/data/",       "torch/multiprocessing/", "torch/serialization.py", "torch/distributed/",
    "torch/storage.py",        "torchvision/io/",        "torchvision/datasets/",  "torchvision/transforms/",
    "torchaudio/_torchcodec.", "torchaudio/datasets/",   "jax/_src/array.py",      "transformers/tokenization_"};
constexpr std::array<std::string_view, 22> kLaunching{
    "torch/",   "torchvision/", "torchaudio/", "torchmetrics/", "transformers/", "diffusers/", "timm/",   "peft/",
    "xformers", "flash_attn",   "apex/",       "deepspeed/",    "megatron/",     "vllm/",      "triton/", "jax/",
    "flax/",    "optax/",       "equinox/",    "haiku/",        "cupy/",         "cupyx/"};

}  // namespace

FrameSense frameSense(std::string_view name)
{
    const Parts frame = partsOf(name);
    if (waits(frame))
        return FrameSense::Waits;
    if (isGeneratedFrame(name) || startsWithAny(frame.path, kCalledCompiled))
        return FrameSense::Launches;
    if (startsWithAny(frame.path, kCompilers))
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
