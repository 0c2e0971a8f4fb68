// The kinds of records that the Collector asks CUPTI for: switched on, off, and on for a while.
#include <algorithm>

#include "core/spool/cupti_search.h"
#include "core/spool/spool_clock.h"
#include "core/trace/event.h"
#include "core/trace/track.h"
#include "cupti/collector/collector.h"
#include "cupti/collector/nccl_calls.h"
#include "cupti/collector/nvtx_steps.h"
#include "cupti/collector/peer_copies.h"

namespace overlane
{
namespace
{

constexpr CUpti_CallbackId kMostCalls = 4096;
constexpr CallDomain kCallDomains[] = {CallDomain::Runtime, CallDomain::Driver};
constexpr CUpti_CallbackId kProbeCall = CUPTI_DRIVER_TRACE_CBID_cuDriverGetVersion;

RecordStatus statusOf(CUptiResult result)
{
    switch (result) {
        case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
            return RecordStatus::NoPermission;
        case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
            return RecordStatus::Busy;
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
        case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
            return RecordStatus::NotSupported;
        default:
            return RecordStatus::CuptiFailed;
    }
}

CUpti_CallbackDomain cuptiDomain(CallDomain domain)
{
    return domain == CallDomain::Driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
}

}  // namespace

bool Collector::switchOn()
{
    // Once: by the next window another profiler may have put its callbacks there.
    if (const CUptiResult result = m_prepared ? CUPTI_SUCCESS : prepareCupti(); result != CUPTI_SUCCESS) {
        say(statusOf(result), static_cast<std::int32_t>(result), "to hand over its records");
        return false;
    }
    m_prepared = true;
    if (m_callsAhead) {
        m_decoder->dropCallsBefore(monotonicNs());
        m_decodedBytes = 0;
    }
    return enableKinds();
}

void Collector::startRecording()
{
    if (!switchOn()) {
        m_over = true;
        if (m_waited)
            m_control.cannotRecord();
        return;
    }
    watchNvtxStepsAgain();
    if (m_options.kinds.has(RecordKind::Nvtx) && m_options.kinds.has(RecordKind::Kernels)) {
        NcclCalls::watch();  // before NVTX begins, where CUDA does first
        if (NcclCalls* calls = NcclCalls::ofProcess())
            calls->keep(true);
    }
    enableCalls();
    m_recording = true;
    m_windows.start(monotonicNs());
    if (m_control.valid())
        m_control.beganRecording(m_waited);
    say(RecordStatus::Recording, static_cast<std::int32_t>(m_cupti.version()), m_cupti.path());
}

bool Collector::enableKinds()
{
    struct Wanted {
        RecordKind kind;
        CUpti_ActivityKind activity;
        const char* name;
    };
    constexpr Wanted kWanted[] = {
        {RecordKind::Copies, CUPTI_ACTIVITY_KIND_MEMCPY, "copies"},
        {RecordKind::Copies, CUPTI_ACTIVITY_KIND_MEMSET, "memsets"},
        {RecordKind::Kernels, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernels"},
        {RecordKind::KernelSample, CUPTI_ACTIVITY_KIND_GRAPH_TRACE, "CUDA graphs"},
        {RecordKind::Waits, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "what waits are for"},
        {RecordKind::Memory, CUPTI_ACTIVITY_KIND_MEMORY2, "allocations"},
        {RecordKind::Nvtx, CUPTI_ACTIVITY_KIND_MARKER, "NVTX ranges"},
        {RecordKind::Nvtx, CUPTI_ACTIVITY_KIND_MARKER_DATA, "NVTX payloads"},
        {RecordKind::Events, CUPTI_ACTIVITY_KIND_CUDA_EVENT, "CUDA events"},
        {RecordKind::Events, CUPTI_ACTIVITY_KIND_STREAM, "streams"},
        {RecordKind::Overhead, CUPTI_ACTIVITY_KIND_OVERHEAD, "the profiler's overhead"},
        {RecordKind::External, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, "external correlations"},
        {RecordKind::AllCalls, CUPTI_ACTIVITY_KIND_RUNTIME, "runtime calls"},
        {RecordKind::AllCalls, CUPTI_ACTIVITY_KIND_DRIVER, "driver calls"},
    };
    // Contexts say which GPU a wait belongs to; this is also the first thing CUPTI is asked for.
    const CUptiResult first = m_cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONTEXT);
    if (first != CUPTI_SUCCESS && statusOf(first) != RecordStatus::CuptiFailed) {
        say(statusOf(first), static_cast<std::int32_t>(first));
        return false;
    }
    if (first == CUPTI_SUCCESS)
        m_enabledKinds.push_back(CUPTI_ACTIVITY_KIND_CONTEXT);
    // Polling an event that is not ready yet is no wait.
    if (m_options.kinds.has(RecordKind::Waits) && m_cupti.cuptiActivityEnableAllSyncRecords != nullptr)
        m_cupti.cuptiActivityEnableAllSyncRecords(0);
    CUptiResult failure = first;
    for (const Wanted& wanted : kWanted) {
        if (!m_options.kinds.has(wanted.kind))
            continue;
        const CUptiResult result = m_cupti.cuptiActivityEnable(wanted.activity);
        if (result == CUPTI_SUCCESS) {
            m_enabledKinds.push_back(wanted.activity);
            continue;
        }
        failure = result;
        say(RecordStatus::KindUnavailable, static_cast<std::int32_t>(result), wanted.name);
    }
    if (!m_enabledKinds.empty())
        return true;
    say(statusOf(failure), static_cast<std::int32_t>(failure), "every kind of record");
    return false;
}

void Collector::enableCalls()
{
    const bool all = m_options.kinds.has(RecordKind::AllCalls);
    m_canProbe = all;
    if (m_cupti.cuptiActivityEnableDriverApi != nullptr && m_cupti.cuptiActivityEnableRuntimeApi != nullptr) {
        if (all)
            return;
        for (const CallDomain domain : kCallDomains)
            if (!m_callsAhead && (!m_waited || !enableCallsLate(domain)))
                enableCalls(domain);
        m_canProbe = m_cupti.cuptiActivityEnableDriverApi(kProbeCall, 1) == CUPTI_SUCCESS;
    } else if (!all) {
        // An older CUPTI can record all runtime calls or none.
        if (m_cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME) == CUPTI_SUCCESS)
            m_enabledKinds.push_back(CUPTI_ACTIVITY_KIND_RUNTIME);
    }
}

// Cheaper than enableCallsLate() once the recording has begun, and dearer before: by a fifth at most in a loop that
// does little but launch (tests/gpu/README.md). Another profiler that comes while this waits keeps its records.
void Collector::enableCallsAhead()
{
    if (m_options.kinds.has(RecordKind::AllCalls) || m_cupti.cuptiActivityEnableDriverApi == nullptr ||
        m_cupti.cuptiActivityEnableRuntimeApi == nullptr || prepareCupti() != CUPTI_SUCCESS)
        return;
    m_prepared = true;
    m_callsAhead = true;
    m_decoder->dropCallsBefore(INT64_MAX);
    for (const CallDomain domain : kCallDomains)
        enableCalls(domain);
}

// Calls that are switched on one by one in a program that has begun to use CUDA do not come, but for those of the
// collector's own thread (docs/validation/jobs.md). So where nothing may be on between two windows all of them are
// switched on, as profilers do that begin late, and then those off that are not asked for.
bool Collector::enableCallsLate(CallDomain domain)
{
    const auto kind = domain == CallDomain::Driver ? CUPTI_ACTIVITY_KIND_DRIVER : CUPTI_ACTIVITY_KIND_RUNTIME;
    const auto enable =
        domain == CallDomain::Driver ? m_cupti.cuptiActivityEnableDriverApi : m_cupti.cuptiActivityEnableRuntimeApi;
    if (m_cupti.cuptiActivityEnable(kind) != CUPTI_SUCCESS)
        return false;
    m_enabledKinds.push_back(kind);
    for (CUpti_CallbackId call = 1; call < kMostCalls; ++call) {
        const char* name = nullptr;
        if (m_cupti.cuptiGetCallbackName(cuptiDomain(domain), call, &name) != CUPTI_SUCCESS || name == nullptr)
            break;
        if (!isRecordedCall(domain, name, m_options.kinds))
            enable(call, 0);
    }
    return true;
}

void Collector::enableCalls(CallDomain domain)
{
    const auto enable =
        domain == CallDomain::Driver ? m_cupti.cuptiActivityEnableDriverApi : m_cupti.cuptiActivityEnableRuntimeApi;
    for (CUpti_CallbackId call = 1; call < kMostCalls; ++call) {
        const char* name = nullptr;
        if (m_cupti.cuptiGetCallbackName(cuptiDomain(domain), call, &name) != CUPTI_SUCCESS || name == nullptr)
            return;
        if (isRecordedCall(domain, name, m_options.kinds) && enable(call, 1) == CUPTI_SUCCESS)
            m_enabledCalls.emplace_back(domain, call);
    }
}

void Collector::disableCalls()
{
    for (const auto& [domain, call] : m_enabledCalls)
        (domain == CallDomain::Driver ? m_cupti.cuptiActivityEnableDriverApi : m_cupti.cuptiActivityEnableRuntimeApi)(
            call, 0);
    m_enabledCalls.clear();
}

void Collector::stopRecording()
{
    sampleKernels(true);
    m_recording = false;
    if (NcclCalls* calls = NcclCalls::ofProcess())
        calls->keep(false);
    disableCalls();
    if (m_canProbe && m_cupti.cuptiActivityEnableDriverApi != nullptr)
        m_cupti.cuptiActivityEnableDriverApi(kProbeCall, 0);
    for (const CUpti_ActivityKind kind : m_enabledKinds)
        m_cupti.cuptiActivityDisable(kind);
    m_enabledKinds.clear();
    m_cupti.cuptiActivityFlushAll(0);
    m_cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    if (m_writer.error() == 0)
        drain();
}

void Collector::leaveToOthers()
{
    m_taken = true;
    m_recording = false;
    m_over = true;
    if (NcclCalls* calls = NcclCalls::ofProcess())
        calls->keep(false);
    // What a profiler of kernels and copies does not expect among its records, or would lose kernels by.
    for (const CUpti_ActivityKind kind :
         {CUPTI_ACTIVITY_KIND_MEMORY2, CUPTI_ACTIVITY_KIND_MARKER, CUPTI_ACTIVITY_KIND_MARKER_DATA,
          CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_STREAM, CUPTI_ACTIVITY_KIND_GRAPH_TRACE})
        if (std::find(m_enabledKinds.begin(), m_enabledKinds.end(), kind) != m_enabledKinds.end())
            m_cupti.cuptiActivityDisable(kind);
}

// Switched on once it is known that there is more than one GPU, and off again should XLA come later.
void Collector::watchPeerCopies()
{
    if (!m_options.kinds.has(RecordKind::Copies) || m_taken || m_peerCopies == PeerCopies::Left)
        return;
    const int gpus = m_peerCopies == PeerCopies::Recorded ? 2 : m_gpus.count();
    if (gpus == 1)
        m_peerCopies = PeerCopies::Left;
    if (gpus < 2)
        return;
    if (isOfXla(loadedObjects())) {
        if (m_peerCopies == PeerCopies::Recorded) {
            m_cupti.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_MEMCPY2);
            std::erase(m_enabledKinds, CUPTI_ACTIVITY_KIND_MEMCPY2);
        }
        m_peerCopies = PeerCopies::Left;
        say(RecordStatus::PeerCopiesLeftOut);
        return;
    }
    if (m_peerCopies == PeerCopies::Recorded)
        return;
    const CUptiResult result = m_cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY2);
    m_peerCopies = result == CUPTI_SUCCESS ? PeerCopies::Recorded : PeerCopies::Left;
    if (result == CUPTI_SUCCESS)
        m_enabledKinds.push_back(CUPTI_ACTIVITY_KIND_MEMCPY2);
    else
        say(RecordStatus::KindUnavailable, static_cast<std::int32_t>(result), "copies between GPUs");
}

void Collector::sampleKernels(bool stop)
{
    if (!m_options.kinds.has(RecordKind::KernelSample) || m_options.kinds.has(RecordKind::Kernels))
        return;
    const std::int64_t nowNs = monotonicNs();
    const bool open = !stop && m_windows.isOpen(nowNs);
    if (open == m_windowOpen)
        return;
    m_windowOpen = open;
    if (open) {
        m_cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
        m_windowStartNs = nowNs;
        return;
    }
    m_cupti.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    // The trace says where kernels are missing because nobody looked.
    constexpr std::uint32_t kWindowsLane = 0x4B57;  // beside lanes of other writers
    if (!m_windowLaneWritten) {
        m_windowLaneWritten = true;
        m_writer.add(spool::Lane{kWindowsLane, m_writer.intern("Kernels recorded"),
                                 static_cast<std::uint32_t>(TrackKind::Annotations), 0});
    }
    m_writer.add(spool::LaneEvent{m_windowStartNs, nowNs, kWindowsLane, m_writer.intern("kernels recorded"),
                                  static_cast<std::uint32_t>(EventKind::Annotation), 0});
}

}  // namespace overlane
