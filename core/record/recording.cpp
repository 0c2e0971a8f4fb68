#include "core/record/recording.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/record/record_kinds.h"
#include "core/record/spool_merger.h"

namespace overlane
{
namespace
{

// A count as a file gives it, small enough to be added to others.
std::int64_t counted(std::uint64_t count)
{
    return static_cast<std::int64_t>(std::min<std::uint64_t>(count, INT64_MAX / 8));
}

}  // namespace

class RecordingMerger::Impl
{
public:
    Impl(std::string directory, TraceSink& sink)
        : m_directory(std::move(directory)), m_shared{sink, RecordingTracks(sink), {}, {}, 0, 0}
    {
    }

    Result<void> poll(bool last);
    void describe();
    bool behind() const { return m_behind; }

    RecordingShared& shared() { return m_shared; }

private:
    struct Entry {
        std::string path;
        std::unique_ptr<SpoolMerger> merger;
        bool started = false;
    };

    Result<void> findSpools();
    void start();

    std::string m_directory;
    RecordingShared m_shared;
    std::vector<Entry> m_spools;
    std::map<std::string, bool> m_known;
    bool m_hasBase = false;
    bool m_behind = false;
};

Result<void> RecordingMerger::Impl::findSpools()
{
    std::error_code error;
    std::vector<std::string> paths;
    for (std::filesystem::directory_iterator entry(m_directory, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == spool::kFileSuffix && !m_known.contains(entry->path().string()))
            paths.push_back(entry->path().string());
    if (error)
        return Error{fmt::format("{}: {}", m_directory, error.message())};
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) {
        Result<SpoolReader> reader = SpoolReader::open(path);
        if (!reader.ok())
            return Error{reader.error()};
        m_known[path] = true;
        m_spools.push_back({path,
                            std::make_unique<SpoolMerger>(std::move(reader).value(),
                                                          static_cast<std::uint32_t>(m_spools.size()), m_shared),
                            false});
    }
    return {};
}

// Reads how each new process began; the earliest of the first ones gives the trace its t = 0.
void RecordingMerger::Impl::start()
{
    const spool::ProcessStart* earliest = nullptr;
    for (Entry& entry : m_spools)
        if (!entry.started && entry.merger->readStart()) {
            entry.started = true;
            const spool::ProcessStart& start = entry.merger->start();
            m_shared.totals.processes += start.producer == spool::Producer::Injection;
            if (start.kinds != 0)
                m_shared.sink.metadata().properties[kRecordedKinds] = RecordKinds(start.kinds).text();
            if (start.timeNs > 0 && (earliest == nullptr || start.timeNs < earliest->timeNs))
                earliest = &start;
        }
    if (m_hasBase || earliest == nullptr)
        return;
    m_hasBase = true;
    m_shared.baseNs = earliest->timeNs;
    m_shared.sink.metadata().startEpochNs = saturatedSum(earliest->timeNs, earliest->unixOffsetNs);
}

Result<void> RecordingMerger::Impl::poll(bool last)
{
    if (Result<void> found = findSpools(); !found.ok())
        return found;
    start();
    Result<void> result;
    m_shared.totals.spoolBytes = 0;
    m_behind = false;
    constexpr std::int64_t kMostRecords = 1'000'000;
    constexpr std::int64_t kFewestRecords = 10'000;
    const std::int64_t share =
        std::max(kMostRecords / std::max<std::int64_t>(static_cast<std::int64_t>(m_spools.size()), 1), kFewestRecords);
    for (Entry& entry : m_spools) {
        if (entry.started && last)
            entry.merger->finish();
        else if (entry.started && !entry.merger->poll(share))
            m_behind = true;
        m_shared.totals.spoolBytes += entry.merger->reader().readBytes();
        if (entry.merger->reader().tooNewVersion() != 0)
            result = Error{fmt::format("{} was written by a newer Overlane (spool version {}); open it with that one.",
                                       entry.path, entry.merger->reader().tooNewVersion())};
    }
    return result;
}

void RecordingMerger::Impl::describe()
{
    const RecordingTotals& totals = m_shared.totals;
    TraceMetadata& metadata = m_shared.sink.metadata();
    ImportStats& stats = m_shared.sink.stats();
    std::uint64_t unknown = 0;
    std::int64_t callCostNs = 0;
    for (const Entry& entry : m_spools) {
        unknown += entry.merger->tick().unknownRecords;
        callCostNs = std::max(callCostNs, entry.merger->tick().callCostNs);
        if (metadata.title.empty())
            metadata.title = entry.merger->program();
        if (!metadata.properties.contains("command") && !entry.merger->command().empty())
            metadata.properties["command"] = entry.merger->command();
    }
    if (totals.dropped > 0)
        stats.add("dropped_records", "records that CUPTI dropped for want of a buffer", Severity::Warning,
                  counted(totals.dropped));
    if (totals.zeroTimes > 0)
        stats.add("zero_timestamp", "records whose times were not collected", Severity::Warning,
                  counted(totals.zeroTimes));
    if (unknown > 0)
        stats.add("unknown_record", "CUPTI records of kinds that nobody asked for", Severity::Info, counted(unknown));
    metadata.format = "recorded";
    metadata.sourceEvents =
        m_shared.sourceEvents + counted(totals.zeroTimes) + counted(totals.dropped) + counted(unknown);
    metadata.properties["processes recorded"] = std::to_string(totals.processes);
    metadata.properties["clock residual"] = formatDuration(totals.residualNs);
    metadata.properties["profiler time in the program"] = formatDuration(totals.overheadNs);
    metadata.properties["profiler time beside the program"] = formatDuration(totals.collectorNs);
    if (totals.newestNs > 0)
        metadata.properties["profiler share"] =
            formatShare(static_cast<double>(totals.overheadNs) / static_cast<double>(totals.newestNs));
    if (callCostNs > 0)
        metadata.properties["cost of a recorded call"] = formatDuration(callCostNs);
}

RecordingMerger::RecordingMerger(std::string directory, TraceSink& sink)
    : m_impl(std::make_unique<Impl>(std::move(directory), sink))
{
}

RecordingMerger::~RecordingMerger() = default;

Result<void> RecordingMerger::poll()
{
    return m_impl->poll(false);
}

Result<void> RecordingMerger::finish()
{
    Result<void> result = m_impl->poll(true);
    m_impl->describe();
    return result;
}

bool RecordingMerger::behind() const
{
    return m_impl->behind();
}

const RecordingTotals& RecordingMerger::totals() const
{
    return m_impl->shared().totals;
}

std::vector<RecordingNotice> RecordingMerger::takeNotices()
{
    return std::exchange(m_impl->shared().notices, {});
}

Result<Trace> readRecording(const std::string& directory, Progress& progress)
{
    TraceBuilder builder;
    TraceSinkOf<TraceBuilder> sink(builder);
    RecordingMerger merger(directory, sink);
    if (progress.cancelled())
        return Error{Progress::kCancelled};
    if (Result<void> done = merger.finish(); !done.ok())
        return Error{done.error()};
    if (merger.totals().processes == 0)
        return Error{directory + " holds no recording: no process wrote a spool."};
    for (const RecordingNotice& notice : merger.takeNotices())
        if (isAlarming(notice.status))
            builder.metadata().properties[fmt::format("process {}: {}", notice.pid, formatDuration(notice.timeNs))] =
                notice.sentence;
    return builder.build();
}

}  // namespace overlane
