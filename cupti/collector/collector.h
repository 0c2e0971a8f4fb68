// Collector: records the process it lives in with CUPTI's activity API and writes its spool.
//
// Made once per process by the injection library and never destroyed: CUPTI may call back until the
// process is gone. attach() runs on the thread that initializes CUDA; everything after that happens
// on a thread of its own, with all signals blocked: decoding, flushing twice a second, writing. Once
// nothing more will be recorded (asked to stop, taken over, a spool that cannot be written), it frees
// what it needed and the thread ends. The
// program's threads only ever run requested() and completed(), which take a lock for a few
// instructions. No lock is held across any call into CUPTI.
//
// CUPTI is used without a subscriber, so that a profiler inside the program can still subscribe.
// Such a profiler registers buffers of its own, and from then on no record comes here: to notice,
// the collector makes one harmless driver call per flush and looks for its record. The same call
// measures what recording a call costs. Once taken over, the kinds of record that only this
// collector asked for are switched off, and CUPTI is not touched again.
//
// A recording that begins late has its calls on from when it is attached, and drops their records until then: calls
// that are switched on later come only from threads that CUDA has not seen (docs/validation/jobs.md).
//
// A recording may come in windows (core/spool/record_control.h): each has a spool of its own, and between two of them
// every kind is off, no spool is open and next to no memory is held.
//
// The clock is CLOCK_MONOTONIC, registered with CUPTI before anything is enabled, so that host and
// device share it with every other process of the recording; Unix time may jump.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <string>
#include <utility>
#include <vector>

#include "core/spool/record_control.h"
#include "core/spool/record_kinds.h"
#include "core/spool/record_status.h"
#include "core/spool/spool_format.h"
#include "core/spool/spool_writer.h"
#include "cupti/collector/activity_buffers.h"
#include "cupti/collector/activity_decoder.h"
#include "cupti/collector/cupti_library.h"
#include "cupti/collector/gpu_inventory.h"
#include "cupti/collector/kernel_windows.h"

namespace overlane
{

struct CollectorOptions {
    std::string spoolDirectory;
    RecordKinds kinds = RecordKinds::standard();
    std::int64_t flushPeriodNs = 500'000'000;
    bool detaches = false;  // from CUPTI between two windows; what that costs and risks: tests/gpu/README.md
};

class Collector
{
public:
    explicit Collector(CollectorOptions options);
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;

    // Opens the spool, finds CUPTI, enables what is asked for and starts the thread. Whatever
    // fails is in the spool; the program is left alone.
    void attach();
    // At exit of the program: hands over what is left, and waits for that for a few seconds at most.
    void finish();
    // In a forked child: CUPTI does not work there and the spool is the parent's.
    void forget();

    // CUPTI's callbacks; any thread.
    ActivityBuffers::Buffer requested();
    void completed(std::uint8_t* data, std::size_t size, std::size_t valid);

private:
    bool hasWindows() const { return m_control.valid() && m_control.isDivided(); }
    void describeProcess();
    void makeDecoder();
    void followWindows();
    void enterWindow();
    void leaveWindow();
    void startRecording();
    void stopRecording();
    CUptiResult prepareCupti();
    void awaitStart();
    void enableCalls();
    void enableCalls(CallDomain domain);
    void enableCallsAhead();
    bool enableCallsLate(CallDomain domain);
    void disableCalls();
    // Both are false where nothing can be recorded at all; the reason is in the spool then.
    bool switchOn();
    bool enableKinds();
    void leaveToOthers();
    void sampleKernels(bool stop);
    void watchPeerCopies();

    static void* threadMain(void* self);
    void run();
    void wait();
    void drain();
    void takeCollectives();
    void flushCycle(bool last);
    void checkControl();
    void checkRecordsCome();
    void nameThreads();
    void write();
    void tellWriteError(int error);
    void letGo();
    void say(RecordStatus status, std::int32_t detail = 0, const std::string& text = {});

    const CollectorOptions m_options;
    SpoolWriter m_writer;
    RecordControl m_control;
    CuptiLibrary m_cupti;
    GpuInventory m_gpus;
    ActivityBuffers m_buffers;
    std::unique_ptr<ActivityDecoder> m_decoder;
    KernelWindows m_windows;

    std::int32_t m_pid = 0;
    pthread_t m_thread{};
    bool m_threadRuns = false;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_hasWork = false;           // under m_mutex
    bool m_ending = false;            // under m_mutex
    std::atomic<bool> m_gone{false};  // a forked child

    // Of the thread alone:
    std::uint32_t m_window = 0;              // that it records, or recorded last
    std::vector<spool::Context> m_contexts;  // of the windows before: CUPTI need not tell them again
    bool m_prepared = false;                 // CUPTI has this collector's callbacks
    bool m_waited = false;                   // before it recorded
    bool m_callsAhead = false;               // they were on while it waited
    bool m_recording = false;
    bool m_over = false;  // nothing more will be recorded
    bool m_taken = false;
    bool m_perThread = false;  // CUPTI fills a buffer per thread
    bool m_canProbe = false;   // the collector's own driver call is recorded
    bool m_devicesWritten = false;
    enum class PeerCopies : std::uint8_t { NotYet, Recorded, Left };
    PeerCopies m_peerCopies = PeerCopies::NotYet;
    std::vector<CUpti_ActivityKind> m_enabledKinds;
    std::vector<std::pair<CallDomain, CUpti_CallbackId>> m_enabledCalls;
    std::uint64_t m_ownSeen = 0;  // records of own calls by the last flush
    std::int64_t m_ownMissingSinceNs = 0;
    bool m_windowOpen = false;
    std::int64_t m_windowStartNs = 0;
    bool m_windowLaneWritten = false;
    std::uint64_t m_dropped = 0;
    std::uint64_t m_droppedSaid = 0;
    std::uint64_t m_decodedBytes = 0;
    std::uint64_t m_countedBytes = 0;  // of the spool, told to the control page
    double m_rate = 0;                 // bytes of records per second
    std::int64_t m_lastFlushNs = 0;
};

}  // namespace overlane
