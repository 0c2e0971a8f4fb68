#include "core/loader/settings_table.h"

#include <cmath>
#include <type_traits>
#include <utility>

#include "core/base/units.h"

namespace overlane
{
namespace
{

template <typename T>
void bindMember(Setting& setting, T Scenario::*member)
{
    setting.get = [member](const Scenario& scenario) { return static_cast<double>(scenario.*member); };
    setting.set = [member](Scenario& scenario, double value) {
        if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>)
            scenario.*member = static_cast<T>(static_cast<int>(value));
        else if constexpr (std::is_integral_v<T>)
            scenario.*member = static_cast<T>(std::llround(value));
        else
            scenario.*member = value;
    };
}

struct Texts {
    std::string_view key, label, group, description, lesson, unit;
};

struct Limits {
    double minimum, maximum;
    bool logarithmic = false;
};

template <typename T>
Setting number(SettingKind kind, T Scenario::*member, const Texts& texts, const Limits& limits)
{
    Setting setting;
    setting.key = texts.key;
    setting.label = texts.label;
    setting.group = texts.group;
    setting.description = texts.description;
    setting.lesson = texts.lesson;
    setting.unit = texts.unit;
    setting.kind = kind;
    setting.minimum = limits.minimum;
    setting.maximum = limits.maximum;
    setting.logarithmic = limits.logarithmic;
    bindMember(setting, member);
    return setting;
}

Setting toggle(bool Scenario::*member, const Texts& texts)
{
    return number(SettingKind::Switch, member, texts, {0, 1});
}

template <typename T>
Setting choice(T Scenario::*member, const Texts& texts, std::vector<std::string_view> names)
{
    Setting setting = number(SettingKind::Choice, member, texts, {0, static_cast<double>(names.size()) - 1});
    setting.choices = std::move(names);
    return setting;
}

Setting advanced(Setting setting)
{
    setting.advanced = true;
    return setting;
}

}  // namespace

std::vector<Setting> makeSettings()
{
    using S = Scenario;
    using K = SettingKind;
    return {
        number(K::Integer, &S::batches, {"batches", "Batches", "Data", "Batches in the run.", "three_stages"},
               {1, 100'000, true}),
        number(K::Bytes, &S::batchBytes,
               {"batch_bytes", "Batch size", "Data", "Bytes of one batch, all tensors together.", "two_copies"},
               {kKiB, 16 * kGiB, true}),
        advanced(number(K::Integer, &S::samples,
                        {"samples", "Samples per batch", "Data", "Samples of one batch, which share its bytes.",
                         "workers_and_prefetch"},
                        {1, 65'536, true})),
        number(K::Integer, &S::tensors,
               {"tensors", "Tensors per batch", "Data", "Tensors, and so copies, per batch.", "small_tensors"},
               {1, 256, true}),
        advanced(number(
            K::Integer, &S::seed,
            {"seed", "Seed", "Data", "Seed of what varies: the time that batches take, and the device's threads.",
             "workers_and_prefetch"},
            {0, 4'294'967'295.0})),

        number(K::Integer, &S::workers,
               {"workers", "Workers", "Loader", "Loader processes; with 0 the training thread produces batches itself.",
                "workers_and_prefetch"},
               {0, 128}),
        number(
            K::Integer, &S::prefetchFactor,
            {"prefetch_factor", "Prefetch factor", "Loader", "Batches in flight per worker.", "workers_and_prefetch"},
            {1, 64}),
        advanced(number(
            K::Real, &S::readUs,
            {"read_us", "Read per sample", "Loader",
             "Time of one worker to read one sample from files in the page cache; the storage's own time comes on "
             "top where memory ran short and they were dropped.",
             "workers_and_prefetch", "us"},
            {0, 1e6, true})),
        advanced(choice(&S::files,
                        {"files", "File reads", "Loader",
                         "Timed: read_us stands for reading. Cached, drive: workers read file_bytes for each batch on "
                         "top of read_us, from files in the page cache or not; on this machine's GPU real files in the "
                         "temporary folder, in a simulation at the profile's rates.",
                         "workers_and_prefetch"},
                        {"timed", "cached", "drive"})),
        advanced(
            number(K::Bytes, &S::fileBytes,
                   {"file_bytes", "Bytes read", "Loader",
                    "Bytes of files that a batch is made from; 0 for a quarter of the batch, as compressed data is.",
                    "workers_and_prefetch"},
                   {0, 16 * kGiB, true})),
        advanced(number(
            K::Real, &S::transformUs,
            {"transform_us", "Transform per sample", "Loader",
             "Time of one worker, alone on a core, to decode and transform one sample.", "workers_and_prefetch", "us"},
            {0, 1e6, true})),
        number(K::Real, &S::produceUs,
               {"produce_us", "Time per batch", "Loader",
                "Time of one worker for a batch beyond its samples, such as collating it; a batch takes produce_us + "
                "samples x (read_us + transform_us).",
                "workers_and_prefetch", "us"},
               {0, 1e7, true}),
        number(K::Real, &S::produceSpread,
               {"produce_spread", "Spread", "Loader",
                "Relative standard deviation of the whole time that a batch takes a worker.", "workers_and_prefetch"},
               {0, 1}),

        choice(&S::pin,
               {"pin", "Pinned memory", "Host memory",
                "Where pinned memory comes from: nowhere, the pin thread (pin_memory=True), pin_memory() in the "
                "training thread, a ring pinned once, or cudaHostRegister on each batch.",
                "why_pinned"},
               {"none", "thread", "consumer", "ring", "register"}),
        choice(&S::allocator,
               {"allocator", "Allocator", "Host memory",
                "Pinned blocks allocated fresh for each batch, or reused from a pool of power-of-two blocks.",
                "pool_and_rounding"},
               {"fresh", "pool"}),

        toggle(&S::nonBlocking, {"non_blocking", "non_blocking", "Copy",
                                 "Copy with cudaMemcpyAsync instead of cudaMemcpy.", "why_pinned"}),
        choice(
            &S::copyStream,
            {"copy_stream", "Copy stream", "Copy",
             "Copies go into the stream of the kernel that needs them, or into a stream of their own.", "side_stream"},
            {"compute", "side"}),
        number(K::Integer, &S::streams,
               {"streams", "Compute streams", "Copy", "Batch i runs on stream i modulo this number.", "side_stream"},
               {1, 32}),
        number(K::Integer, &S::deviceBuffers,
               {"device_buffers", "Device buffers", "Copy", "Batches in flight on the device (prefetch depth).",
                "prefetch_depth"},
               {1, 64}),
        advanced(
            number(K::Integer, &S::runAhead,
                   {"run_ahead", "Host run-ahead", "Copy",
                    "Copies, kernels and event calls that may be queued on the device before the next call blocks the "
                    "host, as CUDA's launch queue does; 1 waits for each, 0 is the device's own depth.",
                    "run_ahead"},
                   {0, 4096, true})),

        number(K::Real, &S::computeUs,
               {"compute_us", "Compute time", "Compute", "Kernel time of one batch on an idle device.", "compute_bound",
                "us"},
               {0, 1e7, true}),
        advanced(
            number(K::Real, &S::computeFlops,
                   {"compute_flops", "Compute work", "Compute",
                    "Work of one batch in floating-point operations of a matrix product, run at the rate the device "
                    "sustains; replaces compute_us where above 0, and needs kernel gemm.",
                    "compute_bound", "FLOP"},
                   {0, 1e18, true})),
        choice(&S::kernel,
               {"kernel", "Kernel", "Compute",
                "Spin: small, several run at once. Memory: fills the device's memory system. Gemm: fills its cores.",
                "compute_bound"},
               {"spin", "memory", "gemm"}),
        number(K::Bytes, &S::resultBytes,
               {"result_bytes", "Result size", "Compute", "Bytes copied back after each batch; 0 for no result.",
                "both_directions"},
               {0, 16 * kGiB, true}),
        toggle(&S::readResultEarly,
               {"read_result_early", "Read result early", "Compute",
                "The host reads each result before it has waited for its copy: a hazard.", "reading_too_early"}),
        toggle(&S::syncEveryStep, {"sync_every_step", "Sync every step", "Compute",
                                   "The host waits for the device after each batch, as .item() does.", "run_ahead"}),

        number(K::Bytes, &S::ramBytes,
               {"ram_bytes", "RAM", "Machine", "Main memory; 0 for that of the device profile's machine.",
                "memory_pressure"},
               {0, 4 * kTiB, true}),
        number(K::Bytes, &S::swapBytes,
               {"swap_bytes", "Swap", "Machine", "Swap space; -1 for that of the device profile's machine.",
                "memory_pressure"},
               {-1, 4 * kTiB, true}),
        number(K::Bytes, &S::otherBytes,
               {"other_bytes", "Other programs", "Machine",
                "Memory that other programs use all the time, on top of what the device profile's machine uses "
                "by itself.",
                "memory_pressure"},
               {0, 4 * kTiB, true}),
        advanced(
            number(K::Integer, &S::cores,
                   {"cores", "CPU cores", "Machine",
                    "Cores that workers, pin thread and training thread share; 0 for those of the device profile's "
                    "machine.",
                    "memory_pressure"},
                   {0, 1024, true})),
        advanced(number(
            K::Integer, &S::workerNode,
            {"worker_node", "Workers' NUMA node", "Machine",
             "NUMA node the workers run on and whose memory they fill; below the machine's number of nodes, so 0 "
             "where it has one.",
             "numa"},
            {0, 7})),
        advanced(number(K::Integer, &S::mainNode,
                        {"main_node", "Training NUMA node", "Machine",
                         "NUMA node of the training process: its pin thread and its pinned memory; below the machine's "
                         "number of nodes.",
                         "numa"},
                        {0, 7})),
        advanced(
            number(K::Integer, &S::gpuNode,
                   {"gpu_node", "GPU's NUMA node", "Machine",
                    "NUMA node the GPU is attached to: copies of memory on another one are slower; below the machine's "
                    "number of nodes.",
                    "numa"},
                   {0, 7})),
    };
}

}  // namespace overlane
