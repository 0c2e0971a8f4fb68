#include "core/recorder/perf_ring.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include "core/recorder/perf_record.h"

namespace overlane
{
namespace
{

// Memory of a ring counts as locked, of which a user may have little: the largest that is granted.
constexpr std::array<std::size_t, 3> kRingBytes = {128u << 10, 64u << 10, 32u << 10};

std::size_t pageBytes()
{
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

bool isRefused(int error)
{
    return error == EACCES || error == EPERM;
}

perf_event_attr attributesFor(std::int64_t periodNs)
{
    perf_event_attr attributes = {};
    attributes.size = sizeof(attributes);
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_TASK_CLOCK;
    attributes.sample_period = static_cast<std::uint64_t>(periodNs);
    attributes.sample_type = kPerfSampleType;
    attributes.sample_regs_user = kPerfRegisters;
    attributes.sample_stack_user = static_cast<std::uint32_t>(kStackDumpBytes);
    attributes.exclude_hv = 1;
    attributes.use_clockid = 1;
    attributes.clockid = CLOCK_MONOTONIC;
    return attributes;
}

}  // namespace

int openPerfEvent(perf_event_attr& attributes, pid_t thread)
{
    return static_cast<int>(syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::optional<PerfRing> PerfRing::open(pid_t thread, std::int64_t periodNs, const OpenPerfEvent& opener, int& error)
{
    perf_event_attr attributes = attributesFor(periodNs);
    // Time in the kernel is that of the function which asked for it; not everybody may look at a thread there.
    Descriptor event(opener(attributes, thread));
    if (!event.valid() && isRefused(errno)) {
        attributes.exclude_kernel = 1;
        event = Descriptor(opener(attributes, thread));
    }
    if (!event.valid()) {
        error = errno;
        return std::nullopt;
    }
    for (const std::size_t bytes : kRingBytes) {
        void* ring = ::mmap(nullptr, pageBytes() + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event.get(), 0);
        if (ring != MAP_FAILED)
            return PerfRing(std::move(event), ring, bytes);
        error = errno == EPERM ? ENOMEM : errno;
    }
    return std::nullopt;
}

PerfRing::PerfRing(Descriptor event, void* ring, std::size_t bytes)
    : m_event(std::move(event)), m_ring(ring), m_bytes(bytes)
{
}

PerfRing::PerfRing(PerfRing&& other) noexcept
    : m_event(std::move(other.m_event)),
      m_ring(std::exchange(other.m_ring, nullptr)),
      m_bytes(other.m_bytes),
      m_record(std::move(other.m_record))
{
}

PerfRing::~PerfRing()
{
    if (m_ring != nullptr)
        ::munmap(m_ring, pageBytes() + m_bytes);
}

bool PerfRing::empty() const
{
    auto* page = static_cast<perf_event_mmap_page*>(m_ring);
    return std::atomic_ref(page->data_head).load(std::memory_order_acquire) == page->data_tail;
}

void PerfRing::copy(std::uint64_t from, std::span<std::byte> to) const
{
    const std::byte* records = static_cast<const std::byte*>(m_ring) + pageBytes();
    const auto start = static_cast<std::size_t>(from % m_bytes);
    const std::size_t first = std::min(to.size(), m_bytes - start);
    std::memcpy(to.data(), records + start, first);
    std::memcpy(to.data() + first, records, to.size() - first);
}

std::span<const std::byte> PerfRing::take()
{
    auto* page = static_cast<perf_event_mmap_page*>(m_ring);
    const std::uint64_t head = std::atomic_ref(page->data_head).load(std::memory_order_acquire);
    const std::uint64_t tail = page->data_tail;
    perf_event_header header = {};
    if (head - tail < sizeof(header))
        return {};
    copy(tail, std::as_writable_bytes(std::span(&header, 1)));
    // A size that cannot be: everything is taken off, and the kernel begins again behind it.
    const bool fits = header.size >= sizeof(header) && header.size <= head - tail;
    m_record.resize(fits ? header.size : 0);
    copy(tail, m_record);
    std::atomic_ref(page->data_tail).store(fits ? tail + header.size : head, std::memory_order_release);
    return m_record;
}

}  // namespace overlane
