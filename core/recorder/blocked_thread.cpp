#include "core/recorder/blocked_thread.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fcntl.h>
#include <string>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/recorder/perf_ring.h"

namespace overlane
{
namespace
{

struct KernelCall {
    std::int64_t number;
    std::string_view name;
};
// Calls in which programs wait. Each architecture lacks some that newer ones replace.
constexpr KernelCall kCalls[] = {
    {SYS_read, "kernel read"},
    {SYS_pread64, "kernel pread"},
    {SYS_readv, "kernel readv"},
    {SYS_preadv, "kernel preadv"},
    {SYS_write, "kernel write"},
    {SYS_pwrite64, "kernel pwrite"},
    {SYS_writev, "kernel writev"},
    {SYS_ioctl, "kernel ioctl"},
    {SYS_futex, "kernel futex"},
    {SYS_nanosleep, "kernel nanosleep"},
    {SYS_clock_nanosleep, "kernel nanosleep"},
    {SYS_wait4, "kernel wait"},
    {SYS_waitid, "kernel wait"},
    {SYS_ppoll, "kernel poll"},
    {SYS_pselect6, "kernel select"},
    {SYS_epoll_pwait, "kernel epoll_wait"},
    {SYS_recvfrom, "kernel recv"},
    {SYS_recvmsg, "kernel recv"},
    {SYS_sendto, "kernel send"},
    {SYS_sendmsg, "kernel send"},
    {SYS_accept, "kernel accept"},
    {SYS_accept4, "kernel accept"},
    {SYS_connect, "kernel connect"},
    {SYS_fsync, "kernel fsync"},
    {SYS_fdatasync, "kernel fsync"},
    {SYS_openat, "kernel open"},
    {SYS_io_getevents, "kernel io_getevents"},
    {SYS_madvise, "kernel madvise"},
    {SYS_munmap, "kernel munmap"},
    {SYS_mmap, "kernel mmap"},
    {SYS_rt_sigtimedwait, "kernel sigwait"},
    {SYS_restart_syscall, "kernel nanosleep"},
#ifdef SYS_poll
    {SYS_poll, "kernel poll"},
    {SYS_select, "kernel select"},
    {SYS_epoll_wait, "kernel epoll_wait"},
    {SYS_open, "kernel open"},
#endif
    {-1, "kernel page fault"},
};

// The numbers in "202 0x7f00 0x80 0x0 0x0 0x0 0x0 0x7ffc 0x7f01" and in "-1 0x7ffc 0x7f01".
std::vector<std::uint64_t> numbersIn(std::string_view text)
{
    std::vector<std::uint64_t> numbers;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
        std::string_view word = text.substr(at, end - at);
        const bool isHexadecimal = word.starts_with("0x");
        word.remove_prefix(isHexadecimal ? 2 : 0);
        std::uint64_t number = 0;
        if (!word.empty() &&
            std::from_chars(word.data(), word.data() + word.size(), number, isHexadecimal ? 16 : 10).ec == std::errc())
            numbers.push_back(number);
        at = end + 1;
    }
    return numbers;
}

}  // namespace

std::string_view kernelCallName(std::int64_t call)
{
    const auto* const known =
        std::find_if(std::begin(kCalls), std::end(kCalls), [&](const KernelCall& each) { return each.number == call; });
    return known == std::end(kCalls) ? "kernel call" : known->name;
}

BlockedThread::BlockedThread(pid_t process, pid_t thread)
    : m_process(process),
      m_thread(thread),
      m_file(::open(("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/syscall").c_str(),
                    O_RDONLY | O_CLOEXEC))
{
}

BlockedThread::State BlockedThread::look()
{
    std::array<char, 256> text{};
    const ssize_t got = m_file.valid() ? ::pread(m_file.get(), text.data(), text.size(), 0) : -1;
    if (got <= 0)
        return State::Unknown;
    const std::string_view line(text.data(), static_cast<std::size_t>(got));
    if (std::isdigit(static_cast<unsigned char>(line.front())) == 0 && line.front() != '-')
        return State::Runs;
    const std::vector<std::uint64_t> numbers = numbersIn(line);
    const bool isCall = line.front() != '-';
    if (numbers.size() < 2)
        return State::Unknown;
    m_place = {isCall ? static_cast<std::int64_t>(numbers.front()) : -1, numbers[numbers.size() - 2], numbers.back()};
    return State::Blocked;
}

StackDump BlockedThread::dump(std::int64_t timeNs)
{
    m_stack.resize(kStackDumpBytes);
    const iovec into = {m_stack.data(), m_stack.size()};
    // A page each: of a stack that ends before, what there is.
    constexpr std::size_t kPageBytes = 4096;
    std::array<iovec, kStackDumpBytes / kPageBytes + 1> pages{};
    std::uint64_t at = m_place.stackAt;
    for (iovec& page : pages) {
        const std::uint64_t next = (at / kPageBytes + 1) * kPageBytes;
        // An address of another process.
        page = {reinterpret_cast<void*>(at), static_cast<std::size_t>(next - at)};  // NOLINT(performance-no-int-to-ptr)
        at = next;
    }
    const ssize_t got = ::process_vm_readv(m_process, &into, 1, pages.data(), pages.size(), 0);
    StackDump dump;
    dump.timeNs = timeNs;
    dump.thread = static_cast<std::uint32_t>(m_thread);
    dump.pc = m_place.pc;
    dump.registers[kStackPointer] = m_place.stackAt;
    dump.stack = std::span(m_stack).first(got > 0 ? static_cast<std::size_t>(got) : 0);
    return dump;
}

}  // namespace overlane
