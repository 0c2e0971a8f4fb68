#include "core/spool/record_control.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/spool/record_environment.h"
#include "core/spool/record_status.h"
#include "core/spool/spool_clock.h"

namespace overlane
{
namespace
{

constexpr std::uint32_t kMagic = 0x4C54564F;  // "OVTL"
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kBytes = 4096;

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(sizeof(RecordControl::Page) <= kBytes);

// The last iteration on the GPU ends behind the next one's begin on the host, which is ahead.
constexpr std::uint32_t kIterationsBehind = 2;

void raise(std::atomic<std::uint32_t>& value, std::uint32_t to)
{
    std::uint32_t known = value.load();
    while (known < to && !value.compare_exchange_weak(known, to)) {
    }
}

std::string controlPath(const char* directory)
{
    return std::string(directory) + "/" + record_environment::kControlFile;
}

}  // namespace

RecordControl::RecordControl(RecordControl&& other) noexcept : m_page(std::exchange(other.m_page, nullptr)) {}

RecordControl& RecordControl::operator=(RecordControl&& other) noexcept
{
    std::swap(m_page, other.m_page);
    return *this;
}

RecordControl::~RecordControl()
{
    if (m_page != nullptr)
        ::munmap(m_page, kBytes);
}

RecordControl RecordControl::map(int file)
{
    void* page = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    const int error = errno;
    ::close(file);
    errno = error;
    return page == MAP_FAILED ? RecordControl() : RecordControl(static_cast<Page*>(page));
}

RecordControl RecordControl::create(const char* directory)
{
    const int file = ::open(controlPath(directory).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return {};
    // Written rather than extended, so that its block is there when the disk is full.
    const std::string zeros(kBytes, '\0');
    if (::write(file, zeros.data(), kBytes) != static_cast<ssize_t>(kBytes)) {
        ::close(file);
        return {};
    }
    RecordControl control = map(file);
    if (control.valid()) {
        control.m_page->magic = kMagic;
        control.m_page->version = kVersion;
    }
    return control;
}

RecordControl RecordControl::open(const char* directory)
{
    const int file = ::open(controlPath(directory).c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0)
        return {};
    struct stat info = {};
    if (::fstat(file, &info) != 0 || info.st_size < static_cast<off_t>(kBytes)) {
        ::close(file);
        errno = EINVAL;
        return {};
    }
    RecordControl control = map(file);
    if (control.valid() && (control.m_page->magic != kMagic || control.m_page->version != kVersion)) {
        errno = EINVAL;
        return {};
    }
    return control;
}

RecordState RecordControl::state() const
{
    return static_cast<RecordState>(m_page->state.load(std::memory_order_acquire));
}

void RecordControl::setState(RecordState state)
{
    m_page->state.store(static_cast<std::uint32_t>(state), std::memory_order_release);
}

void RecordControl::setLimit(std::uint64_t bytes)
{
    m_page->limitBytes.store(bytes, std::memory_order_relaxed);
}

std::uint64_t RecordControl::bytes() const
{
    return m_page->bytes.load(std::memory_order_relaxed);
}

void RecordControl::tellWriteError(int error)
{
    std::uint32_t none = 0;
    m_page->writeError.compare_exchange_strong(none, static_cast<std::uint32_t>(error));
}

int RecordControl::writeError() const
{
    return static_cast<int>(m_page->writeError.load());
}

bool RecordControl::addBytes(std::uint64_t bytes)
{
    const std::uint64_t total = m_page->bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    const std::uint64_t limit = m_page->limitBytes.load(std::memory_order_relaxed);
    if (limit == 0 || total <= limit)
        return true;
    m_page->stopReason.store(static_cast<std::uint32_t>(RecordStatus::SizeLimit), std::memory_order_relaxed);
    if (isDivided())
        endWindow();
    else
        setState(RecordState::Stop);
    return false;
}

void RecordControl::boundIterations(std::uint32_t after, std::uint32_t wanted)
{
    m_page->iterationsAfter = after;
    m_page->iterationsWanted = wanted;
}

bool RecordControl::isBounded() const
{
    return m_page->iterationsWanted != 0;
}

void RecordControl::countIterations(std::uint32_t begun)
{
    raise(m_page->iterationsBegun, begun);
    followIterations();
}

void RecordControl::followIterations()
{
    if (isDivided()) {
        if (windowIsOver())
            endWindow();
        return;
    }
    const std::uint64_t begun = m_page->iterationsBegun;
    if (!isBounded() || begun <= m_page->iterationsAfter)
        return;
    auto state = static_cast<std::uint32_t>(RecordState::Wait);
    if (m_page->state.compare_exchange_strong(state, static_cast<std::uint32_t>(RecordState::Record)))
        raise(m_page->iterationsFrom, static_cast<std::uint32_t>(begun));
    // Where a process waited, it has begun before the end is counted.
    const bool records = m_page->processes > 0 || m_page->waited == 0;
    const std::uint64_t from = m_page->iterationsFrom;
    state = static_cast<std::uint32_t>(RecordState::Record);
    if (records && from > 0 && begun >= from + m_page->iterationsWanted + kIterationsBehind)
        m_page->state.compare_exchange_strong(state, static_cast<std::uint32_t>(RecordState::Stop));
}

void RecordControl::waits()
{
    ++m_page->waited;
}

void RecordControl::beganRecording(bool waited)
{
    if (waited && isBounded())
        raise(m_page->iterationsFrom, m_page->iterationsBegun);
    ++m_page->processes;
}

void RecordControl::cannotRecord()
{
    --m_page->waited;
}

void RecordControl::divideIntoWindows()
{
    m_page->windowed = 1;
}

bool RecordControl::isDivided() const
{
    return m_page->windowed != 0;
}

std::uint32_t RecordControl::window() const
{
    return m_page->window;
}

bool RecordControl::windowIsOver() const
{
    if (state() != RecordState::Record)
        return false;
    if (monotonicNs() >= m_page->windowUntilNs)
        return true;
    // Counted from where a process has begun to record.
    const std::uint64_t from = m_page->iterationsFrom;
    return isBounded() && m_page->processes > 0 && from > 0 &&
           m_page->iterationsBegun >= from + m_page->iterationsWanted + kIterationsBehind;
}

void RecordControl::beginWindow(std::uint32_t iterations, std::int64_t untilNs, std::uint64_t limitBytes)
{
    m_page->iterationsWanted = iterations;
    m_page->iterationsFrom = std::max<std::uint32_t>(m_page->iterationsBegun, 1);
    m_page->processes = 0;
    m_page->windowLeft = 0;
    m_page->bytes = 0;
    m_page->limitBytes = limitBytes;
    m_page->stopReason = 0;
    m_page->windowUntilNs = untilNs;
    ++m_page->window;
    setState(RecordState::Record);
}

void RecordControl::endWindow()
{
    auto state = static_cast<std::uint32_t>(RecordState::Record);
    m_page->state.compare_exchange_strong(state, static_cast<std::uint32_t>(RecordState::Wait));
}

void RecordControl::leftWindow()
{
    ++m_page->windowLeft;
}

std::string windowFolder(const std::string& directory, std::uint32_t window)
{
    return directory + "/window" + std::to_string(window);
}

}  // namespace overlane
