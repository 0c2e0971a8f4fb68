// writeWindow(): the spools of a window as one trace.
#include <filesystem>
#include <iterator>

#include "core/io/overlane_writer.h"
#include "core/recorder/recorded_program.h"
#include "core/recorder/recording_files.h"
#include "core/recorder/watch_session.h"
#include "core/spool/recording_merger.h"
#include "core/spool/recording_notes.h"
#include "core/spool/trace_sink.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

// Files there are of processes that are gone as well; what they said was heard by now.
constexpr std::ptrdiff_t kMostAttached = 1'000;

// What processes said when they were attached: why they cannot record, above all.
void addAttached(const std::string& folder, RecordingNotes& notes)
{
    TraceBuilder unused;
    TraceSinkOf<TraceBuilder> sink(unused);
    RecordingMerger merger(folder, sink);
    if (merger.finish().ok())
        notes.add(merger.takeNotices());
    std::error_code error;
    const fs::directory_iterator files(folder, error);
    if (!error && std::distance(files, fs::directory_iterator()) > kMostAttached)
        for (const fs::directory_entry& file : fs::directory_iterator(folder, error))
            fs::remove(file.path(), error);
}

Result<WrittenWindow> mergeWindow(const RecordedWindow& window, const std::string& output)
{
    auto writer = OverlaneWriter::create(output);
    if (!writer.ok())
        return writer.failure().in(output + " cannot be written");
    describeRecording(writer.value().metadata(), window.program, window.kinds);
    TraceSinkOf<OverlaneWriter> sink(writer.value());
    RecordingNotes notes(sink);
    RecordingMerger merger(window.folder, sink);
    RETURN_IF_ERROR(merger.finish([&] {
        notes.add(merger.takeNotices());
        return writer.value().flush();
    }));
    notes.add(merger.takeNotices());
    if (merger.totals().processes == 0)
        addAttached(windowFolder(fs::path(window.folder).parent_path().string(), 0), notes);
    RETURN_IF_ERROR(writer.value().finish());
    return WrittenWindow{merger.totals(), notes.all()};
}

}  // namespace

Result<WrittenWindow> writeWindow(const RecordedWindow& window, const std::string& output)
{
    auto written = mergeWindow(window, output);
    std::error_code error;
    fs::remove_all(window.folder, error);
    if (!written.ok()) {
        removeRecorded(output);
        return written.failure().in("window " + std::to_string(window.number));
    }
    return written;
}

}  // namespace overlane
