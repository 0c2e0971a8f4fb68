#include "cupti/collector/collector.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/spool/cupti_search.h"
#include "core/spool/spool_clock.h"
#include "core/spool/this_process.h"
#include "cupti/collector/nccl_calls.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kControlPeriodNs = 100'000'000;
constexpr std::int64_t kCountedPeriodNs = 10'000'000;  // where iterations bound the recording
constexpr std::size_t kWriteEarlyBytes = 4u << 20;
constexpr int kSecondsToEnd = 5;
constexpr std::size_t kLongestCommand = 4096;

std::string readCommandLine()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string text(kLongestCommand, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    while (!text.empty() && text.back() == '\0')
        text.pop_back();
    for (char& character : text)
        if (character == '\0')
            character = ' ';
    return text;
}

std::string readProgramName()
{
    std::string path(kLongestCommand, '\0');
    const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
    path.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    return path.substr(path.rfind('/') + 1);
}

}  // namespace

Collector::Collector(CollectorOptions options) : m_options(std::move(options)) {}

void Collector::attach()
{
    m_pid = ::getpid();
    m_control = RecordControl::open(m_options.spoolDirectory.c_str());
    const std::string& folder = m_options.spoolDirectory;
    if (!m_writer.open(hasWindows() ? windowFolder(folder, 0) : folder, static_cast<std::uint32_t>(m_pid),
                       monotonicNs())) {
        tellWriteError(m_writer.error());
        return;
    }
    const bool found = m_cupti.load(cuptiCandidates(searchHere(m_gpus.driverMajor())));
    describeProcess();
    if (!found) {
        if (m_cupti.missing().empty())
            say(RecordStatus::NoCupti, 0, m_cupti.error());
        else
            say(RecordStatus::CuptiTooOld, 0, m_cupti.missing());
        m_over = true;
    } else if (hasWindows()) {
        awaitStart();
    } else {
        makeDecoder();
        if (!m_control.valid() || m_control.state() == RecordState::Record) {
            startRecording();
        } else if (m_control.state() == RecordState::Wait) {
            awaitStart();
            enableCallsAhead();
        }
    }
    write();
    if (m_over)
        return letGo();
    if (hasWindows())
        m_writer.abandon();

    // The thread takes no signal of the program's.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&m_thread, nullptr, threadMain, this);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    m_threadRuns = error == 0;
    if (m_threadRuns)
        return;
    if (m_recording)
        stopRecording();
    say(RecordStatus::NoThread, error);
    write();
    letGo();
}

void Collector::awaitStart()
{
    m_waited = true;
    m_control.waits();
    say(RecordStatus::Waiting);
}

void Collector::makeDecoder()
{
    m_decoder = std::make_unique<ActivityDecoder>(
        m_writer,
        [this](CallDomain domain, std::uint32_t number) {
            const char* name = nullptr;
            const auto callbackDomain =
                domain == CallDomain::Driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
            return m_cupti.cuptiGetCallbackName(callbackDomain, number, &name) == CUPTI_SUCCESS ? name : nullptr;
        },
        m_cupti.version());
}

void Collector::describeProcess()
{
    spool::ProcessStart start = thisProcess(monotonicNs());
    start.program = m_writer.intern(readProgramName());
    start.command = m_writer.intern(readCommandLine());
    start.cuptiVersion = m_cupti.version();
    start.kinds = m_options.kinds.bits();
    m_writer.add(start);
}

void Collector::say(RecordStatus status, std::int32_t detail, const std::string& text)
{
    m_writer.add(spool::Status{monotonicNs(), static_cast<std::uint32_t>(status), detail,
                               text.empty() ? spool::kNone : m_writer.intern(text), 0});
}

ActivityBuffers::Buffer Collector::requested()
{
    return m_gone.load(std::memory_order_relaxed) ? ActivityBuffers::Buffer() : m_buffers.request();
}

void Collector::completed(std::uint8_t* data, std::size_t size, std::size_t valid)
{
    if (m_gone.load(std::memory_order_relaxed) || data == nullptr)
        return;
    m_buffers.complete(data, size, valid);
    {
        const std::lock_guard lock(m_mutex);
        m_hasWork = true;
    }
    m_wake.notify_one();
}

void Collector::finish()
{
    if (m_gone.load() || !m_threadRuns || ::getpid() != m_pid)
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_wake.notify_one();
    timespec until = {};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += kSecondsToEnd;
    pthread_timedjoin_np(m_thread, nullptr, &until);
}

void Collector::forget()
{
    m_gone = true;
}

void* Collector::threadMain(void* self)
{
    pthread_setname_np(pthread_self(), "overlane");
    auto* collector = static_cast<Collector*>(self);
    try {
        collector->run();
    } catch (...) {
        // Out of memory: the program may need what is left more than the recording does.
        collector->tellWriteError(ENOMEM);
    }
    collector->letGo();
    return nullptr;
}

void Collector::run()
{
    if (m_decoder)
        m_decoder->setOwnThread(static_cast<std::uint32_t>(::syscall(SYS_gettid)));
    m_lastFlushNs = monotonicNs();
    for (;;) {
        wait();
        bool ending = false;
        {
            const std::lock_guard lock(m_mutex);
            ending = m_ending;
            m_hasWork = false;
        }
        drain();
        if (m_writer.pendingBytes() > kWriteEarlyBytes)
            write();
        checkControl();
        if (m_recording)
            sampleKernels(false);
        if (m_recording && m_peerCopies == PeerCopies::NotYet)
            watchPeerCopies();
        if (ending) {
            flushCycle(true);
            if (m_recording && hasWindows())
                m_control.leftWindow();
            return;
        }
        if (m_over || monotonicNs() - m_lastFlushNs >= m_options.flushPeriodNs)
            flushCycle(false);
        if (m_over)
            return;
    }
}

// Nothing more will be recorded: the program has its memory back.
void Collector::letGo()
{
    m_buffers.close();
    m_decoder.reset();
    m_writer.abandon();
}

void Collector::wait()
{
    const std::int64_t nowNs = monotonicNs();
    const bool counted = m_control.valid() && m_control.isBounded() && (m_recording || !hasWindows());
    const std::int64_t periodNs = counted ? kCountedPeriodNs : kControlPeriodNs;
    std::int64_t untilNs = std::min(nowNs + periodNs, m_lastFlushNs + m_options.flushPeriodNs);
    if (m_recording && m_options.kinds.has(RecordKind::KernelSample))
        untilNs = std::min(untilNs, m_windows.nextChangeNs(nowNs));
    std::unique_lock lock(m_mutex);
    m_wake.wait_for(lock, std::chrono::nanoseconds(std::max<std::int64_t>(untilNs - nowNs, 0)),
                    [this] { return m_hasWork || m_ending; });
}

void Collector::drain()
{
    for (;;) {
        const ActivityBuffers::Buffer buffer = m_buffers.take();
        takeCollectives();  // of the kernels in this buffer at the latest
        if (buffer.data == nullptr)
            return;
        CUpti_Activity* record = nullptr;
        while (m_decoder && buffer.valid > 0 && m_writer.error() == 0 &&
               m_cupti.cuptiActivityGetNextRecord(buffer.data, buffer.valid, &record) == CUPTI_SUCCESS)
            m_decoder->decode(*record);
        m_decodedBytes += buffer.valid;
        m_buffers.recycle(buffer);
        m_buffers.prepare();
        std::size_t dropped = 0;
        if (!m_taken && m_cupti.cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS)
            m_dropped += dropped;
        if (m_writer.pendingBytes() > kWriteEarlyBytes)
            write();
    }
}

void Collector::takeCollectives()
{
    if (NcclCalls* calls = NcclCalls::ofProcess())
        for (const spool::Collective& call : calls->take())
            m_writer.add(call);
}

void Collector::checkControl()
{
    if (!m_control.valid() || m_over)
        return;
    m_control.followIterations();
    if (hasWindows())
        return followWindows();
    switch (m_control.state()) {
        case RecordState::Wait:
            return;
        case RecordState::Record:
            if (!m_recording)
                startRecording();
            return;
        case RecordState::Stop:
            if (m_recording)
                stopRecording();
            else
                disableCalls();
            m_over = true;
            say(m_control.page()->stopReason == static_cast<std::uint32_t>(RecordStatus::SizeLimit)
                    ? RecordStatus::SizeLimit
                    : RecordStatus::Stopped);
            return;
    }
}

void Collector::flushCycle(bool last)
{
    const std::int64_t nowNs = monotonicNs();
    const double seconds = static_cast<double>(nowNs - m_lastFlushNs) * 1e-9;
    m_lastFlushNs = nowNs;
    if (m_recording) {
        if (!m_devicesWritten)
            m_devicesWritten = m_gpus.write(m_writer);
        watchPeerCopies();
        const bool probes = m_canProbe && m_devicesWritten;
        if (probes)
            m_gpus.callDriver();
        m_cupti.cuptiActivityFlushAll(0);
        drain();
        if (probes)
            checkRecordsCome();
        // At the end everything is handed over, unless the buffers are somebody else's by now.
        const bool ours = !m_taken && (!probes || m_ownMissingSinceNs == 0);
        if (last && ours && m_devicesWritten) {
            m_cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
            drain();
        }
        if (seconds > 0) {
            constexpr double kKept = 0.5;
            m_rate = kKept * m_rate + (1 - kKept) * static_cast<double>(m_decodedBytes) / seconds;
            m_buffers.setRate(m_rate);
            m_buffers.prepare();
            m_decodedBytes = 0;
        }
    }
    nameThreads();
    if (m_dropped > m_droppedSaid) {
        say(RecordStatus::RecordsDropped, static_cast<std::int32_t>(std::min<std::uint64_t>(m_dropped, INT32_MAX)));
        m_droppedSaid = m_dropped;
    }
    if (last) {
        if (m_recording)
            sampleKernels(true);
        if (!m_over && !m_taken)
            say(RecordStatus::Ended);
    }
    if (m_decoder) {
        const ActivityDecoder::Counts& counts = m_decoder->counts();
        m_writer.add(spool::Tick{monotonicNs(), counts.records, m_dropped, counts.zeroTimes, counts.unknown,
                                 threadCpuNs(), m_buffers.totalBytes(), counts.newestNs, counts.ownCallNs});
    }
    write();
}

void Collector::checkRecordsCome()
{
    // A buffer that several threads share comes only when all its records are complete, which one
    // long kernel can delay.
    const std::int64_t patienceNs = m_perThread ? 1'000'000'000 : 10'000'000'000;
    const std::uint64_t seen = m_decoder->counts().own;
    const std::int64_t nowNs = monotonicNs();
    if (seen != m_ownSeen) {
        m_ownSeen = seen;
        m_ownMissingSinceNs = 0;
    } else if (m_ownMissingSinceNs == 0) {
        m_ownMissingSinceNs = nowNs;
    } else if (nowNs - m_ownMissingSinceNs >= patienceNs) {
        leaveToOthers();
        say(m_decoder->counts().records == 0 && m_ownSeen == 0 ? RecordStatus::Busy : RecordStatus::TakenOver);
    }
}

void Collector::nameThreads()
{
    if (!m_decoder)
        return;
    for (const std::uint32_t thread : m_decoder->takeNewThreads()) {
        std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/comm");
        std::string name;
        if (std::getline(file, name) && !name.empty())
            m_writer.add(spool::ThreadName{thread, m_writer.intern(name)});
    }
}

void Collector::tellWriteError(int error)
{
    if (m_control.valid())
        m_control.tellWriteError(error);
}

void Collector::write()
{
    if (hasWindows() && !m_writer.isOpen())
        return;
    if (!m_writer.flush()) {
        tellWriteError(m_writer.error());
        if (m_recording)
            stopRecording();
        m_over = true;
        return;
    }
    const std::uint64_t written = m_writer.writtenBytes();
    const bool counts = m_control.valid() && (!hasWindows() || m_window != 0);
    if (counts && written > m_countedBytes)
        m_control.addBytes(written - m_countedBytes);
    m_countedBytes = written;
}

}  // namespace overlane
