#include "core/io/native_save.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <unordered_map>
#include <utility>

#include "core/base/units.h"
#include "core/io/native_writer.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr std::size_t kEventsPerFlush = 1 << 20;

// A built trace keeps links and no processes. The k-th linked call with a given correlation
// number, and its work, are written with process k; what has no link must not find one when
// read again, so unlinked calls and unlinked work go to two processes of their own.
std::vector<std::uint32_t> processesFromLinks(const Trace& trace)
{
    constexpr std::uint32_t kUnlinkedCall = 0;
    constexpr std::uint32_t kUnlinkedWork = 0xFFFFFFFFu;
    const EventColumns& columns = trace.columns();
    std::vector<std::uint32_t> processes(trace.eventCount(), kUnlinkedCall);
    std::unordered_map<std::uint32_t, std::uint32_t> callsSoFar;
    for (std::size_t at = 0; at < processes.size(); ++at)
        if (columns.link[at].valid() && !isDeviceWork(columns.kind[at]))
            processes[at] = ++callsSoFar[columns.correlation[at]];
    for (std::size_t at = 0; at < processes.size(); ++at)
        if (isDeviceWork(columns.kind[at]) && columns.correlation[at] != 0)
            processes[at] = columns.link[at].valid() ? processes[columns.link[at].index()] : kUnlinkedWork;
    return processes;
}

void writeDescription(const Trace& trace, NativeWriter& writer)
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

Result<void> writeContent(const Trace& trace, NativeWriter& writer, Progress& progress)
{
    for (const CounterSeries& series : trace.counters())
        for (std::size_t at = 0; at < series.timesNs.size(); ++at)
            writer.addSample(series.track, series.timesNs[at], series.values[at]);

    const std::vector<std::uint32_t> processes = processesFromLinks(trace);
    for (std::size_t at = 0; at < trace.eventCount(); ++at) {
        Event event = trace.event(EventIndex(at));
        event.process = processes[at];
        writer.addEvent(event);
        if ((at + 1) % kEventsPerFlush == 0) {
            if (Result<void> done = writer.flush(); !done.ok())
                return done;
        }
        if (at % 4096 == 0) {
            if (progress.cancelled())
                return Error{Progress::kCancelled};
            progress.report(static_cast<double>(at) / static_cast<double>(trace.eventCount()));
        }
    }
    return writer.flush();
}

Result<void> writeFile(const Trace& trace, const std::string& path, Progress& progress,
                       const std::map<std::string, std::string>& properties)
{
    Result<NativeWriter> created = NativeWriter::create(path, NativeWriter::Safety::None);
    if (!created.ok())
        return Error{created.error()};
    NativeWriter writer = std::move(created).value();
    writeDescription(trace, writer);
    for (const auto& [name, value] : properties)
        if (value.empty())
            writer.metadata().properties.erase(name);
        else
            writer.metadata().properties[name] = value;
    return writeContent(trace, writer, progress);
}

Result<void> syncToDisk(const std::string& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool done = file >= 0 && ::fsync(file) == 0;
    const int reason = errno;
    if (file >= 0)
        ::close(file);
    if (!done)
        return Error{"the file cannot be brought to disk: " + std::generic_category().message(reason) + "."};
    return {};
}

// An empty new file beside `target`, hidden, of a name that no other file has.
Result<std::string> makeTemporary(const fs::path& target)
{
    const std::string stem = "." + target.filename().string() + "." + std::to_string(::getpid()) + "-";
    for (int attempt = 0;; ++attempt) {
        const std::string name = (target.parent_path() / (stem + std::to_string(attempt) + ".tmp")).string();
        const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0) {
            ::close(file);
            return name;
        }
        if (errno != EEXIST || attempt == 1000)
            return Error{"no file can be made in " + target.parent_path().string() + ": " +
                         std::generic_category().message(errno) + "."};
    }
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

}  // namespace

Result<void> saveNative(const Trace& trace, const std::string& path, Progress& progress,
                        const std::map<std::string, std::string>& properties)
{
    std::error_code failure;
    // Through a symbolic link, so that the link stays and its target is replaced.
    const fs::path target = fs::weakly_canonical(fs::absolute(path, failure), failure);
    if (path.empty() || failure)
        return Error{"the file name cannot be resolved (" + (failure ? failure.message() : "it is empty") + ")."};
    const fs::file_status status = fs::status(target, failure);
    if (fs::exists(status) && !fs::is_regular_file(status))
        return Error{"a trace can only replace a file, and this is none."};
    const fs::path folder = target.parent_path();

    Result<std::string> made = makeTemporary(target);
    if (!made.ok())
        return Error{made.error()};
    const std::string temporary = std::move(made).value();
    if (fs::exists(status))
        fs::permissions(temporary, status.permissions(), failure);

    Result<void> done = writeFile(trace, temporary, progress, properties);
    if (done.ok())
        done = syncToDisk(temporary);
    if (done.ok() && ::rename(temporary.c_str(), target.c_str()) != 0)
        done = Error{"the new file cannot take its name: " + std::generic_category().message(errno) + "."};
    if (!done.ok()) {
        const std::uintmax_t written = fs::file_size(temporary, failure);
        std::string message = done.error();
        if (message != Progress::kCancelled)
            message = withNumbers(message, failure ? 0 : written, folder);
        fs::remove(temporary, failure);
        return Error{message};
    }
    // The folder's entry; where folders cannot be synchronised the file itself still is.
    (void)syncToDisk(folder.string());
    progress.report(1);
    return {};
}

}  // namespace overlane
