#include "core/lessons/explanations.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/findings/rule.h"
#include "core/lab/run_metrics.h"
#include "core/loader/settings.h"

namespace overlane
{
namespace
{

namespace lesson
{
constexpr std::string_view kTwoCopies = "two_copies";
constexpr std::string_view kWhyPinned = "why_pinned";
constexpr std::string_view kSideStream = "side_stream";
constexpr std::string_view kPinningCosts = "what_pinning_costs";
constexpr std::string_view kPool = "pool_and_rounding";
constexpr std::string_view kPinThenCopy = "pin_then_copy";
constexpr std::string_view kThreeStages = "three_stages";
constexpr std::string_view kPrefetch = "prefetch_depth";
constexpr std::string_view kWorkers = "workers_and_prefetch";
constexpr std::string_view kComputeBound = "compute_bound";
constexpr std::string_view kPressure = "memory_pressure";
constexpr std::string_view kNuma = "numa";
constexpr std::string_view kRunAhead = "run_ahead";
constexpr std::string_view kReadBack = "reading_too_early";
constexpr std::string_view kDuplex = "both_directions";
constexpr std::string_view kSmall = "small_tensors";
}  // namespace lesson

struct Entry {
    std::string_view key;
    std::string_view sentence;
    std::string_view lesson;
};

// Lanes and gauges by what a track is; kinds of events; idle causes; findings.
constexpr std::array kSaid{
    Entry{"lane:process", "A process; its threads, devices and gauges lie below it.", lesson::kThreeStages},
    Entry{"lane:thread",
          "A thread of the program: operators, CUDA calls and waits, the innermost lowest. The thread that launches "
          "must stay ahead of the GPU.",
          lesson::kRunAhead},
    Entry{"lane:worker",
          "A loader worker: it reads and transforms samples into a batch while the others and the GPU go on.",
          lesson::kWorkers},
    Entry{"lane:pin thread",
          "The loader's one pin thread: it copies each finished batch into page-locked memory, so that the training "
          "thread need not.",
          lesson::kPinThenCopy},
    Entry{"lane:training thread",
          "The training thread: it takes batches, asks for copies and launches kernels. Where it waits, nothing new "
          "reaches the GPU.",
          lesson::kThreeStages},
    Entry{"lane:device", "A GPU; its copy engines and its kernels lie below it and may run at the same time.",
          lesson::kThreeStages},
    Entry{"lane:h2d",
          "The engine that copies from host to device: one copy at a time; it can run beside kernels only where memory "
          "is page-locked and another stream carries the kernels.",
          lesson::kWhyPinned},
    Entry{"lane:d2h",
          "The engine that copies results back to the host; it works beside the other direction without slowing it "
          "much.",
          lesson::kDuplex},
    Entry{"lane:peer", "Copies within a GPU, between GPUs, or of managed memory that moves on demand.",
          lesson::kDuplex},
    Entry{"lane:compute",
          "When kernels run. Every gap is time that the GPU computes nothing; point at one to read its cause.",
          lesson::kThreeStages},
    Entry{"lane:stream",
          "A stream: its copies and kernels run one after another, in the order in which they were asked for.",
          lesson::kSideStream},
    Entry{"lane:counter", "A gauge: a figure over time, on the axis of the lanes.", lesson::kPressure},
    Entry{"lane:group", "Tracks that belong together; a click opens or closes them.", lesson::kThreeStages},
    Entry{"lane:annotations", "Ranges that the program or its profiler named, such as steps.", lesson::kThreeStages},

    Entry{"gauge:Pinned memory",
          "Page-locked memory in use: it cannot be swapped or moved, so what is pinned is missing elsewhere.",
          lesson::kPinningCosts},
    Entry{"gauge:Device memory", "Memory in use on the GPU.", lesson::kThreeStages},
    Entry{"gauge:Managed memory", "Unified memory, which moves between host and GPU as either touches it.",
          lesson::kTwoCopies},
    Entry{"gauge:Process memory", "What the process holds in RAM.", lesson::kPressure},
    Entry{"gauge:Available RAM",
          "What the system could still hand out without swapping; near zero, everything slows down.",
          lesson::kPressure},
    Entry{"gauge:Swap used", "Memory that was moved to the drive because RAM ran out.", lesson::kPressure},
    Entry{"gauge:Swap traffic", "Pages that move to or from the drive: while they do, who needs them waits.",
          lesson::kPressure},
    Entry{"gauge:Memory pressure", "Share of time in which some task waits for memory (PSI).", lesson::kPressure},
    Entry{"gauge:Major faults", "Pages that were read from the drive because they were not in RAM.", lesson::kPressure},
    Entry{"gauge:Link traffic", "Bytes over the link to the GPU, in one direction.", lesson::kDuplex},
    Entry{"gauge:GPU utilisation", "Share of time in which some kernel ran; it says nothing of how full the GPU was.",
          lesson::kComputeBound},
    Entry{"gauge:Page cache", "Files kept in RAM: pinned memory and batches in flight take its place.",
          lesson::kPressure},
    Entry{"gauge:Other programs", "RAM that other programs hold.", lesson::kPressure},
    Entry{"gauge:Shared memory", "Memory through which workers hand batches to the training process.",
          lesson::kTwoCopies},
    Entry{"gauge:other", "A figure that the program or its tools counted: how full a queue is, for one.",
          lesson::kWorkers},

    Entry{"kind:host work", "Work of a thread: an operator, a Python frame, reading or transforming data.",
          lesson::kRunAhead},
    Entry{"kind:host blocked", "The host is held: a pageable copy is staged, a lock or a queue is waited for.",
          lesson::kWhyPinned},
    Entry{"kind:runtime call",
          "A CUDA or HIP call. An asynchronous one returns in microseconds, long before its work runs.",
          lesson::kRunAhead},
    Entry{"kind:copy H2D", "A copy from host to device; the pattern tells the kind of memory on the host.",
          lesson::kWhyPinned},
    Entry{"kind:copy D2H", "A copy from device to host; the bytes may be read only once it has ended.",
          lesson::kReadBack},
    Entry{"kind:copy D2D", "A copy within a GPU or between two.", lesson::kDuplex},
    Entry{"kind:copy other", "A copy between places on the host, or managed memory that moves.", lesson::kTwoCopies},
    Entry{"kind:kernel", "A kernel: what the GPU is there for. Copies are free as long as they lie under kernels.",
          lesson::kThreeStages},
    Entry{"kind:memset", "Memory on the device that is filled with a value.", lesson::kThreeStages},
    Entry{"kind:sync", "The host waits for a stream, an event or the whole device, and queues nothing meanwhile.",
          lesson::kRunAhead},
    Entry{"kind:loader", "Work of the loader: a batch is produced, pinned or handed on.", lesson::kThreeStages},
    Entry{"kind:loader wait", "Part of the loader waits: for a batch, an index, or room in a queue.", lesson::kWorkers},
    Entry{"kind:annotation", "A range that the program named (NVTX, record_function).", lesson::kThreeStages},
    Entry{"kind:step", "One training step, from its mark to the next.", lesson::kThreeStages},
    Entry{"kind:overhead", "The profiler's own time; without it the program would have been that much faster.",
          lesson::kRunAhead},
    Entry{"kind:instant", "A point in time that somebody marked.", lesson::kThreeStages},

    Entry{"cause:exposed copies", "A copy to the device runs while no kernel does: the part that is not hidden.",
          lesson::kSideStream},
    Entry{"cause:staging of copies",
          "The GPU has nothing to do while the host is held in, or just behind, a call that stages or waits for a "
          "copy.",
          lesson::kWhyPinned},
    Entry{"cause:results read back", "A copy back to the host runs while no kernel does.", lesson::kReadBack},
    Entry{"cause:other copies and memsets", "Copies within the GPU, memsets or migrations run alone.", lesson::kDuplex},
    Entry{"cause:swap", "The GPU has nothing to do while the machine moves pages to or from swap.", lesson::kPressure},
    Entry{"cause:stream order and events",
          "The next work was asked for in time, and waits for its stream, an event or the GPU itself.",
          lesson::kSideStream},
    Entry{"cause:waiting for batches", "The training thread waits for the loader, and with it the GPU.",
          lesson::kWorkers},
    Entry{"cause:batches made by the training thread",
          "Without workers the training thread reads and transforms each batch itself, and launches nothing meanwhile.",
          lesson::kWorkers},
    Entry{"cause:pinning in the training thread",
          "The training thread page-locks memory, or copies a batch into such memory, and launches nothing meanwhile.",
          lesson::kPinThenCopy},
    Entry{"cause:explicit synchronisation",
          "The host waited until the GPU had nothing left to do; the GPU is idle for as long as that put the host "
          "behind.",
          lesson::kRunAhead},
    Entry{"cause:launch-bound", "Kernels are so short that each ends before the next launch arrives.", lesson::kSmall},
    Entry{"cause:host late", "The thread that launches works on other things, and nothing is queued on the GPU.",
          lesson::kRunAhead},
    Entry{"cause:host between recorded work",
          "The thread that launches is between two events of the trace, in code that the trace does not show.",
          lesson::kRunAhead},
    Entry{"cause:start and end", "Before the first and after the last work of the GPU.", lesson::kThreeStages},
    Entry{"cause:not told by the trace", "No record says what the host did meanwhile.", lesson::kRunAhead},

    Entry{"finding:source-rewritten",
          "A buffer was written again before the copy that reads it had ended: the GPU may have got mixed bytes.",
          lesson::kPool},
    Entry{"finding:result-read-early", "The host read a result before its copy had ended, and may have seen old bytes.",
          lesson::kReadBack},
    Entry{"finding:pageable-async",
          "From pageable memory an asynchronous copy still makes the host wait while the driver stages it.",
          lesson::kWhyPinned},
    Entry{"finding:sync-copies", "The host waits for each copy, so no kernel can be queued beside it.",
          lesson::kWhyPinned},
    Entry{"finding:pageable-side-stream",
          "A side stream hides nothing while the memory is pageable: the host is held, and launches no kernel.",
          lesson::kSideStream},
    Entry{"finding:same-stream",
          "The copies hold nobody up, but one stream does its work in order: a copy waits for the kernels before it.",
          lesson::kSideStream},
    Entry{"finding:default-stream", "Work in the legacy default stream waits for all other streams, and they for it.",
          lesson::kSideStream},
    Entry{"finding:stream-wait",
          "The copy's stream was told to wait for the compute stream, so the copy comes after the kernels.",
          lesson::kPrefetch},
    Entry{"finding:small-copies", "Copies so small that starting one costs more than sending it.", lesson::kSmall},
    Entry{"finding:pin-in-training-thread",
          "Pinning just before the copy costs the training thread as much as it saves.", lesson::kPinThenCopy},
    Entry{"finding:pinned-allocation",
          "Page-locking memory costs far more than using it: do it once, outside the loop.", lesson::kPool},
    Entry{"finding:sync-per-step",
          "A wait in every step (.item(), synchronize) ends the host's lead, and the GPU runs dry.", lesson::kRunAhead},
    Entry{"finding:loader-starved", "Batches come more slowly than the GPU takes them.", lesson::kWorkers},
    Entry{"finding:prefetch-too-deep", "More batches are in flight than the RAM holds, and the machine swaps.",
          lesson::kPressure},
    Entry{"finding:read-back", "Results are copied back while no kernel runs.", lesson::kReadBack},
    Entry{"finding:one-direction", "Copies to and from the device take turns, though the link carries both at once.",
          lesson::kDuplex},
    Entry{"finding:slow-link",
          "Pinned copies run far below what the link allows: memory of another NUMA node, fewer lanes, other traffic.",
          lesson::kNuma},
    Entry{"finding:link-bound", "The link is busy for longer than the kernels: hiding copies cannot help enough.",
          lesson::kThreeStages},
    Entry{"finding:unified-memory", "Managed memory moves page by page when it is touched, and kernels wait.",
          lesson::kTwoCopies},
    Entry{"finding:late-copies", "Nothing prevents overlap, but the copies are asked for when no kernel is left.",
          lesson::kPrefetch},
    Entry{"finding:launch-bound",
          "The GPU waits for launches: its kernels are shorter than what asking for them costs.", lesson::kSmall},
    Entry{"finding:host-late", "The thread that launches does other work while the GPU has nothing queued.",
          lesson::kRunAhead},
    Entry{"finding:nothing-to-win", "Kernels fill the time: better loading and copying would win next to nothing.",
          lesson::kComputeBound},
};

struct Topic {
    std::string_view key;
    std::string_view lesson;
};

constexpr std::array kSettingLessons{
    Topic{"batches", lesson::kThreeStages},
    Topic{"batch_bytes", lesson::kTwoCopies},
    Topic{"tensors", lesson::kSmall},
    Topic{"pin", lesson::kWhyPinned},
    Topic{"allocator", lesson::kPool},
    Topic{"non_blocking", lesson::kWhyPinned},
    Topic{"copy_stream", lesson::kSideStream},
    Topic{"streams", lesson::kSideStream},
    Topic{"device_buffers", lesson::kPrefetch},
    Topic{"run_ahead", lesson::kRunAhead},
    Topic{"sync_every_step", lesson::kRunAhead},
    Topic{"compute_us", lesson::kComputeBound},
    Topic{"compute_flops", lesson::kComputeBound},
    Topic{"kernel", lesson::kComputeBound},
    Topic{"result_bytes", lesson::kDuplex},
    Topic{"read_result_early", lesson::kReadBack},
    Topic{"worker_node", lesson::kNuma},
    Topic{"main_node", lesson::kNuma},
    Topic{"gpu_node", lesson::kNuma},
};

constexpr std::array kMetricLessons{
    Topic{"idle", lesson::kComputeBound},
    Topic{"copy_rate", lesson::kWhyPinned},
    Topic{"copy_call", lesson::kWhyPinned},
    Topic{"host_blocked", lesson::kWhyPinned},
    Topic{"batch_wait", lesson::kWorkers},
    Topic{"workers_busy", lesson::kWorkers},
    Topic{"pinning", lesson::kPinThenCopy},
    Topic{"pin_thread_busy", lesson::kPinThenCopy},
    Topic{"sync_wait", lesson::kRunAhead},
    Topic{"pinned_peak", lesson::kWorkers},
    Topic{"swap_peak", lesson::kPressure},
    Topic{"ram_left", lesson::kPressure},
    Topic{"page_cache", lesson::kPressure},
    Topic{"pinned_allocs", lesson::kPool},
    Topic{"pinned_alloc_time", lesson::kPinningCosts},
    Topic{"pinned_free_time", lesson::kPinningCosts},
    Topic{"register_time", lesson::kPinningCosts},
    Topic{"wrong_results", lesson::kReadBack},
    Topic{"wrong_batches", lesson::kPool},
    Topic{"result_rate", lesson::kDuplex},
    Topic{"link_rate", lesson::kDuplex},
    Topic{"d2h", lesson::kDuplex},
    Topic{"kernel_share", lesson::kComputeBound},
};

// By CopyCause.
constexpr std::array<std::string_view, kCopyCauseCount> kCopyLessons{
    lesson::kThreeStages,  // hidden
    lesson::kTwoCopies,    // managed memory
    lesson::kThreeStages,  // first or last
    lesson::kSmall,        // staged inline
    lesson::kWhyPinned,    // pageable
    lesson::kWhyPinned,    // synchronous call
    lesson::kSideStream,   // same stream
    lesson::kSideStream,   // event
    lesson::kSideStream,   // default stream
    lesson::kDuplex,       // engine busy
    lesson::kRunAhead,     // after a sync
    lesson::kWhyPinned,    // memory unknown
    lesson::kThreeStages,  // no kernel
    lesson::kRunAhead,     // not told
};

std::string_view lessonIn(std::span<const Topic> topics, std::string_view key, std::string_view otherwise)
{
    const auto found = std::find_if(topics.begin(), topics.end(), [&](const Topic& topic) { return topic.key == key; });
    return found == topics.end() ? otherwise : found->lesson;
}

// By the group of a setting that has no lesson of its own.
std::string_view lessonOfGroup(std::string_view group)
{
    if (group == "Loader" || group == "Data")
        return lesson::kWorkers;
    return group == "Machine" ? lesson::kPressure : lesson::kThreeStages;
}

std::string keyed(std::string_view what, std::string_view name)
{
    return std::string(what) + ':' + std::string(name);
}

std::vector<Explanation> makeExplanations()
{
    std::vector<Explanation> all;
    all.reserve(std::size(kSaid) + allSettings().size() + allRunMetrics().size());
    for (const Entry& entry : kSaid)
        all.push_back({std::string(entry.key), std::string(entry.sentence), entry.lesson});
    for (const Setting& setting : allSettings())
        all.push_back({settingExplanationKey(setting.key), std::string(setting.description),
                       lessonIn(kSettingLessons, setting.key, lessonOfGroup(setting.group))});
    for (const RunMetric& metric : allRunMetrics())
        all.push_back({metricExplanationKey(metric.key), metric.description,
                       lessonIn(kMetricLessons, metric.key, lesson::kThreeStages)});
    for (int cause = 0; cause < kCopyCauseCount; ++cause)
        all.push_back({explanationKey(static_cast<CopyCause>(cause)),
                       std::string(causeSentence(static_cast<CopyCause>(cause))),
                       kCopyLessons[static_cast<std::size_t>(cause)]});
    return all;
}

std::string gaugeKey(std::string_view name)
{
    constexpr std::string_view kGauge = "gauge:";
    for (const Entry& entry : kSaid)
        if (entry.key.starts_with(kGauge) && name.starts_with(entry.key.substr(kGauge.size())))
            return std::string(entry.key);
    return keyed("gauge", "other");
}

}  // namespace

const std::vector<Explanation>& allExplanations()
{
    static const std::vector<Explanation> kAll = makeExplanations();
    return kAll;
}

const Explanation* findExplanation(std::string_view key)
{
    const std::vector<Explanation>& all = allExplanations();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Explanation& one) { return one.key == key; });
    return found == all.end() ? nullptr : &*found;
}

std::string explanationKey(const Track& track)
{
    switch (track.kind) {
        case TrackKind::Process:
            return "lane:process";
        case TrackKind::Thread:
            return "lane:thread";
        case TrackKind::LoaderActor:
            return track.name.starts_with("worker") ? "lane:worker"
                   : track.name.starts_with("pin")  ? "lane:pin thread"
                                                    : "lane:training thread";
        case TrackKind::Device:
            return "lane:device";
        case TrackKind::EngineH2D:
            return "lane:h2d";
        case TrackKind::EngineD2H:
            return "lane:d2h";
        case TrackKind::EnginePeer:
            return "lane:peer";
        case TrackKind::EngineCompute:
            return "lane:compute";
        case TrackKind::Stream:
            return "lane:stream";
        case TrackKind::Counter:
            return gaugeKey(track.name);
        case TrackKind::Annotations:
            return "lane:annotations";
        case TrackKind::Group:
            break;
    }
    return "lane:group";
}

std::string explanationKey(EventKind kind)
{
    return keyed("kind", kindName(kind));
}

std::string explanationKey(LostCause cause)
{
    return keyed("cause", lostCauseName(cause));
}

std::string explanationKey(CopyCause cause)
{
    return keyed("copy", causeName(cause));
}

std::string explanationKey(RuleId rule)
{
    return rule == RuleId::None ? std::string() : keyed("finding", allRules()[static_cast<std::size_t>(rule)].id);
}

std::string settingExplanationKey(std::string_view setting)
{
    return keyed("setting", setting);
}

std::string metricExplanationKey(std::string_view metric)
{
    return keyed("metric", metric);
}

}  // namespace overlane
