#include "core/loader/presets.h"

#include <utility>
#include <vector>

namespace overlane
{
namespace
{

Preset preset(std::string_view key, std::string_view name, std::string_view hint, std::string_view device,
              Scenario scenario)
{
    scenario.name = name;
    return {key, name, hint, device, std::move(scenario)};
}

Scenario pinned(PinStrategy pin, bool nonBlocking, CopyStream stream)
{
    Scenario scenario;
    scenario.pin = pin;
    scenario.nonBlocking = nonBlocking;
    scenario.copyStream = stream;
    return scenario;
}

std::vector<Preset> makePresets()
{
    std::vector<Preset> presets;
    presets.push_back(preset("pageable_blocking", "pageable, blocking",
                             "Every copy stops the training thread while the driver stages it, and the GPU computes "
                             "nothing then; turn pinned memory to 'thread', then non_blocking on.",
                             "h200", {}));

    presets.push_back(preset("pageable_non_blocking", "pageable, non_blocking",
                             "non_blocking=True alone changes little: a pageable copy is still staged while the host "
                             "waits; it needs pinned memory to return at once.",
                             "h200", pinned(PinStrategy::None, true, CopyStream::Compute)));

    presets.push_back(preset("pinned_blocking", "pinned, blocking",
                             "The copy itself is now several times faster, but the host still waits for each one; turn "
                             "non_blocking on.",
                             "h200", pinned(PinStrategy::Thread, false, CopyStream::Compute)));

    presets.push_back(preset("pinned_same_stream", "pinned, non_blocking, same stream",
                             "The host is free, yet copy and kernel share a stream and run one after the other; move "
                             "the copy to a side stream.",
                             "h200", pinned(PinStrategy::Thread, true, CopyStream::Compute)));

    presets.push_back(preset("pinned_side_stream", "pinned, side stream",
                             "The copies hide behind the kernels: pinned, asynchronous, a stream of their own and two "
                             "buffers on the device; set device_buffers to 1 and watch the overlap go.",
                             "h200", pinned(PinStrategy::Thread, true, CopyStream::Side)));

    Scenario computeBound = pinned(PinStrategy::Thread, true, CopyStream::Side);
    computeBound.computeUs = 15'000;
    presets.push_back(preset("compute_bound", "compute bound",
                             "The kernels are longer than everything else, so faster loading gains nothing; lower the "
                             "compute time until another lane becomes the longest.",
                             "h200", computeBound));

    Scenario starved = pinned(PinStrategy::Thread, true, CopyStream::Side);
    starved.workers = 2;
    starved.readUs = 150;
    starved.transformUs = 600;
    starved.produceUs = 0;
    presets.push_back(preset("loader_starved", "starved by slow workers",
                             "Two workers that decode 64 samples a batch cannot keep up, and the GPU idles: copies are "
                             "not the problem; add workers until the wait for batches is gone.",
                             "h200", starved));

    Scenario crowded = pinned(PinStrategy::Thread, true, CopyStream::Side);
    crowded.batchBytes = 16ll << 20;
    crowded.workers = 16;
    crowded.cores = 4;
    crowded.readUs = 100;
    crowded.transformUs = 500;
    crowded.produceUs = 0;
    crowded.computeUs = 6000;
    presets.push_back(preset("too_many_workers", "too many workers for the cores",
                             "Sixteen workers share four cores, so that each batch takes four times as long and memory "
                             "for it all the same: lower workers to 4, which is as fast, then raise cores.",
                             "h200", crowded));

    Scenario pinsItself = pinned(PinStrategy::Consumer, true, CopyStream::Side);
    pinsItself.syncEveryStep = true;
    presets.push_back(preset("pin_in_training_thread", "pin in the training thread",
                             "Calling pin_memory() just before the copy puts the memcpy into pinned memory on the "
                             "training thread, and with a sync after each step nothing hides it; let the loader's pin "
                             "thread do it.",
                             "h200", pinsItself));

    Scenario laptop = pinned(PinStrategy::Thread, true, CopyStream::Side);
    laptop.batches = 96;
    laptop.batchBytes = 256ll << 20;
    laptop.workers = 8;
    laptop.prefetchFactor = 6;
    laptop.produceUs = 250'000;
    laptop.computeUs = 150'000;
    presets.push_back(preset("laptop_swaps", "16 GB laptop that swaps",
                             "Eight workers with six large batches each do not fit next to pinned pages in 16 GB: the "
                             "page cache goes first, then memory is swapped; lower the prefetch factor.",
                             "rtx3060_laptop", laptop));

    Scenario readBack = pinned(PinStrategy::Thread, true, CopyStream::Side);
    readBack.resultBytes = 16ll << 20;
    readBack.syncEveryStep = true;
    presets.push_back(preset("results_every_step", "results read back every step",
                             "Reading a result after each batch drains the queue, so the next copy starts late; "
                             "switch sync_every_step off and read the results at the end.",
                             "h200", readBack));

    Scenario readEarly = pinned(PinStrategy::Thread, true, CopyStream::Side);
    readEarly.resultBytes = 16ll << 20;
    readEarly.readResultEarly = true;
    presets.push_back(preset("read_before_sync", "result read before a sync",
                             "non_blocking copies to the host return before they have arrived, so the host reads old "
                             "bytes: a fast run with wrong results; switch read_result_early off and compare.",
                             "h200", readEarly));

    Scenario farNode = pinned(PinStrategy::Ring, true, CopyStream::Side);
    farNode.batchBytes = 256ll << 20;
    farNode.workers = 16;
    farNode.produceUs = 60'000;
    farNode.gpuNode = 1;
    presets.push_back(preset("far_numa_node", "GPU on the other socket",
                             "The process runs on one socket and the GPU is on the other, so every copy crosses the "
                             "link between them; set main_node and worker_node to 1, as numactl would.",
                             "a100_pcie4", farNode));

    // The pin thread is what the step waits for, so that what its memcpy pays is what the step pays.
    Scenario sockets = pinned(PinStrategy::Thread, true, CopyStream::Side);
    sockets.batches = 128;
    sockets.workers = 8;
    sockets.produceUs = 40'000;
    sockets.computeUs = 6000;
    sockets.mainNode = 1;
    sockets.gpuNode = 1;
    presets.push_back(
        preset("workers_far", "two sockets: workers far",
               "The training process is near the GPU but its workers fill memory of the other socket, "
               "so the pin thread, which the GPU waits for, reads every batch across the link; set worker_node to 1.",
               "a100_pcie4", sockets));
    sockets.workerNode = 1;
    presets.push_back(preset("workers_near", "two sockets: workers near",
                             "Workers, pin thread and GPU share a socket, as numactl binds them: the pin thread reads "
                             "memory of its own; set gpu_node to 0 and watch the copies instead.",
                             "a100_pcie4", sockets));
    return presets;
}

}  // namespace

std::span<const Preset> allPresets()
{
    static const std::vector<Preset> presets = makePresets();
    return presets;
}

}  // namespace overlane
