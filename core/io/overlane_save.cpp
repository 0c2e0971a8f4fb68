#include "core/io/overlane_save.h"

#include <filesystem>
#include <unordered_map>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/units.h"
#include "core/io/link_scopes.h"
#include "core/io/overlane_on_disk.h"
#include "core/io/overlane_recovery.h"
#include "core/io/overlane_writer.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr std::size_t kEventsPerFlush = 1 << 20;

void writeDescription(const Trace& trace, OverlaneWriter& writer)
{
    writer.metadata() = trace.metadata();
    writer.stats() = trace.stats();
    for (const DeviceInfo& device : trace.devices())
        writer.addDevice(device);
    for (std::size_t id = 0; id < trace.strings().size(); ++id)
        writer.intern(trace.strings().view(StringId(id)));
    std::unordered_map<TrackId, CounterUnit> units;
    for (const CounterSeries& series : trace.counters())
        units.emplace(series.track, series.unit);
    for (std::size_t id = 0; id < trace.tracks().size(); ++id) {
        const Track& track = trace.tracks()[id];
        if (const auto unit = units.find(TrackId(id)); unit != units.end())
            writer.addCounter(track.parent, track.name, unit->second, track.sortOrder);
        else
            writer.addTrack(track.parent, track.kind, track.name, track.device, track.nativeId, track.sortOrder);
        if (track.bookkeeping)
            writer.markBookkeeping(TrackId(id));
    }
}

Result<void> writeContent(const Trace& trace, OverlaneWriter& writer, Progress& progress)
{
    for (const CounterSeries& series : trace.counters())
        for (std::size_t at = 0; at < series.timesNs.size(); ++at)
            writer.addSample(series.track, series.timesNs[at], series.values[at]);

    const std::vector<std::uint32_t> processes = processesFromLinks(trace);
    for (std::size_t at = 0; at < trace.eventCount(); ++at) {
        Event event = trace.event(EventIndex(at));
        event.process = processes[at];
        writer.addEvent(event, trace.collective(EventIndex(at)));
        if ((at + 1) % kEventsPerFlush == 0) {
            if (Result<void> done = writer.flush(); !done.ok())
                return done;
        }
        if (at % 4096 == 0) {
            if (progress.cancelled())
                return Error::cancelled();
            progress.report(static_cast<double>(at) / static_cast<double>(trace.eventCount()));
        }
    }
    return writer.finish();
}

Result<void> writeFile(const Trace& trace, const std::string& path, Progress& progress, const MadeByHand& hand)
{
    ASSIGN_OR_RETURN(OverlaneWriter created, OverlaneWriter::create(path, OverlaneWriter::Safety::None));
    OverlaneWriter writer = std::move(created);
    writeDescription(trace, writer);
    putMadeByHand(hand, writer.metadata());
    return writeContent(trace, writer, progress);
}

std::string withNumbers(const std::string& reason, std::uint64_t writtenBytes, const fs::path& folder)
{
    std::string message = reason + " " + formatBytes(static_cast<std::int64_t>(writtenBytes)) + " had been written";
    std::error_code failure;
    const fs::space_info space = fs::space(folder, failure);
    if (!failure)
        message += ", " + formatBytes(static_cast<std::int64_t>(space.available)) + " are free now";
    return message + ". What was saved there before is unchanged.";
}

// One attempt. Nothing where another program has changed the file since it was `known`.
Result<std::optional<FileStamp>> replaceFile(const Trace& trace, const std::string& path, Progress& progress,
                                             const MadeByHand& hand, const std::optional<FileStamp>& known)
{
    ASSIGN_OR_RETURN(AtomicFile made, AtomicFile::beside(path));
    AtomicFile& file = made;
    Result<void> done = writeFile(trace, file.temporary(), progress, hand);
    if (done.ok())
        done = file.sync();
    std::optional<FileStamp> now;
    if (done.ok() && known && (now = stampOf(file.target())) && now != known) {
        if (!holdSameTrace(file.temporary(), file.target()))
            return Error{
                "another program has put another trace there since it was opened. Nothing was written: "
                "save under another name to keep both."};
        return std::optional<FileStamp>();
    }
    const std::optional<FileStamp> stamp = stampOf(file.descriptor());
    if (done.ok())
        done = file.commit();
    if (!done.ok()) {
        std::error_code failure;
        const std::uintmax_t written = fs::file_size(file.temporary(), failure);
        const std::string folder = fs::path(file.target()).parent_path().string();
        return done.isCancelled() ? done.failure() : Error{withNumbers(done.error(), failure ? 0 : written, folder)};
    }
    removeJournal(file.target());
    return stamp;
}

bool isSameFile(const std::string& a, const std::string& b)
{
    std::error_code failure;
    return fs::weakly_canonical(fs::absolute(a), failure) == fs::weakly_canonical(fs::absolute(b), failure);
}

}  // namespace

Result<OverlaneSaved> saveOverlane(const Trace& trace, const std::string& path, Progress& progress,
                                   const OverlaneSaveRequest& request)
{
    OverlaneSaved saved{{path, {}, request.hand.value_or(madeByHand(trace.metadata()))}, false};
    std::optional<OverlaneOnDisk> known;
    if (request.known && isSameFile(request.known->path, path))
        known = request.known;
    constexpr int kAttempts = 5;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const auto stamp =
            replaceFile(trace, path, progress, saved.disk.hand, known ? std::optional(known->stamp) : std::nullopt);
        if (!stamp.ok())
            return stamp.failure();
        if (stamp.value()) {
            saved.disk.stamp = *stamp.value();
            progress.report(1);
            return saved;
        }
        ASSIGN_OR_RETURN(OverlaneOnDisk theirs, readOnDisk(path));
        saved.disk.hand = mergeMadeByHand(known->hand, saved.disk.hand, theirs.hand);
        saved.merged = true;
        known = std::move(theirs);
    }
    return Error{"other programs save it again and again. Save under another name."};
}

}  // namespace overlane
