#include "core/io/native_reader.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "core/io/native_columns.h"
#include "core/io/native_recovery.h"
#include "core/io/native_schema.h"
#include "core/io/sqlite_database.h"
#include "core/trace/trace_builder.h"

namespace overlane
{
namespace
{

Error damaged(const std::string& what)
{
    return Error{"the file is damaged: " + what};
}

bool within(std::int64_t value, std::int64_t first, std::int64_t last)
{
    return value >= first && value <= last;
}

// Calls `row` for every row of a query until it answers an Error.
template <typename Row>
Result<void> forEachRow(SqliteDatabase& database, std::string_view sql, Row row)
{
    Result<SqliteStatement> rows = database.prepare(sql);
    if (!rows.ok())
        return Error{rows.error()};
    for (;;) {
        const Result<bool> more = rows.value().step();
        if (!more.ok())
            return Error{more.error()};
        if (!more.value())
            return {};
        if (Result<void> done = row(rows.value()); !done.ok())
            return done;
    }
}

class NativeReader
{
public:
    NativeReader(SqliteDatabase& database, std::int64_t fileBytes, Progress& progress)
        : m_database(database), m_fileBytes(fileBytes), m_progress(progress)
    {
    }

    Result<Trace> read()
    {
        for (Result<void> (NativeReader::*part)() :
             {&NativeReader::readVersion, &NativeReader::readMetadata, &NativeReader::readStrings,
              &NativeReader::readTracks, &NativeReader::readDevices, &NativeReader::readStats, &NativeReader::checkSize,
              &NativeReader::readChunks})
            if (Result<void> done = (this->*part)(); !done.ok())
                return Error{done.error()};
        return m_builder.build(false);
    }

private:
    Result<void> readVersion();
    Result<void> readMetadata();
    Result<void> readStrings();
    Result<void> readTracks();
    Result<void> readDevices();
    Result<void> readStats();
    Result<void> checkSize();
    Result<void> readChunks();
    Result<void> readEvents(std::int64_t chunk, std::size_t rows);
    Result<void> readSamples(std::int64_t chunk, std::size_t rows);
    Result<bool> has(std::int64_t chunk, const char* column);
    Result<PackedBytes> unpack(std::int64_t chunk, const char* column, std::size_t count);
    Result<std::vector<std::int64_t>> integers(std::int64_t chunk, const char* column, std::size_t count);
    Result<void> addEvents(const NativeEventChunk& chunk, std::size_t rows);

    SqliteDatabase& m_database;
    std::int64_t m_fileBytes;
    Progress& m_progress;
    TraceBuilder m_builder;
    std::optional<SqliteStatement> m_column;
    std::vector<StringId> m_strings;
    std::vector<bool> m_isCounter;
    std::int64_t m_rows = 0;
};

Result<void> NativeReader::readVersion()
{
    Result<std::int64_t> version = m_database.integer("PRAGMA user_version");
    if (!version.ok())
        return Error{version.error()};
    if (version.value() > kNativeVersion)
        return Error{"it was saved by a newer Overlane (file version " + std::to_string(version.value()) +
                     "; this program reads up to " + std::to_string(kNativeVersion) + "). Update Overlane to open it."};
    if (version.value() < 1)
        return damaged("it carries no file version.");
    return {};
}

Result<void> NativeReader::readMetadata()
{
    TraceMetadata& metadata = m_builder.metadata();
    Result<void> done = forEachRow(m_database, "SELECT key, value FROM meta", [&](SqliteStatement& row) {
        const std::string_view key = row.text(0);
        if (key == "format")
            metadata.format = row.text(1);
        else if (key == "title")
            metadata.title = row.text(1);
        else if (key == "start_epoch_ns")
            metadata.startEpochNs = row.integer(1);
        else if (key == "source_events")
            metadata.sourceEvents = row.integer(1);
        else if (key == "scenario")
            metadata.scenarioJson = row.text(1);
        else if (key == "notes")
            metadata.notes = row.text(1);
        return Result<void>();
    });
    if (!done.ok())
        return done;
    return forEachRow(m_database, "SELECT name, value FROM properties", [&](SqliteStatement& row) {
        metadata.properties.insert_or_assign(std::string(row.text(0)), std::string(row.text(1)));
        return Result<void>();
    });
}

Result<void> NativeReader::readStrings()
{
    return forEachRow(m_database, "SELECT id, text FROM strings ORDER BY id",
                      [&](SqliteStatement& row) -> Result<void> {
                          if (row.integer(0) != static_cast<std::int64_t>(m_strings.size()))
                              return damaged("name " + std::to_string(m_strings.size()) + " is missing.");
                          m_strings.push_back(m_builder.intern(row.text(1)));
                          return {};
                      });
}

Result<void> NativeReader::readTracks()
{
    // Files of before this column read as if nothing were bookkeeping.
    const Result<std::vector<std::string>> columns = m_database.columns("tracks");
    if (!columns.ok())
        return Error{columns.error()};
    const bool hasBookkeeping =
        std::find(columns.value().begin(), columns.value().end(), "bookkeeping") != columns.value().end();
    std::vector<std::int64_t> depths;
    const auto addTrack = [&](SqliteStatement& row) -> Result<void> {
        const auto id = static_cast<std::int64_t>(depths.size());
        const std::string which = "track " + std::to_string(id) + " ";
        if (row.integer(0) != id)
            return damaged(which + "is missing.");
        const bool isRoot = row.type(1) == SqliteType::Null;
        if (!isRoot && (!row.isInteger(1) || !within(row.integer(1), 0, id - 1)))
            return damaged(which + "has no valid parent.");
        const TrackId parent = isRoot ? TrackId() : TrackId(static_cast<std::size_t>(row.integer(1)));
        depths.push_back(isRoot ? 0 : depths[parent.index()] + 1);
        if (depths.back() > kNativeDeepestTrack)
            return damaged(which + "lies more than " + std::to_string(kNativeDeepestTrack) + " levels deep.");
        constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        if (!within(row.integer(2), 0, static_cast<std::int64_t>(TrackKind::Annotations)) ||
            !within(row.integer(4), -1, kMost) || !within(row.integer(6), kLeast, kMost))
            return damaged(which + "has a kind, device or order out of range.");
        const bool isCounter = row.type(7) != SqliteType::Null;
        m_isCounter.push_back(isCounter);
        const auto sortOrder = static_cast<std::int32_t>(row.integer(6));
        const auto markIfBookkeeping = [&] {
            if (row.integer(8) != 0)
                m_builder.markBookkeeping(TrackId(static_cast<std::size_t>(id)));
        };
        if (!isCounter) {
            m_builder.addTrack(parent, static_cast<TrackKind>(row.integer(2)), row.text(3),
                               static_cast<std::int32_t>(row.integer(4)), row.integer(5), sortOrder);
            markIfBookkeeping();
            return {};
        }
        if (!within(row.integer(7), 0, static_cast<std::int64_t>(CounterUnit::BytesPerSecond)))
            return damaged(which + "counts in an unknown unit.");
        m_builder.addCounter(parent, row.text(3), static_cast<CounterUnit>(row.integer(7)), sortOrder);
        markIfBookkeeping();
        return {};
    };
    const std::string sql =
        std::string("SELECT id, parent, kind, name, device, native_id, sort_order, counter_unit, ") +
        (hasBookkeeping ? "bookkeeping" : "0") + " FROM tracks ORDER BY id";
    return forEachRow(m_database, sql, addTrack);
}

Result<void> NativeReader::readDevices()
{
    return forEachRow(m_database, "SELECT id, name, memory_bytes, link_bytes_per_second FROM devices ORDER BY position",
                      [&](SqliteStatement& row) -> Result<void> {
                          if (!within(row.integer(0), -1, std::numeric_limits<std::int32_t>::max()))
                              return damaged("a device has the id " + std::to_string(row.integer(0)) + ".");
                          m_builder.addDevice({static_cast<std::int32_t>(row.integer(0)), std::string(row.text(1)),
                                               row.integer(2), row.real(3)});
                          return {};
                      });
}

Result<void> NativeReader::readStats()
{
    return forEachRow(m_database, "SELECT reason, explanation, severity, count FROM stats ORDER BY position",
                      [&](SqliteStatement& row) -> Result<void> {
                          if (!within(row.integer(2), 0, static_cast<std::int64_t>(Severity::Error)))
                              return damaged("an import count has an unknown severity.");
                          m_builder.stats().add(row.text(0), row.text(1), static_cast<Severity>(row.integer(2)),
                                                row.integer(3));
                          return {};
                      });
}

Result<void> NativeReader::checkSize()
{
    // Packed columns may be small, but a tiny file that announces billions of events is an attack.
    constexpr std::int64_t kRowsAlwaysAccepted = 16 << 20;
    constexpr std::int64_t kMostRowsPerByte = 64;
    constexpr std::int64_t kMostEvents = std::numeric_limits<std::uint32_t>::max() - 1;
    Result<void> done = forEachRow(m_database, "SELECT rows FROM chunks", [&](SqliteStatement& row) -> Result<void> {
        if (!within(row.integer(0), 1, kNativeLongestChunkRows))
            return damaged("a chunk announces " + std::to_string(row.integer(0)) + " rows.");
        m_rows += row.integer(0);
        return {};
    });
    if (!done.ok())
        return done;
    if (m_rows > kMostEvents || (m_rows > kRowsAlwaysAccepted && m_rows / kMostRowsPerByte > m_fileBytes))
        return damaged("it announces " + std::to_string(m_rows) + " events in " + std::to_string(m_fileBytes) +
                       " bytes.");
    return {};
}

Result<void> NativeReader::readChunks()
{
    Result<SqliteStatement> column =
        m_database.prepare("SELECT count, raw_bytes, data FROM columns WHERE chunk = ? AND name = ?");
    if (!column.ok())
        return Error{column.error()};
    m_column = std::move(column).value();
    std::int64_t rowsDone = 0;
    Result<void> done = forEachRow(
        m_database, "SELECT id, kind, rows FROM chunks ORDER BY id", [&](SqliteStatement& row) -> Result<void> {
            if (m_progress.cancelled())
                return Error{Progress::kCancelled};
            m_progress.report(static_cast<double>(rowsDone) / static_cast<double>(m_rows));
            const std::int64_t rows = row.integer(2);
            rowsDone += rows;
            if (row.text(1) == "events")
                return readEvents(row.integer(0), static_cast<std::size_t>(rows));
            if (row.text(1) == "samples")
                return readSamples(row.integer(0), static_cast<std::size_t>(rows));
            return damaged("chunk " + std::to_string(row.integer(0)) + " is of an unknown kind.");
        });
    m_column.reset();
    return done;
}

Result<bool> NativeReader::has(std::int64_t chunk, const char* column)
{
    m_column->reset();
    m_column->bind(1, chunk);
    m_column->bind(2, std::string_view(column));
    return m_column->step();
}

Result<PackedBytes> NativeReader::unpack(std::int64_t chunk, const char* column, std::size_t count)
{
    const std::string where = "column " + std::string(column) + " of chunk " + std::to_string(chunk) + ": ";
    const Result<bool> found = has(chunk, column);
    if (!found.ok())
        return Error{found.error()};
    if (!found.value())
        return damaged(where + "it is missing.");
    if (m_column->integer(0) != static_cast<std::int64_t>(count))
        return damaged(where + "it has " + std::to_string(m_column->integer(0)) + " values where " +
                       std::to_string(count) + " belong.");
    const std::int64_t rawBytes = m_column->integer(1);
    if (!within(rawBytes, 0, static_cast<std::int64_t>(count) * kNativeLongestIntegerBytes))
        return damaged(where + "it announces " + std::to_string(rawBytes) + " bytes.");
    Result<PackedBytes> raw = zstdUnpack(m_column->blob(2), static_cast<std::size_t>(rawBytes));
    if (!raw.ok())
        return damaged(where + raw.error());
    return raw;
}

Result<std::vector<std::int64_t>> NativeReader::integers(std::int64_t chunk, const char* column, std::size_t count)
{
    const Result<PackedBytes> raw = unpack(chunk, column, count);
    if (!raw.ok())
        return Error{raw.error()};
    Result<std::vector<std::int64_t>> values = decodeIntegers(raw.value(), count);
    if (!values.ok())
        return damaged("column " + std::string(column) + " of chunk " + std::to_string(chunk) + ": " + values.error());
    return values;
}

Result<void> NativeReader::readEvents(std::int64_t chunk, std::size_t rows)
{
    NativeEventChunk events;
    std::size_t copies = 0;
    for (const NativeColumn& column : kNativeEventColumns) {
        if (column.optional) {
            const Result<bool> stored = has(chunk, column.name);
            if (!stored.ok())
                return Error{stored.error()};
            if (!stored.value()) {
                (events.*column.values).assign(rows, 0);
                continue;
            }
        }
        Result<std::vector<std::int64_t>> values = integers(chunk, column.name, column.copiesOnly ? copies : rows);
        if (!values.ok())
            return Error{values.error()};
        events.*column.values = std::move(values).value();
        if (column.values == &NativeEventChunk::kind) {
            for (const std::int64_t kind : events.kind) {
                if (!within(kind, 0, kEventKindCount - 1))
                    return damaged("an event is of the unknown kind " + std::to_string(kind) + ".");
                copies += isCopy(static_cast<EventKind>(kind)) ? 1 : 0;
            }
        }
    }
    return addEvents(events, rows);
}

Result<void> NativeReader::addEvents(const NativeEventChunk& chunk, std::size_t rows)
{
    constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
    const auto memoryKind = [](std::int64_t kind) {
        return within(kind, 0, static_cast<std::int64_t>(MemoryKind::Managed));
    };
    std::size_t copy = 0;
    for (std::size_t at = 0; at < rows; ++at) {
        if (!within(chunk.track[at], 0, static_cast<std::int64_t>(m_isCounter.size()) - 1) ||
            m_isCounter[static_cast<std::size_t>(chunk.track[at])])
            return damaged("an event lies on track " + std::to_string(chunk.track[at]) + ", which cannot hold it.");
        if (!within(chunk.name[at], -1, static_cast<std::int64_t>(m_strings.size()) - 1))
            return damaged("an event has the name " + std::to_string(chunk.name[at]) + ", which does not exist.");
        if (!within(chunk.correlation[at], 0, kMost) || !within(chunk.process[at], 0, kMost))
            return damaged("an event has a correlation or process out of range.");
        if (!within(chunk.colour[at], 0, kMost))
            return damaged("an event has a colour out of range.");
        Event event;
        event.track = TrackId(static_cast<std::size_t>(chunk.track[at]));
        event.startNs = chunk.startNs[at];
        event.durationNs = chunk.durationNs[at];
        event.name = chunk.name[at] < 0 ? StringId() : m_strings[static_cast<std::size_t>(chunk.name[at])];
        event.kind = static_cast<EventKind>(chunk.kind[at]);
        event.correlation = static_cast<std::uint32_t>(chunk.correlation[at]);
        event.process = static_cast<std::uint32_t>(chunk.process[at]);
        event.colour = static_cast<std::uint32_t>(chunk.colour[at]);
        if (isCopy(event.kind)) {
            if (chunk.copyBytes[copy] < 0 || !memoryKind(chunk.copySource[copy]) ||
                !memoryKind(chunk.copyDestination[copy]) ||
                !within(chunk.copyAsync[copy], 0, static_cast<std::int64_t>(AsyncFlag::Async)))
                return damaged("a copy has a size, memory kind or flag out of range.");
            event.copy = CopyInfo{chunk.copyBytes[copy], static_cast<MemoryKind>(chunk.copySource[copy]),
                                  static_cast<MemoryKind>(chunk.copyDestination[copy]),
                                  static_cast<AsyncFlag>(chunk.copyAsync[copy])};
            ++copy;
        }
        m_builder.addEvent(event);
    }
    return {};
}

Result<void> NativeReader::readSamples(std::int64_t chunk, std::size_t rows)
{
    const Result<std::vector<std::int64_t>> tracks = integers(chunk, "track", rows);
    if (!tracks.ok())
        return Error{tracks.error()};
    const Result<std::vector<std::int64_t>> times = integers(chunk, "time_ns", rows);
    if (!times.ok())
        return Error{times.error()};
    const Result<PackedBytes> raw = unpack(chunk, "value", rows);
    if (!raw.ok())
        return Error{raw.error()};
    const Result<std::vector<double>> values = decodeReals(raw.value(), rows);
    if (!values.ok())
        return damaged("column value of chunk " + std::to_string(chunk) + ": " + values.error());
    for (std::size_t at = 0; at < rows; ++at) {
        const std::int64_t track = tracks.value()[at];
        if (!within(track, 0, static_cast<std::int64_t>(m_isCounter.size()) - 1) ||
            !m_isCounter[static_cast<std::size_t>(track)])
            return damaged("a sample lies on track " + std::to_string(track) + ", which is no counter.");
        m_builder.addSample(TrackId(static_cast<std::size_t>(track)), times.value()[at], values.value()[at]);
    }
    return {};
}

}  // namespace

Result<Trace> readNative(const std::string& path, Progress& progress)
{
    const Result<NativeRecovery> recovery = NativeRecovery::forFile(path);
    if (!recovery.ok())
        return Error{recovery.error()};
    std::error_code failure;
    const std::uintmax_t bytes = std::filesystem::file_size(recovery.value().path(), failure);
    if (failure)
        return Error{"it cannot be read: " + failure.message() + "."};
    Result<SqliteDatabase> database = SqliteDatabase::openStranger(recovery.value().path(), &progress);
    if (!database.ok())
        return Error{database.error()};
    return NativeReader(database.value(), static_cast<std::int64_t>(bytes), progress).read();
}

}  // namespace overlane
