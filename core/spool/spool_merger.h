// SpoolMerger: turns the frames of one spool into events, as far as they have been written.
//
// Owns the reader and what a record needs of others: open NVTX ranges, recent calls, allocations.
// Shares the tracks, the sink and the totals with the other spools of a recording. Holds no
// descriptor between two calls, and of calls as many as there were, up to a bound. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/spool/kernel_collectives.h"
#include "core/spool/memory_gauges.h"
#include "core/spool/recent_calls.h"
#include "core/spool/recording_merger.h"
#include "core/spool/recording_tracks.h"
#include "core/spool/spool_reader.h"
#include "core/spool/stack_lane.h"

namespace overlane
{

// What the spools of one recording share.
struct RecordingShared {
    TraceSink& sink;
    RecordingTracks tracks;
    RecordingTotals totals;
    std::vector<RecordingNotice> notices;
    std::int64_t baseNs = 0;  // of the spools' clock, t = 0 of the trace
    std::int64_t sourceEvents = 0;
    std::uint64_t unknownRecords = 0;
    std::int64_t callCostNs = 0;  // largest of all processes
};

class SpoolMerger
{
public:
    SpoolMerger(std::string path, std::uint32_t number, RecordingShared& shared);

    // Reads the first frames until the process has said when it started. False where it has not yet.
    bool readStart();
    // Reads again what a merger before this one has read up to `bytes`, for the definitions only.
    void resume(std::uint64_t bytes);
    const spool::ProcessStart& start() const { return m_start; }
    std::string command() const { return std::string(m_reader.text(m_start.command)); }
    std::string program() const { return std::string(m_reader.text(m_start.program)); }

    // Reads frames until about `mostRecords` were read and takes them off; true where that was all
    // that is complete.
    bool poll(std::int64_t& mostRecords);
    // Places what waits for records that will not come, and counts what is cut.
    void finish();
    // The process is gone, and its memory with it: nothing of it is in use.
    void countMemoryAsFreed();
    const SpoolReader& reader() const { return m_reader; }
    // Whether the process said that it ended and everything was written.
    bool ended() const { return m_state == RecordStatus::Ended; }
    // Whether it said that nothing more will be recorded.
    bool isOver() const { return endsRecording(m_state); }

private:
    struct OpenRange {
        spool::Marker start;
        bool hasData = false;
        spool::MarkerData data;
    };
    static constexpr std::size_t kMostWaiting = 1u << 16;  // for their call, which is lost by then
    static constexpr std::int64_t kLatestNs = std::int64_t{1} << 61;
    static constexpr std::uint32_t kMostDevices = 4096;

    void readFirst(const SpoolFrame& frame);
    void read(const SpoolFrame& frame);
    bool readDefinitions(const SpoolFrame& frame);
    void place(bool last);
    void add(const spool::ApiCall& call);
    void add(const spool::Kernel& kernel);
    void add(const spool::Copy& copy);
    void add(const spool::Memset& memset);
    void add(const spool::Overhead& overhead);
    void add(const spool::Device& device);
    void add(const spool::Context& context);
    void add(const spool::Status& status);
    void add(const spool::Tick& tick);
    void add(const spool::GaugeDefinition& gauge);
    void add(const spool::GaugeSample& sample);
    void add(const spool::LaneEvent& event);
    void add(const spool::StackNode& node);
    void add(const spool::StackSample& sample);
    void endStacks();
    StackLane::Emit framesOn(TrackId track);
    void placeSyncs(bool last);
    void placeCudaEvents(bool last);
    void placeCollectives(bool last);
    void placeMarkers();
    void endRange(const OpenRange& range, std::int64_t endNs);
    void placeMemory(bool last);

    // Adds an event with times of the spool's clock; the event's own times are filled in here.
    void emit(Event event, std::int64_t startNs, std::int64_t endNs, const CollectiveInfo* collective = nullptr);
    void checkClock(std::uint32_t correlation, std::int64_t workStartNs);
    StringId name(std::uint32_t text);
    StringId cached(std::vector<StringId>& cache, std::uint32_t text,
                    const std::function<std::string(const std::string&)>& make);
    StringId copyNameId(const spool::Copy& copy);
    void skip(std::string_view reason, std::string_view explanation, Severity severity, std::int64_t count = 1);

    SpoolReader m_reader;
    std::uint32_t m_number;  // of the spool within the recording: scope of correlations and devices
    RecordingShared& m_shared;
    spool::ProcessStart m_start;
    bool m_hasStart = false;
    RecordStatus m_state = RecordStatus::Recording;  // the last that it said
    spool::Tick m_tick;
    std::vector<StringId> m_names;
    std::vector<StringId> m_callNames;
    std::vector<StringId> m_kernelNames;
    std::unordered_map<std::uint64_t, StringId> m_copyNames;
    RecentCalls m_calls;
    std::unordered_map<std::uint32_t, std::uint32_t> m_contextDevices;
    std::vector<spool::Sync> m_syncs;            // of contexts whose device is not known yet
    std::vector<spool::CudaEvent> m_cudaEvents;  // whose call was not read yet
    struct CollectiveKernel {
        Event event;
        std::int64_t startNs = 0;
        std::int64_t endNs = 0;
    };
    KernelCollectives m_collectives;
    std::vector<CollectiveKernel> m_collectiveKernels;  // whose call, or what NCCL told of it, was not read yet
    std::int64_t m_untoldCollectives = 0;
    std::int64_t m_kernels = 0;
    std::vector<spool::Marker> m_markers;
    std::unordered_map<std::uint32_t, spool::MarkerData> m_markerData;
    std::unordered_map<std::uint32_t, OpenRange> m_openRanges;
    std::unordered_map<std::uint32_t, spool::Marker> m_endsWithoutStart;
    MemoryGauges m_memory;
    std::unordered_map<std::uint32_t, TrackId> m_gauges;
    std::unordered_map<std::uint32_t, spool::Lane> m_lanes;
    StackNodes m_stackNodes;
    struct Stacks {
        TrackId track;
        StackLane lane;
    };
    std::unordered_map<std::uint32_t, Stacks> m_stacks;  // by their lane
    std::int64_t m_pinnedBytes = 0;
    std::unordered_map<std::uint32_t, std::int64_t> m_deviceBytes;
};

}  // namespace overlane
