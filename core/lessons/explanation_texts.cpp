#include "core/lessons/explanation_texts.h"

#include <array>

namespace overlane
{
namespace
{

// The actors of a loader by their role; gauges by how their names begin; kinds of events.
constexpr std::array kSaid{
    SaidExplanation{"lane:worker",
                    "A loader worker: it reads and transforms samples into a batch while the others and the GPU go on.",
                    "workers_and_prefetch"},
    SaidExplanation{
        "lane:pin thread",
        "The loader's one pin thread: it copies each finished batch into pinned memory, so that the training "
        "thread need not.",
        "pin_then_copy"},
    SaidExplanation{
        "lane:training thread",
        "The training thread: it takes batches, issues copies and launches kernels. Where it waits, nothing new "
        "reaches the GPU.",
        "three_stages"},

    SaidExplanation{"gauge:Pinned memory",
                    "Pinned memory in use: it cannot be swapped or moved, so what is pinned is missing elsewhere.",
                    "what_pinning_costs"},
    SaidExplanation{"gauge:Device memory, all programs",
                    "All memory in use on the GPU: of every program, with its kernels' code and its context.",
                    "three_stages"},
    SaidExplanation{
        "gauge:Device memory",
        "Memory that the program allocated on the GPU. A framework that keeps freed memory keeps it here, too.",
        "three_stages"},
    SaidExplanation{"gauge:Managed memory", "Unified memory, which moves between host and GPU as either touches it.",
                    "two_copies"},
    SaidExplanation{"gauge:Process memory", "What the process holds in RAM.", "memory_pressure"},
    SaidExplanation{"gauge:Available RAM",
                    "What the system could still hand out without swapping; near zero, everything slows down.",
                    "memory_pressure"},
    SaidExplanation{"gauge:Swap used", "Memory that was moved to the drive because RAM ran out.", "memory_pressure"},
    SaidExplanation{"gauge:Swap traffic", "Pages that move to or from the drive: while they do, who needs them waits.",
                    "memory_pressure"},
    SaidExplanation{"gauge:Memory pressure", "Share of time in which some task waits for memory (PSI).",
                    "memory_pressure"},
    SaidExplanation{"gauge:Major faults", "Pages that were read from the drive because they were not in RAM.",
                    "memory_pressure"},
    SaidExplanation{"gauge:Link traffic", "Bytes over the link to the GPU, in one direction.", "both_directions"},
    SaidExplanation{"gauge:GPU utilisation",
                    "Share of time in which some kernel ran; it says nothing of how full the GPU was.",
                    "compute_bound"},
    SaidExplanation{"gauge:Page cache", "Files kept in RAM: pinned memory and batches in flight take its place.",
                    "memory_pressure"},
    SaidExplanation{"gauge:Other programs", "RAM that other programs hold.", "memory_pressure"},
    SaidExplanation{"gauge:Shared memory", "Memory through which workers hand batches to the training process.",
                    "two_copies"},
    SaidExplanation{"gauge:other", "A figure that the program or its tools counted: how full a queue is, for one.",
                    "workers_and_prefetch"},

    SaidExplanation{"kind:host work", "Work of a thread: an operator, a Python frame, reading or transforming data.",
                    "run_ahead"},
    SaidExplanation{"kind:host blocked",
                    "The host is blocked: a pageable copy is staged, a lock or a queue is waited for.", "why_pinned"},
    SaidExplanation{"kind:runtime call",
                    "A CUDA or HIP call. An asynchronous one returns in microseconds, long before its work runs.",
                    "run_ahead"},
    SaidExplanation{"kind:copy H2D", "A copy from host to device; the pattern shows the kind of memory on the host.",
                    "why_pinned"},
    SaidExplanation{"kind:copy D2H", "A copy from device to host; the bytes may be read only once it has ended.",
                    "reading_too_early"},
    SaidExplanation{"kind:copy D2D", "A copy within a GPU or between two.", "both_directions"},
    SaidExplanation{"kind:copy other", "A copy between places on the host, or managed memory that moves.",
                    "two_copies"},
    SaidExplanation{"kind:kernel",
                    "A kernel: what the GPU is there for. Copies are free as long as they lie under kernels.",
                    "three_stages"},
    SaidExplanation{"kind:memset", "Memory on the device that is filled with a value.", "three_stages"},
    SaidExplanation{"kind:sync", "The host waits for a stream, an event or the whole device, and queues nothing then.",
                    "run_ahead"},
    SaidExplanation{"kind:loader", "Work of the loader: a batch is produced, pinned or handed on.", "three_stages"},
    SaidExplanation{"kind:loader wait", "Part of the loader waits: for a batch, an index, or room in a queue.",
                    "workers_and_prefetch"},
    SaidExplanation{"kind:annotation", "A range that the program named (NVTX, record_function).", "three_stages"},
    SaidExplanation{"kind:step", "One training step, from its mark to the next.", "three_stages"},
    SaidExplanation{"kind:overhead",
                    "The profiler's own time; without it the program would have been that much faster.", "run_ahead"},
    SaidExplanation{"kind:instant", "A marked point in time.", "three_stages"},
    SaidExplanation{"kind:program frame", "A function of the program itself, on a sampled stack.", "three_stages"},
    SaidExplanation{"kind:library frame", "A function of a library, a package or Python, on a sampled stack.",
                    "three_stages"},
};

}  // namespace

std::span<const SaidExplanation> saidOutright()
{
    return kSaid;
}

}  // namespace overlane
