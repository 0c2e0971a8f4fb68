// Any bytes as an .overlane file.
#include "core/io/overlane_format.h"
#include "core/io/sqlite_database.h"
#include "core/trace/trace_builder.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const overlane::fuzz::TemporaryFile file(std::string_view(reinterpret_cast<const char*>(data), size));
    overlane::Progress progress;
    const auto trace = overlane::overlaneFormat().read(file.path(), progress);
    if (!trace.ok() && trace.error().empty())
        std::abort();
    return 0;
}

std::vector<std::string> overlane::fuzz::seeds()
{
    TraceBuilder builder;
    const TrackId device = builder.addTrack(TrackId(), TrackKind::Device, "GPU 0", 0);
    const TrackId engine = builder.addTrack(device, TrackKind::EngineH2D, "copies to device", 0);
    const TrackId stream = builder.addTrack(engine, TrackKind::Stream, "stream 7", 0, 7);
    for (int at = 0; at < 200; ++at) {
        Event event;
        event.track = stream;
        event.startNs = std::int64_t{at} * 1000;
        event.durationNs = 900;
        event.name = builder.intern("copy " + std::to_string(at % 5));
        event.kind = EventKind::CopyH2D;
        event.copy = CopyInfo{4096, MemoryKind::Pinned, MemoryKind::Device, AsyncFlag::Async};
        builder.addEvent(event);
    }
    const TrackId process = builder.addTrack(TrackId(), TrackKind::Process, "python", -1, 5);
    builder.addTrack(process, TrackKind::Thread, "main", -1, 5);
    const TrackId stacks = builder.addTrack(process, TrackKind::Stacks, "stacks of main", -1, 5);
    for (int sample = 0; sample < 20; ++sample)
        for (int depth = 0; depth < 3 + sample % 3; ++depth) {
            Event event;
            event.track = stacks;
            event.startNs = std::int64_t{sample} * 10'000;
            event.durationNs = 10'000;
            event.name = builder.intern("train.py:" + std::to_string(depth * 7 + sample % 2) + " f");
            event.kind = depth == 0 ? EventKind::ProgramFrame : EventKind::LibraryFrame;
            builder.addEvent(event);
        }
    const TrackId counter = builder.addCounter(TrackId(), "pinned", CounterUnit::Bytes);
    builder.addSample(counter, 10, 4096);
    builder.addDevice({0, "a GPU", 1 << 30, 5e9});
    builder.metadata().scenarioJson = "{}";
    const Trace trace = builder.build();
    const TemporaryFile file("");
    Progress progress;
    if (!overlaneFormat().write(trace, file.path(), progress).ok())
        return {""};
    const std::string whole = fileBytes(file.path());
    // A file of before checksums, so that what is behind them is reached as well.
    Result<SqliteDatabase> older = SqliteDatabase::openForWriting(file.path());
    if (!older.ok() || !older.value()
                            .execute("DELETE FROM meta WHERE key LIKE 'checksum %';"
                                     "ALTER TABLE columns DROP COLUMN checksum")
                            .ok())
        return {""};
    return {whole, fileBytes(file.path())};
}
