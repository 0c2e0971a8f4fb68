#include "core/lessons/explanation_texts.h"

#include <array>

namespace overlane
{
namespace
{

// Lanes and gauges by what a track is; kinds of events; idle causes.
constexpr std::array kSaid{
    SaidExplanation{"lane:process", "A process; its threads, devices and gauges lie below it.", lesson::kThreeStages},
    SaidExplanation{
        "lane:thread",
        "A thread of the program: operators, CUDA calls and waits, the innermost lowest. The thread that launches "
        "must stay ahead of the GPU.",
        lesson::kRunAhead},
    SaidExplanation{"lane:worker",
                    "A loader worker: it reads and transforms samples into a batch while the others and the GPU go on.",
                    lesson::kWorkers},
    SaidExplanation{
        "lane:pin thread",
        "The loader's one pin thread: it copies each finished batch into page-locked memory, so that the training "
        "thread need not.",
        lesson::kPinThenCopy},
    SaidExplanation{
        "lane:training thread",
        "The training thread: it takes batches, asks for copies and launches kernels. Where it waits, nothing new "
        "reaches the GPU.",
        lesson::kThreeStages},
    SaidExplanation{"lane:device", "A GPU; its copy engines and its kernels lie below it and may run at the same time.",
                    lesson::kThreeStages},
    SaidExplanation{
        "lane:h2d",
        "The engine that copies from host to device: one copy at a time; it can run beside kernels only where memory "
        "is page-locked and another stream carries the kernels.",
        lesson::kWhyPinned},
    SaidExplanation{
        "lane:d2h",
        "The engine that copies results back to the host; it works beside the other direction without slowing it "
        "much.",
        lesson::kDuplex},
    SaidExplanation{"lane:peer", "Copies within a GPU, between GPUs, or of managed memory that moves on demand.",
                    lesson::kDuplex},
    SaidExplanation{
        "lane:compute",
        "When kernels run. Every gap is time that the GPU computes nothing; point at one to read its cause.",
        lesson::kThreeStages},
    SaidExplanation{
        "lane:stream",
        "A stream: its copies and kernels run one after another, in the order in which they were asked for.",
        lesson::kSideStream},
    SaidExplanation{"lane:counter", "A gauge: a figure over time, on the axis of the lanes.", lesson::kPressure},
    SaidExplanation{"lane:group", "Tracks that belong together; a click opens or closes them.", lesson::kThreeStages},
    SaidExplanation{"lane:annotations", "Ranges that the program or its profiler named, such as steps.",
                    lesson::kThreeStages},

    SaidExplanation{"lane:stacks",
                    "Functions that the thread above was in when it was looked at, some fifty times a second: "
                    "the callers on top, the program's own code in the stronger colour.",
                    lesson::kThreeStages},

    SaidExplanation{"gauge:Pinned memory",
                    "Page-locked memory in use: it cannot be swapped or moved, so what is pinned is missing elsewhere.",
                    lesson::kPinningCosts},
    SaidExplanation{"gauge:Device memory", "Memory in use on the GPU.", lesson::kThreeStages},
    SaidExplanation{"gauge:Managed memory", "Unified memory, which moves between host and GPU as either touches it.",
                    lesson::kTwoCopies},
    SaidExplanation{"gauge:Process memory", "What the process holds in RAM.", lesson::kPressure},
    SaidExplanation{"gauge:Available RAM",
                    "What the system could still hand out without swapping; near zero, everything slows down.",
                    lesson::kPressure},
    SaidExplanation{"gauge:Swap used", "Memory that was moved to the drive because RAM ran out.", lesson::kPressure},
    SaidExplanation{"gauge:Swap traffic", "Pages that move to or from the drive: while they do, who needs them waits.",
                    lesson::kPressure},
    SaidExplanation{"gauge:Memory pressure", "Share of time in which some task waits for memory (PSI).",
                    lesson::kPressure},
    SaidExplanation{"gauge:Major faults", "Pages that were read from the drive because they were not in RAM.",
                    lesson::kPressure},
    SaidExplanation{"gauge:Link traffic", "Bytes over the link to the GPU, in one direction.", lesson::kDuplex},
    SaidExplanation{"gauge:GPU utilisation",
                    "Share of time in which some kernel ran; it says nothing of how full the GPU was.",
                    lesson::kComputeBound},
    SaidExplanation{"gauge:Page cache", "Files kept in RAM: pinned memory and batches in flight take its place.",
                    lesson::kPressure},
    SaidExplanation{"gauge:Other programs", "RAM that other programs hold.", lesson::kPressure},
    SaidExplanation{"gauge:Shared memory", "Memory through which workers hand batches to the training process.",
                    lesson::kTwoCopies},
    SaidExplanation{"gauge:other", "A figure that the program or its tools counted: how full a queue is, for one.",
                    lesson::kWorkers},

    SaidExplanation{"kind:host work", "Work of a thread: an operator, a Python frame, reading or transforming data.",
                    lesson::kRunAhead},
    SaidExplanation{"kind:host blocked",
                    "The host is held: a pageable copy is staged, a lock or a queue is waited for.",
                    lesson::kWhyPinned},
    SaidExplanation{"kind:runtime call",
                    "A CUDA or HIP call. An asynchronous one returns in microseconds, long before its work runs.",
                    lesson::kRunAhead},
    SaidExplanation{"kind:copy H2D", "A copy from host to device; the pattern tells the kind of memory on the host.",
                    lesson::kWhyPinned},
    SaidExplanation{"kind:copy D2H", "A copy from device to host; the bytes may be read only once it has ended.",
                    lesson::kReadBack},
    SaidExplanation{"kind:copy D2D", "A copy within a GPU or between two.", lesson::kDuplex},
    SaidExplanation{"kind:copy other", "A copy between places on the host, or managed memory that moves.",
                    lesson::kTwoCopies},
    SaidExplanation{"kind:kernel",
                    "A kernel: what the GPU is there for. Copies are free as long as they lie under kernels.",
                    lesson::kThreeStages},
    SaidExplanation{"kind:memset", "Memory on the device that is filled with a value.", lesson::kThreeStages},
    SaidExplanation{"kind:sync",
                    "The host waits for a stream, an event or the whole device, and queues nothing meanwhile.",
                    lesson::kRunAhead},
    SaidExplanation{"kind:loader", "Work of the loader: a batch is produced, pinned or handed on.",
                    lesson::kThreeStages},
    SaidExplanation{"kind:loader wait", "Part of the loader waits: for a batch, an index, or room in a queue.",
                    lesson::kWorkers},
    SaidExplanation{"kind:annotation", "A range that the program named (NVTX, record_function).", lesson::kThreeStages},
    SaidExplanation{"kind:step", "One training step, from its mark to the next.", lesson::kThreeStages},
    SaidExplanation{"kind:overhead",
                    "The profiler's own time; without it the program would have been that much faster.",
                    lesson::kRunAhead},
    SaidExplanation{"kind:instant", "A point in time that somebody marked.", lesson::kThreeStages},
    SaidExplanation{"kind:program frame", "A function of the program itself, on a sampled stack.",
                    lesson::kThreeStages},
    SaidExplanation{"kind:library frame", "A function of a library, a package or Python, on a sampled stack.",
                    lesson::kThreeStages},

    SaidExplanation{"cause:copies", "A copy to the device runs while no kernel does: the part that is not hidden.",
                    lesson::kSideStream},
    SaidExplanation{
        "cause:staging",
        "The GPU has nothing to do while the host is held in, or just behind, a call that stages or waits for a "
        "copy.",
        lesson::kWhyPinned},
    SaidExplanation{"cause:read_back", "A copy back to the host runs while no kernel does.", lesson::kReadBack},
    SaidExplanation{"cause:communication",
                    "Data moves between GPUs, by NCCL or by copies, and no kernel computes meanwhile.",
                    lesson::kThreeStages},
    SaidExplanation{"cause:migration", "Managed memory moves page by page, and no kernel computes.",
                    lesson::kTwoCopies},
    SaidExplanation{"cause:in_graph",
                    "The GPU is idle between two kernels of one CUDA graph, which was launched as a whole.",
                    lesson::kSmall},
    SaidExplanation{"cause:other_work", "Copies within the GPU, or memsets, run alone.", lesson::kDuplex},
    SaidExplanation{"cause:swap", "The GPU has nothing to do while the machine moves pages to or from swap.",
                    lesson::kPressure},
    SaidExplanation{"cause:dependency",
                    "The next work was asked for in time, and waits for its stream, an event or the GPU itself.",
                    lesson::kSideStream},
    SaidExplanation{"cause:batches", "The training thread waits for the loader, and with it the GPU.",
                    lesson::kWorkers},
    SaidExplanation{
        "cause:making_batches",
        "Without workers the training thread reads and transforms each batch itself, and launches nothing meanwhile.",
        lesson::kWorkers},
    SaidExplanation{
        "cause:pinning",
        "The training thread page-locks memory, or copies a batch into such memory, and launches nothing meanwhile.",
        lesson::kPinThenCopy},
    SaidExplanation{
        "cause:sync",
        "The host waited until the GPU had nothing left to do; the GPU is idle for as long as that put the host "
        "behind.",
        lesson::kRunAhead},
    SaidExplanation{"cause:launch_bound", "Kernels are so short that each ends before the next launch arrives.",
                    lesson::kSmall},
    SaidExplanation{"cause:host", "The thread that launches works on other things, and nothing is queued on the GPU.",
                    lesson::kRunAhead},
    SaidExplanation{
        "cause:host_between",
        "The thread that launches is between two events of the trace, in code that the trace does not show.",
        lesson::kRunAhead},
    SaidExplanation{"cause:ends", "Before the first and after the last work of the GPU.", lesson::kThreeStages},
    SaidExplanation{"cause:unknown", "No record says what the host did meanwhile.", lesson::kRunAhead},
};

}  // namespace

std::span<const SaidExplanation> saidOutright()
{
    return kSaid;
}

}  // namespace overlane
