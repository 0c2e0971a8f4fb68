#include "core/io/overlane_chunk_reader.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/io/overlane_schema.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kMostUnsigned = std::numeric_limits<std::uint32_t>::max();

// What an event has in place of a column that is lost; nothing where it is no event without it.
std::optional<std::int64_t> substitute(const OverlaneColumn& column)
{
    for (const auto essential : {&OverlaneEventChunk::track, &OverlaneEventChunk::startNs,
                                 &OverlaneEventChunk::durationNs, &OverlaneEventChunk::kind})
        if (column.values == essential)
            return std::nullopt;
    for (const auto known :
         {&OverlaneEventChunk::name, &OverlaneEventChunk::collectiveGroup, &OverlaneEventChunk::collectiveSequence})
        if (column.values == known)
            return -1;
    return 0;
}

}  // namespace

Result<void> OverlaneChunkReader::read(std::int64_t fileBytes, const MemoryGuard& guard, Progress& progress)
{
    m_progress = &progress;
    if (Result<void> done = readList(fileBytes); !done.ok())
        return done;
    if (!guard.fits(static_cast<std::size_t>(m_rows)))
        return guard.tooMany("it");
    ASSIGN_OR_RETURN(SqliteStatement column, m_database.prepare(std::string("SELECT count, raw_bytes, data, ") +
                                                                (m_integrity.columnsHaveSums() ? "checksum" : "0") +
                                                                " FROM columns WHERE chunk = ? AND name = ?"));
    m_column = std::move(column);
    std::int64_t rowsDone = 0;
    for (const Chunk& chunk : m_chunks) {
        if (progress.cancelled())
            return Error::cancelled();
        progress.report(static_cast<double>(rowsDone) / static_cast<double>(m_rows));
        rowsDone += chunk.rows;
        Result<void> done = readChunk(chunk);
        if (done.ok())
            continue;
        if (done.isCancelled())
            return done;
        m_integrity.chunkLost(chunk.id, chunk.rows, done.error());
        m_rowsLost += chunk.rows;
    }
    m_column.reset();
    if (m_rows > 0 && m_rowsLost == m_rows)
        return damaged(m_integrity.firstLoss());
    return {};
}

Result<void> OverlaneChunkReader::readList(std::int64_t fileBytes)
{
    // Packed columns may be small, but a tiny file that announces billions of events is an attack.
    constexpr std::int64_t kRowsAlwaysAccepted = 16 << 20;
    constexpr std::int64_t kMostRowsPerByte = 64;
    constexpr std::int64_t kMostEvents = kMostUnsigned - 1;
    OverlaneChecksum sum;
    Result<void> done = forEachRow(m_database, kOverlaneChunks.rows, [&](SqliteStatement& row) -> Result<void> {
        sum.addRow(row, kOverlaneChunks.columns);
        const Chunk chunk{row.integer(0), row.text(1) == "events", row.integer(2)};
        if (!chunk.events && row.text(1) != "samples")
            return damaged("chunk " + std::to_string(chunk.id) + " is of an unknown kind.");
        if (chunk.rows < 1 || chunk.rows > kOverlaneLongestChunkRows)
            return damaged("a chunk announces " + std::to_string(chunk.rows) + " rows.");
        m_rows += chunk.rows;
        m_chunks.push_back(chunk);
        return {};
    });
    if (!done.ok())
        return done;
    if (m_rows > kMostEvents || (m_rows > kRowsAlwaysAccepted && m_rows / kMostRowsPerByte > fileBytes))
        return damaged("it announces " + std::to_string(m_rows) + " events in " + std::to_string(fileBytes) +
                       " bytes.");
    m_integrity.check(kOverlaneChunks, sum);
    const Result<OverlaneChecksum> list =
        m_integrity.columnsHaveSums() ? checksumOf(m_database, kOverlaneColumns) : OverlaneChecksum();
    if (list.ok())
        m_integrity.check(kOverlaneColumns, list.value());
    else if (list.isCancelled())
        return list.failure();
    else
        m_integrity.partLost(kOverlaneColumns, list.error());
    return {};
}

Result<void> OverlaneChunkReader::readChunk(const Chunk& chunk)
{
    return chunk.events ? readEvents(chunk) : readSamples(chunk);
}

Result<bool> OverlaneChunkReader::find(std::int64_t chunk, const char* column)
{
    m_column->reset();
    m_column->bind(1, chunk);
    m_column->bind(2, std::string_view(column));
    return m_column->step();
}

Result<PackedBytes> OverlaneChunkReader::unpack(std::int64_t chunk, const char* column, std::size_t count)
{
    if (m_progress->cancelled())
        return Error::cancelled();
    const std::string where = "column " + std::string(column) + " of chunk " + std::to_string(chunk);
    const auto wrong = [&where](const std::string& what) { return Error{what}.in(where); };
    ASSIGN_OR_RETURN(const bool found, find(chunk, column));
    if (!found)
        return wrong("it is missing.");
    const std::int64_t stored = m_column->integer(0);
    const std::int64_t rawBytes = m_column->integer(1);
    const std::span<const std::uint8_t> data = m_column->blob(2);
    if (m_integrity.columnsHaveSums() && m_column->integer(3) != columnChecksum(chunk, column, stored, rawBytes, data))
        return wrong("it does not agree with its checksum.");
    if (stored != static_cast<std::int64_t>(count))
        return wrong("it has " + std::to_string(stored) + " values where " + std::to_string(count) + " belong.");
    if (rawBytes < 0 || rawBytes > static_cast<std::int64_t>(count) * kOverlaneLongestIntegerBytes)
        return wrong("it announces " + std::to_string(rawBytes) + " bytes.");
    Result<PackedBytes> raw = zstdUnpack(data, static_cast<std::size_t>(rawBytes));
    if (!raw.ok())
        return raw.failure().in(where);
    return raw;
}

OverlaneChunkReader::Integers OverlaneChunkReader::integers(std::int64_t chunk, const char* column, std::size_t count)
{
    ASSIGN_OR_RETURN(const PackedBytes raw, unpack(chunk, column, count));
    Integers values = decodeIntegers(raw, count);
    if (!values.ok())
        return values.failure().in("column " + std::string(column) + " of chunk " + std::to_string(chunk));
    return values;
}

OverlaneChunkReader::Integers OverlaneChunkReader::values(const Chunk& chunk, const OverlaneColumn& column,
                                                          std::size_t count)
{
    if (count == 0 && column.rows == OverlaneRows::Collectives)
        return std::vector<std::int64_t>();  // also where `collective` is lost, which counts them
    if (column.optional) {
        ASSIGN_OR_RETURN(const bool stored, find(chunk.id, column.name));
        // The columns of collectives are written together: where some are there, another is lost.
        bool isLost = column.rows == OverlaneRows::Collectives;
        if (!stored && column.values == &OverlaneEventChunk::collective) {
            ASSIGN_OR_RETURN(isLost, find(chunk.id, "collective_group"));
        }
        if (!stored && !isLost)
            return std::vector<std::int64_t>(count, 0);
    }
    Integers read = integers(chunk.id, column.name, count);
    if (read.ok())
        if (const Result<void> checked = checkRange(column, read.value()); !checked.ok())
            return checked.failure().in("column " + std::string(column.name) + " of chunk " + std::to_string(chunk.id));
    return read;
}

Result<void> OverlaneChunkReader::checkRange(const OverlaneColumn& column,
                                             const std::vector<std::int64_t>& values) const
{
    struct Range {
        std::vector<std::int64_t> OverlaneEventChunk::*values;
        std::int64_t least;
        std::int64_t most;
    };
    constexpr auto kMemories = static_cast<std::int64_t>(MemoryKind::Managed);
    const Range ranges[] = {
        {&OverlaneEventChunk::track, 0, static_cast<std::int64_t>(m_tables.isCounter.size()) - 1},
        {&OverlaneEventChunk::name, -1, static_cast<std::int64_t>(m_tables.strings.size()) - 1},
        {&OverlaneEventChunk::kind, 0, kEventKindCount - 1},
        {&OverlaneEventChunk::correlation, 0, kMostUnsigned},
        {&OverlaneEventChunk::process, 0, kMostUnsigned},
        {&OverlaneEventChunk::copyBytes, 0, std::numeric_limits<std::int64_t>::max()},
        {&OverlaneEventChunk::copySource, 0, kMemories},
        {&OverlaneEventChunk::copyDestination, 0, kMemories},
        {&OverlaneEventChunk::copyAsync, 0, static_cast<std::int64_t>(AsyncFlag::Async)},
        {&OverlaneEventChunk::color, 0, kMostUnsigned},
        {&OverlaneEventChunk::graph, 0, kMostUnsigned},
        // Kinds of a newer Overlane are unknown here.
        {&OverlaneEventChunk::collective, 0, kMostUnsigned},
        {&OverlaneEventChunk::collectiveGroup, -1, static_cast<std::int64_t>(m_tables.strings.size()) - 1},
        {&OverlaneEventChunk::collectiveSequence, -1, std::numeric_limits<std::int64_t>::max()},
        {&OverlaneEventChunk::collectiveBytes, 0, std::numeric_limits<std::int64_t>::max()},
        {&OverlaneEventChunk::collectiveSize, 0, kMostRanks},
    };
    for (const Range& range : ranges) {
        if (range.values != column.values)
            continue;
        for (const std::int64_t value : values) {
            if (value < range.least || value > range.most)
                return Error{"it holds " + std::to_string(value) + ", which is out of range."};
            if (column.values == &OverlaneEventChunk::track && m_tables.isCounter[static_cast<std::size_t>(value)])
                return Error{"an event lies on track " + std::to_string(value) + ", which cannot hold it."};
        }
    }
    return {};
}

Result<void> OverlaneChunkReader::readEvents(const Chunk& chunk)
{
    OverlaneEventChunk events;
    const auto rows = static_cast<std::size_t>(chunk.rows);
    std::size_t copies = 0;
    std::size_t collectives = 0;
    for (const OverlaneColumn& column : kOverlaneEventColumns) {
        const std::size_t count = column.rows == OverlaneRows::Copies        ? copies
                                  : column.rows == OverlaneRows::Collectives ? collectives
                                                                             : rows;
        Integers read = values(chunk, column, count);
        if (read.ok()) {
            events.*column.values = std::move(read).value();
        } else {
            const std::optional<std::int64_t> instead = substitute(column);
            if (!instead || read.isCancelled())
                return read.failure();
            m_integrity.columnLost(column.name, static_cast<std::int64_t>(count), read.error());
            (events.*column.values).assign(count, *instead);
            // Equal correlations of several processes would be joined.
            if (column.values == &OverlaneEventChunk::process)
                events.correlation.assign(count, 0);
        }
        if (column.values == &OverlaneEventChunk::kind)
            copies =
                static_cast<std::size_t>(std::count_if(events.kind.begin(), events.kind.end(), [](std::int64_t kind) {
                    return isCopy(static_cast<EventKind>(kind));
                }));
        if (column.values == &OverlaneEventChunk::collective)
            collectives = static_cast<std::size_t>(rows) -
                          static_cast<std::size_t>(std::count(events.collective.begin(), events.collective.end(), 0));
    }
    addEvents(events, rows);
    return {};
}

void OverlaneChunkReader::addEvents(const OverlaneEventChunk& chunk, std::size_t rows)
{
    const auto named = [&](std::int64_t id) {
        return id < 0 ? StringId() : m_tables.strings[static_cast<std::size_t>(id)];
    };
    std::size_t copy = 0;
    std::size_t collective = 0;
    for (std::size_t at = 0; at < rows; ++at) {
        Event event;
        event.track = TrackId(static_cast<std::size_t>(chunk.track[at]));
        event.startNs = chunk.startNs[at];
        event.durationNs = chunk.durationNs[at];
        event.name = named(chunk.name[at]);
        event.kind = static_cast<EventKind>(chunk.kind[at]);
        event.correlation = static_cast<std::uint32_t>(chunk.correlation[at]);
        event.process = static_cast<std::uint32_t>(chunk.process[at]);
        event.color = static_cast<std::uint32_t>(chunk.color[at]);
        event.graph = static_cast<std::uint32_t>(chunk.graph[at]);
        if (isCopy(event.kind)) {
            event.copy = CopyInfo{chunk.copyBytes[copy], static_cast<MemoryKind>(chunk.copySource[copy]),
                                  static_cast<MemoryKind>(chunk.copyDestination[copy]),
                                  static_cast<AsyncFlag>(chunk.copyAsync[copy])};
            ++copy;
        }
        if (chunk.collective[at] == 0) {
            m_builder.addEvent(event);
            continue;
        }
        CollectiveInfo info;
        if (chunk.collective[at] <= kCollectiveKindCount)
            info.kind = static_cast<CollectiveKind>(chunk.collective[at] - 1);
        info.group = named(chunk.collectiveGroup[collective]);
        info.sequence = chunk.collectiveSequence[collective];
        info.bytes = chunk.collectiveBytes[collective];
        info.groupSize = static_cast<std::int32_t>(chunk.collectiveSize[collective]);
        ++collective;
        m_builder.addEvent(event, event.kind == EventKind::Kernel ? &info : nullptr);
    }
}

Result<void> OverlaneChunkReader::readSamples(const Chunk& chunk)
{
    const auto rows = static_cast<std::size_t>(chunk.rows);
    const Integers tracks = integers(chunk.id, "track", rows);
    if (!tracks.ok())
        return tracks.failure();
    const Integers times = integers(chunk.id, "time_ns", rows);
    if (!times.ok())
        return times.failure();
    ASSIGN_OR_RETURN(const PackedBytes raw, unpack(chunk.id, "value", rows));
    const Result<std::vector<double>> values = decodeReals(raw, rows);
    if (!values.ok())
        return values.failure().in("column value of chunk " + std::to_string(chunk.id));
    for (const std::int64_t track : tracks.value())
        if (track < 0 || track >= static_cast<std::int64_t>(m_tables.isCounter.size()) ||
            !m_tables.isCounter[static_cast<std::size_t>(track)])
            return Error{"a sample lies on track " + std::to_string(track) + ", which is no counter."};
    for (std::size_t at = 0; at < rows; ++at)
        m_builder.addSample(TrackId(static_cast<std::size_t>(tracks.value()[at])), times.value()[at],
                            values.value()[at]);
    return {};
}

}  // namespace overlane
