#include "core/devices/probes.h"

namespace overlane
{

std::span<const ProbeInfo> allProbes()
{
    using enum ProbeUnit;
    static constexpr ProbeInfo kProbes[] = {
        {"malloc", "malloc", Time, "the call of malloc; blocks above 32 MiB come fresh from the system"},
        {"first_touch", "first touch", Time, "one byte written to each 4 KiB of memory fresh from mmap, one thread"},
        {"give_back", "free", Time, "munmap of private memory all of whose pages were touched"},
        {"shared_touch", "first touch, shared", Time,
         "one byte written to each 4 KiB of fresh shared memory, as workers hand over batches in"},
        {"shared_give_back", "free, shared", Time, "munmap of shared memory all of whose pages were touched"},
        {"host_alloc", "cudaHostAlloc", Time, "the call of cudaHostAlloc"},
        {"host_alloc_touch", "first touch, pinned", Time,
         "one byte written to each 4 KiB of memory fresh from cudaHostAlloc"},
        {"host_free", "cudaFreeHost", Time, "the call of cudaFreeHost"},
        {"host_register", "cudaHostRegister", Time, "the call of cudaHostRegister on touched memory from mmap"},
        {"host_unregister", "cudaHostUnregister", Time, "the call of cudaHostUnregister"},
        {"pool", "from a pool", Time,
         "a pinned block taken from a list of free ones and put back, with one query and one record of an event, as "
         "PyTorch's host allocator does"},

        {"copy_call", "call", Time, "the call of cudaMemcpyAsync alone"},
        {"copy_total", "until done", Time, "from the call of cudaMemcpyAsync to the return of cudaStreamSynchronize"},
        {"copy_event", "rate", Rate, "between two events around the copy, on the GPU's clock"},
        {"copy_train", "per copy of 32 in a row", Time,
         "32 pinned copies queued behind a kernel, between two events around all, divided by 32"},
        {"both_directions", "both directions at once", Rate,
         "a pinned copy each way at once on two streams, from the start of the first to the end of the last; bytes of "
         "both"},
        {"two_streams", "two streams, one direction", Rate,
         "two pinned copies to the device on two streams, from the start of the first to the end of the last; bytes of "
         "both"},
        {"inline_copy", "returns before earlier work", Count,
         "1 where a pageable copy queued behind a kernel of 3 ms returned before that kernel ended, else 0"},
        {"device_copy", "within the device", Rate,
         "a copy within device memory, between two events; bytes read and written"},

        {"launch_call", "kernel launch", Time, "the call of a kernel launch while the GPU has work"},
        {"event_record", "event record", Time, "the call of cudaEventRecord while the GPU has work"},
        {"stream_wait", "stream wait", Time, "the call of cudaStreamWaitEvent while the GPU has work"},
        {"idle_sync", "wait for nothing", Time, "the call of cudaStreamSynchronize on an idle stream"},
        {"round_trip", "launch and wait", Time,
         "from the end of a launch to the return of the wait for it, less the kernel's own time"},
        {"dependency", "copy then kernel", Time,
         "32 pairs of a pinned copy and a kernel of 100 us in one stream, less what the copies and the kernels take by "
         "themselves, for one change from the one to the other"},
        {"run_ahead", "launches until one blocks", Count,
         "launches behind a kernel of 40 ms that returned within 1 ms"},
        {"concurrent_kernels", "kernels at the same time", Count,
         "kernels of one block and 2 ms on 64 streams: their time one after the other by the time of all"},
        {"kernel_alone", "memory-bound kernel", Time, "a memory-bound kernel of about 5 ms on an idle device"},
        {"kernel_beside_copies", "the same with copies", Time, "the same while pinned copies to the device run"},
        {"copy_beside_kernels", "copies with kernels", Rate, "pinned copies while memory-bound kernels run"},
        {"matrix_products", "matrix products", Count,
         "floating-point operations per second of products of half precision that stay in registers"},

        {"memcpy", "memcpy, in main memory", Rate,
         "memcpy between touched blocks that are in no cache; each thread its own blocks"},
        {"memcpy_warm", "memcpy, source in the cache", Rate,
         "memcpy of what another thread has just written into a pinned block that is in no cache"},
        {"write", "write", Rate, "a block of touched memory filled with the pattern of a batch by one thread"},
        {"fresh_pages", "first touch by threads", Rate, "threads that each touch fresh private memory of their own"},
        {"hand_over", "hand-over between threads", Time,
         "from before a value is put into a queue to the return of another thread's wait for it"},
        {"node_memcpy", "memcpy between nodes", Rate,
         "memcpy by a thread of one NUMA node in memory of another (variant: processor node, memory node)"},
        {"node_copy", "copy from a node", Rate, "a pinned copy of 64 MiB to the device from memory of a NUMA node"},
    };
    return kProbes;
}

const ProbeInfo* findProbe(std::string_view key)
{
    for (const ProbeInfo& probe : allProbes())
        if (probe.key == key)
            return &probe;
    return nullptr;
}

}  // namespace overlane
