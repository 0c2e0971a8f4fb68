// PerfRing: looks of the kernel at one thread, a look for every so many nanoseconds of its processor time, with
// registers and stack, in a ring that the kernel fills while the thread runs on.
//
// Owns the descriptor and the mapped ring; both outlive the thread, so that what was seen last can still be read.
// The program is never stopped. Times of looks are CLOCK_MONOTONIC. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <sys/types.h>
#include <vector>

#include "core/base/descriptor.h"

struct perf_event_attr;

namespace overlane
{

constexpr std::size_t kStackDumpBytes = 16u << 10;

// perf_event_open(2) of a thread on any processor, or what stands for it: a descriptor, or -1 with errno.
using OpenPerfEvent = std::function<int(perf_event_attr&, pid_t thread)>;
int openPerfEvent(perf_event_attr& attributes, pid_t thread);

class PerfRing
{
public:
    // None where the system refuses, with its errno in `error`: ESRCH for a thread that is gone, ENOMEM where no more
    // memory may be locked.
    static std::optional<PerfRing> open(pid_t thread, std::int64_t periodNs, const OpenPerfEvent& opener, int& error);
    PerfRing(PerfRing&& other) noexcept;
    PerfRing& operator=(PerfRing&&) = delete;
    ~PerfRing();

    bool empty() const;
    // Takes the oldest record off; empty where there is none. Valid until the next call.
    std::span<const std::byte> take();
    int descriptor() const { return m_event.get(); }

private:
    PerfRing(Descriptor event, void* ring, std::size_t bytes);
    void copy(std::uint64_t from, std::span<std::byte> to) const;

    Descriptor m_event;
    void* m_ring = nullptr;   // a page of the kernel's, then the records
    std::size_t m_bytes = 0;  // of the records
    std::vector<std::byte> m_record;
};

}  // namespace overlane
