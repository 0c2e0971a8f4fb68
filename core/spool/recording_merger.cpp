#include "core/spool/recording_merger.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/spool/record_kinds.h"
#include "core/spool/spool_folder.h"
#include "core/spool/spool_merger.h"

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
        : m_folder(std::move(directory)), m_shared{sink, RecordingTracks(sink), {}, {}, 0, 0, 0, 0}
    {
    }

    Result<void> poll();
    Result<void> finish(const std::function<Result<void>()>& between);
    bool behind() const { return m_behind; }
    bool someLive() const { return m_folder.someLive(); }
    std::size_t followed() const { return m_folder.followed().size(); }

    RecordingShared& shared() { return m_shared; }

private:
    Result<void> pollPart();
    Result<void> findBase();
    Result<void> follow(SpoolFolder::Spool& spool, std::int64_t& records);
    void begin(SpoolFolder::Spool& spool);
    void letGoIfOver(SpoolFolder::Spool& spool, const SpoolFolder::FileState& file);
    void describe();

    SpoolFolder m_folder;
    RecordingShared m_shared;
    std::string m_tooNew;    // a spool that only a newer version reads
    std::string m_title;     // of the first process
    std::string m_command;   // of the first process
    std::size_t m_next = 0;  // where the next poll begins among those followed
    bool m_hasBase = false;
    bool m_behind = false;
    bool m_ending = false;     // nothing more is waited for
    bool m_lookAtAll = false;  // in the next poll, those that were let go too
};

// The earliest start of the first processes gives the trace its t = 0.
Result<void> RecordingMerger::Impl::findBase()
{
    if (m_hasBase)
        return {};
    spool::ProcessStart earliest;
    for (const std::uint32_t number : m_folder.followed()) {
        if (m_folder.spool(number).begun)
            continue;
        SpoolReader reader(m_folder.path(number));
        SpoolFrame frame;
        if (reader.next(frame) && frame.header.kind == spool::FrameKind::ProcessStart)
            frame.each<spool::ProcessStart>([&](const spool::ProcessStart& start) {
                if (start.timeNs > 0 && (earliest.timeNs == 0 || start.timeNs < earliest.timeNs))
                    earliest = start;
            });
        if (!reader.error().empty())
            return Error{reader.error()};
    }
    if (earliest.timeNs == 0)
        return {};
    m_hasBase = true;
    m_shared.baseNs = earliest.timeNs;
    m_shared.sink.metadata().startEpochNs = saturatedSum(earliest.timeNs, earliest.unixOffsetNs);
    return {};
}

void RecordingMerger::Impl::begin(SpoolFolder::Spool& spool)
{
    spool.begun = true;
    const spool::ProcessStart& start = spool.merger->start();
    m_shared.totals.processes += start.producer == spool::Producer::Injection;
    if (start.kinds != 0)
        m_shared.sink.metadata().properties[kRecordedKinds] = RecordKinds(start.kinds).text();
    if (start.producer == spool::Producer::Recorder)
        return;
    if (m_title.empty())
        m_title = spool.merger->program();
    if (m_command.empty())
        m_command = spool.merger->command();
}

// What a spool needs in memory is freed; should it grow after all, its definitions are read again.
void RecordingMerger::Impl::letGoIfOver(SpoolFolder::Spool& spool, const SpoolFolder::FileState& file)
{
    const bool ended = spool.merger && spool.merger->ended();
    if (!m_ending && !ended && !m_folder.isAbandoned(spool, file))
        return;
    if (spool.merger) {
        spool.readBytes = spool.merger->reader().readBytes();
        spool.merger->finish();
        if (!m_ending)
            spool.merger->countMemoryAsFreed();
        spool.merger.reset();
    }
    spool.followed = false;
}

Result<void> RecordingMerger::Impl::follow(SpoolFolder::Spool& spool, std::int64_t& records)
{
    const SpoolFolder::FileState file = m_folder.state(spool);
    if (!file.error.empty())
        return Error{file.error};
    if (file.bytes <= spool.seenBytes) {
        spool.seenBytes = file.bytes;  // less where a failed write was taken back
        letGoIfOver(spool, file);
        return {};
    }
    if (!spool.merger) {
        spool.merger = std::make_unique<SpoolMerger>(m_folder.path(spool.number), spool.number, m_shared);
        spool.merger->resume(spool.readBytes);
    }
    const SpoolReader& reader = spool.merger->reader();
    const std::uint64_t before = spool.begun ? reader.readBytes() : 0;
    bool all = true;
    if (spool.merger->readStart()) {
        if (!spool.begun)
            begin(spool);
        all = spool.merger->poll(records);
    }
    m_shared.totals.spoolBytes += reader.readBytes() - before;
    if (!reader.error().empty())
        return Error{reader.error()};
    if (reader.tooNewVersion() != 0 && m_tooNew.empty())
        m_tooNew = fmt::format("{} was written by a newer Overlane (spool version {}); open it with that one.",
                               reader.path(), reader.tooNewVersion());
    m_behind = m_behind || !all;
    if (!all)
        return {};
    spool.seenBytes = file.bytes;
    if (!spool.begun)
        spool.merger.reset();
    letGoIfOver(spool, file);
    return {};
}

Result<void> RecordingMerger::Impl::pollPart()
{
    if (Result<void> found = m_folder.look(std::exchange(m_lookAtAll, false)); !found.ok())
        return found;
    if (Result<void> found = findBase(); !found.ok())
        return found;
    constexpr std::int64_t kMostRecords = 1'000'000;
    constexpr std::int64_t kFewestRecords = 10'000;
    const auto count = static_cast<std::int64_t>(m_folder.followed().size());
    const std::int64_t share = std::max(kMostRecords / std::max<std::int64_t>(count, 1), kFewestRecords);
    std::int64_t left = kMostRecords;
    std::int64_t done = 0;
    m_behind = false;
    for (; done < count && left > 0; ++done) {
        const std::size_t at = (m_next + static_cast<std::size_t>(done)) % m_folder.followed().size();
        std::int64_t records = share;
        if (Result<void> read = follow(m_folder.spool(m_folder.followed()[at]), records); !read.ok())
            return read;
        left -= share - records;
    }
    m_behind = m_behind || done < count;
    m_next = m_folder.keepFollowed(m_next + static_cast<std::size_t>(done));
    return {};
}

Result<void> RecordingMerger::Impl::poll()
{
    Result<void> result = pollPart();
    return result.ok() && !m_tooNew.empty() ? Error{m_tooNew} : result;
}

Result<void> RecordingMerger::Impl::finish(const std::function<Result<void>()>& between)
{
    m_ending = m_lookAtAll = true;
    Result<void> result;
    do {
        result = pollPart();
        if (Result<void> done = between ? between() : Result<void>(); result.ok() && !done.ok())
            result = done;
    } while (m_behind && result.ok());
    describe();
    return result.ok() && !m_tooNew.empty() ? Error{m_tooNew} : result;
}

void RecordingMerger::Impl::describe()
{
    const RecordingTotals& totals = m_shared.totals;
    TraceMetadata& metadata = m_shared.sink.metadata();
    ImportStats& stats = m_shared.sink.stats();
    const std::uint64_t unknown = m_shared.unknownRecords;
    if (metadata.title.empty())
        metadata.title = m_title;
    if (!m_command.empty())
        metadata.properties.try_emplace("command", m_command);
    if (const std::int64_t cut = m_folder.cutTails(); cut > 0)
        stats.add("cut_tail", "spools whose process was killed within a flush", Severity::Info, cut);
    if (totals.dropped > 0)
        stats.add("dropped_records", "records that CUPTI dropped for want of a buffer", Severity::Warning,
                  counted(totals.dropped));
    if (totals.zeroTimes > 0)
        stats.add("zero_timestamp", "records whose times were not collected", Severity::Warning,
                  counted(totals.zeroTimes));
    if (unknown > 0)
        stats.add("unknown_record", "CUPTI records of kinds that were not requested", Severity::Info, counted(unknown));
    metadata.format = rowOf(TraceOrigin::Recorded).id;
    metadata.sourceEvents =
        m_shared.sourceEvents + counted(totals.zeroTimes) + counted(totals.dropped) + counted(unknown);
    metadata.properties["processes recorded"] = std::to_string(totals.processes);
    metadata.properties["clock residual"] = formatDuration(totals.residualNs);
    metadata.properties["profiler time in the program"] = formatDuration(totals.overheadNs);
    metadata.properties["profiler time beside the program"] = formatDuration(totals.collectorNs);
    if (totals.newestNs > 0)
        metadata.properties["profiler share"] =
            formatShare(static_cast<double>(totals.overheadNs) / static_cast<double>(totals.newestNs));
    if (m_shared.callCostNs > 0)
        metadata.properties["cost of a recorded call"] = formatDuration(m_shared.callCostNs);
}

RecordingMerger::RecordingMerger(std::string directory, TraceSink& sink)
    : m_impl(std::make_unique<Impl>(std::move(directory), sink))
{
}

RecordingMerger::~RecordingMerger() = default;

Result<void> RecordingMerger::poll()
{
    return m_impl->poll();
}

Result<void> RecordingMerger::finish(const std::function<Result<void>()>& between)
{
    return m_impl->finish(between);
}

bool RecordingMerger::someLive() const
{
    return m_impl->someLive();
}

std::size_t RecordingMerger::followed() const
{
    return m_impl->followed();
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

}  // namespace overlane
