#include "core/io/overlane_writer.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <random>
#include <system_error>

#include "core/io/overlane_recovery.h"
#include "core/io/overlane_schema.h"

namespace overlane
{
namespace
{

std::int64_t stored(StringId id)
{
    return id.valid() ? static_cast<std::int64_t>(id.value()) : -1;
}

std::string setCookie(std::uint32_t cookie)
{
    return "PRAGMA schema_version = " + std::to_string(cookie);
}

// With a number of its own, so that a journal of another recording is not taken for one of this.
std::uint32_t newRecordingMark()
{
    return kOverlaneRecordingMark | (std::random_device()() & 0x00FFFFFFu);
}

}  // namespace

Result<OverlaneWriter> OverlaneWriter::create(const std::string& path, Safety safety)
{
    // Before SQLite sees it, which would play back a journal beside it.
    std::error_code failure;
    if (std::filesystem::exists(path, failure) && std::filesystem::file_size(path, failure) != 0)
        return Error{failure ? "it cannot be replaced: " + failure.message() + "."
                             : "the file exists and holds data already."};
    removeJournal(path);
    ASSIGN_OR_RETURN(SqliteDatabase opened,
                     SqliteDatabase::openForWriting(path, safety == Safety::Crash ? SqliteDatabase::Locks::Sqlite
                                                                                  : SqliteDatabase::Locks::Unlocked));
    OverlaneWriter writer(std::move(opened), safety);
    const std::string identity = "PRAGMA application_id = " + std::to_string(kOverlaneApplicationId) +
                                 "; PRAGMA user_version = " + std::to_string(kOverlaneVersion);
    const std::string mark = safety == Safety::Crash ? setCookie(newRecordingMark()) : std::string();
    Result<void> done = writer.prepareFlushes();
    for (const char* sql : {"PRAGMA page_size = 16384", "BEGIN", identity.c_str(), kOverlaneTables})
        if (done.ok())
            done = writer.m_database.execute(sql);
    if (done.ok())
        done = writer.writeAll();
    for (const char* sql : {mark.c_str(), "COMMIT"})
        if (done.ok())
            done = writer.m_database.execute(sql);
    if (!done.ok())
        return done.failure();
    return writer;
}

Result<void> OverlaneWriter::prepareFlushes()
{
    // Nothing of an open transaction may reach the file before its commit: no cache spill.
    return m_database.execute(
        m_safety == Safety::Crash
            ? "PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL; PRAGMA cache_spill = OFF"
            : "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
}

Result<void> OverlaneWriter::followTo(const std::string& path)
{
    // The connection would go on to put its journals beside the former name.
    ASSIGN_OR_RETURN(SqliteDatabase opened,
                     SqliteDatabase::openForWriting(path, m_safety == Safety::Crash ? SqliteDatabase::Locks::Sqlite
                                                                                    : SqliteDatabase::Locks::Unlocked));
    m_database = std::move(opened);
    return prepareFlushes();
}

TrackId OverlaneWriter::addRow(TrackRow row)
{
    assert(!row.parent.valid() || row.parent.index() < m_tracks.size());
    m_tracks.push_back(std::move(row));
    return TrackId(m_tracks.size() - 1);
}

TrackId OverlaneWriter::addTrack(TrackId parent, TrackKind kind, std::string_view name, std::int32_t device,
                                 std::int64_t nativeId, std::int32_t sortOrder)
{
    return addRow({parent, kind, std::string(name), device, nativeId, sortOrder, -1});
}

void OverlaneWriter::renameTrack(TrackId track, std::string_view name, std::int32_t sortOrder)
{
    TrackRow& row = m_tracks[track.index()];
    row.name = name;
    row.sortOrder = sortOrder;
    row.changed = true;
}

void OverlaneWriter::setTrackKind(TrackId track, TrackKind kind)
{
    m_tracks[track.index()].kind = kind;
    m_tracks[track.index()].changed = true;
}

void OverlaneWriter::markBookkeeping(TrackId track)
{
    m_tracks[track.index()].bookkeeping = true;
    m_tracks[track.index()].changed = true;
}

TrackId OverlaneWriter::addCounter(TrackId parent, std::string_view name, CounterUnit unit, std::int32_t sortOrder)
{
    return addRow({parent, TrackKind::Counter, std::string(name), -1, 0, sortOrder, static_cast<std::int32_t>(unit)});
}

void OverlaneWriter::addEvent(const Event& event, const CollectiveInfo* collective)
{
    assert(event.track.index() < m_tracks.size());
    assert(event.copy.has_value() == isCopy(event.kind));
    m_events.track.push_back(event.track.value());
    m_events.startNs.push_back(event.startNs);
    m_events.durationNs.push_back(event.durationNs);
    m_events.name.push_back(stored(event.name));
    m_events.kind.push_back(static_cast<std::int64_t>(event.kind));
    m_events.correlation.push_back(event.correlation);
    m_events.process.push_back(event.process);
    m_events.color.push_back(event.color);
    m_events.graph.push_back(event.graph);
    m_events.collective.push_back(collective ? static_cast<std::int64_t>(collective->kind) + 1 : 0);
    if (collective) {
        m_events.collectiveGroup.push_back(stored(collective->group));
        m_events.collectiveSequence.push_back(collective->sequence);
        m_events.collectiveBytes.push_back(collective->bytes);
        m_events.collectiveSize.push_back(collective->groupSize);
    }
    if (event.copy) {
        m_events.copyBytes.push_back(event.copy->bytes);
        m_events.copySource.push_back(static_cast<std::int64_t>(event.copy->source));
        m_events.copyDestination.push_back(static_cast<std::int64_t>(event.copy->destination));
        m_events.copyAsync.push_back(static_cast<std::int64_t>(event.copy->async));
    }
    if (m_events.track.size() == static_cast<std::size_t>(kOverlaneChunkRows))
        packEvents();
}

void OverlaneWriter::addSample(TrackId counter, std::int64_t timeNs, double value)
{
    assert(counter.index() < m_tracks.size() && m_tracks[counter.index()].counterUnit >= 0);
    m_samples.track.push_back(counter.value());
    m_samples.timeNs.push_back(timeNs);
    m_samples.value.push_back(value);
    if (m_samples.track.size() == static_cast<std::size_t>(kOverlaneChunkRows))
        packSamples();
}

void OverlaneWriter::addDevice(const DeviceInfo& device)
{
    const auto found = std::find_if(m_devices.begin(), m_devices.end(),
                                    [&](const DeviceInfo& other) { return other.id == device.id; });
    if (found != m_devices.end())
        *found = device;
    else
        m_devices.push_back(device);
}

void OverlaneWriter::packEvents()
{
    if (m_events.track.empty())
        return;
    PackedChunk chunk{"events", m_events.track.size(), {}};
    for (const OverlaneColumn& column : kOverlaneEventColumns) {
        const std::vector<std::int64_t>& values = m_events.*column.values;
        // Those of collectives are written together, so that one that is missing is known to be lost.
        const bool isLeftOut =
            column.rows == OverlaneRows::Collectives
                ? values.empty()
                : column.optional && std::all_of(values.begin(), values.end(), [](std::int64_t v) { return v == 0; });
        if (isLeftOut)
            continue;
        const PackedBytes raw = encodeIntegers(values);
        chunk.columns.push_back({column.name, values.size(), raw.size(), zstdPack(raw)});
    }
    m_packed.push_back(std::move(chunk));
    for (const OverlaneColumn& column : kOverlaneEventColumns)
        (m_events.*column.values).clear();
}

void OverlaneWriter::packSamples()
{
    const std::size_t rows = m_samples.track.size();
    if (rows == 0)
        return;
    PackedChunk chunk{"samples", rows, {}};
    const auto add = [&](const char* name, const PackedBytes& raw) {
        chunk.columns.push_back({name, rows, raw.size(), zstdPack(raw)});
    };
    add("track", encodeIntegers(m_samples.track));
    add("time_ns", encodeIntegers(m_samples.timeNs));
    add("value", encodeReals(m_samples.value));
    m_packed.push_back(std::move(chunk));
    m_samples = {};
}

Result<void> OverlaneWriter::flush()
{
    return commit({});
}

Result<void> OverlaneWriter::finish()
{
    return commit(m_safety == Safety::Crash ? setCookie(kOverlaneFinishedCookie) : std::string());
}

Result<void> OverlaneWriter::commit(const std::string& last)
{
    packEvents();
    packSamples();
    Result<void> done = m_database.execute("BEGIN IMMEDIATE");
    if (done.ok())
        done = writeAll();
    if (done.ok())
        done = m_database.execute(last.c_str());
    if (done.ok())
        done = m_database.execute("COMMIT");
    return done;
}

Result<void> OverlaneWriter::writeAll()
{
    for (Result<void> (OverlaneWriter::*part)() :
         {&OverlaneWriter::writeStrings, &OverlaneWriter::writeTracks, &OverlaneWriter::writeDescription,
          &OverlaneWriter::writeChunks, &OverlaneWriter::writeChecksums}) {
        Result<void> done = (this->*part)();
        if (!done.ok())
            return done;
    }
    return {};
}

Result<void> OverlaneWriter::writeStrings()
{
    ASSIGN_OR_RETURN(SqliteStatement insert, m_database.prepare("INSERT INTO strings VALUES (?, ?)"));
    for (; m_writtenStrings < m_strings.size(); ++m_writtenStrings) {
        const auto id = static_cast<std::int64_t>(m_writtenStrings);
        const std::string_view text = m_strings.view(StringId(m_writtenStrings));
        insert.bind(1, id);
        insert.bind(2, text);
        m_stringSum.add(id);
        m_stringSum.add(text);
        if (Result<void> done = insert.run(); !done.ok())
            return done;
    }
    return {};
}

Result<void> OverlaneWriter::writeTracks()
{
    ASSIGN_OR_RETURN(SqliteStatement insert,
                     m_database.prepare("INSERT OR REPLACE INTO tracks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    SqliteStatement& row = insert;
    for (std::size_t id = 0; id < m_tracks.size(); ++id) {
        TrackRow& track = m_tracks[id];
        if (!track.changed)
            continue;
        row.bind(1, static_cast<std::int64_t>(id));
        if (track.parent.valid())
            row.bind(2, std::int64_t{track.parent.value()});
        else
            row.bindNull(2);
        row.bind(3, static_cast<std::int64_t>(track.kind));
        row.bind(4, std::string_view(track.name));
        row.bind(5, std::int64_t{track.device});
        row.bind(6, track.nativeId);
        row.bind(7, std::int64_t{track.sortOrder});
        if (track.counterUnit >= 0)
            row.bind(8, std::int64_t{track.counterUnit});
        else
            row.bindNull(8);
        row.bind(9, std::int64_t{track.bookkeeping});
        if (Result<void> done = row.run(); !done.ok())
            return done;
        track.changed = false;
    }
    return {};
}

Result<void> OverlaneWriter::writeDescription()
{
    Result<void> done =
        m_database.execute("DELETE FROM meta; DELETE FROM properties; DELETE FROM devices; DELETE FROM stats");
    Result<SqliteStatement> meta = m_database.prepare("INSERT INTO meta VALUES (?, ?)");
    Result<SqliteStatement> property = m_database.prepare("INSERT INTO properties VALUES (?, ?)");
    Result<SqliteStatement> device = m_database.prepare("INSERT INTO devices VALUES (?, ?, ?, ?, ?)");
    Result<SqliteStatement> stat = m_database.prepare("INSERT INTO stats VALUES (?, ?, ?, ?, ?)");
    for (const Result<SqliteStatement>* prepared : {&meta, &property, &device, &stat})
        if (!prepared->ok())
            return prepared->failure();

    const auto put = [&](std::string_view key, auto value) {
        meta.value().bind(1, key);
        meta.value().bind(2, value);
        if (done.ok())
            done = meta.value().run();
    };
    put("version", kOverlaneVersion);
    put("format", std::string_view(m_metadata.format));
    put("title", std::string_view(m_metadata.title));
    put("start_epoch_ns", m_metadata.startEpochNs);
    put("source_events", m_metadata.sourceEvents);
    put("scenario", std::string_view(m_metadata.scenarioJson));
    put("notes", std::string_view(m_metadata.notes));

    for (const auto& [name, value] : m_metadata.properties) {
        property.value().bind(1, std::string_view(name));
        property.value().bind(2, std::string_view(value));
        if (done.ok())
            done = property.value().run();
    }
    for (std::size_t at = 0; at < m_devices.size(); ++at) {
        device.value().bind(1, static_cast<std::int64_t>(at));
        device.value().bind(2, std::int64_t{m_devices[at].id});
        device.value().bind(3, std::string_view(m_devices[at].name));
        device.value().bind(4, m_devices[at].memoryBytes);
        device.value().bind(5, m_devices[at].linkBytesPerSecond);
        if (done.ok())
            done = device.value().run();
    }
    for (std::size_t at = 0; at < m_stats.all().size(); ++at) {
        const ImportStat& entry = m_stats.all()[at];
        stat.value().bind(1, static_cast<std::int64_t>(at));
        stat.value().bind(2, std::string_view(entry.reason));
        stat.value().bind(3, std::string_view(entry.explanation));
        stat.value().bind(4, static_cast<std::int64_t>(entry.severity));
        stat.value().bind(5, entry.count);
        if (done.ok())
            done = stat.value().run();
    }
    return done;
}

Result<void> OverlaneWriter::writeChunks()
{
    Result<SqliteStatement> chunkRow = m_database.prepare("INSERT INTO chunks VALUES (?, ?, ?)");
    Result<SqliteStatement> columnRow = m_database.prepare("INSERT INTO columns VALUES (?, ?, ?, ?, ?, ?)");
    for (const Result<SqliteStatement>* prepared : {&chunkRow, &columnRow})
        if (!prepared->ok())
            return prepared->failure();
    // Binds a value and adds it to the sum of its list.
    const auto put = [](SqliteStatement& row, OverlaneChecksum& sum, int parameter, auto value) {
        row.bind(parameter, value);
        sum.add(value);
    };
    for (const PackedChunk& chunk : m_packed) {
        put(chunkRow.value(), m_chunkSum, 1, m_nextChunk);
        put(chunkRow.value(), m_chunkSum, 2, std::string_view(chunk.kind));
        put(chunkRow.value(), m_chunkSum, 3, static_cast<std::int64_t>(chunk.rows));
        Result<void> done = chunkRow.value().run();
        for (const PackedColumn& column : chunk.columns) {
            const auto count = static_cast<std::int64_t>(column.count);
            const auto rawBytes = static_cast<std::int64_t>(column.rawBytes);
            put(columnRow.value(), m_columnSum, 1, m_nextChunk);
            put(columnRow.value(), m_columnSum, 2, std::string_view(column.name));
            columnRow.value().bind(3, count);
            columnRow.value().bind(4, rawBytes);
            put(columnRow.value(), m_columnSum, 5,
                columnChecksum(m_nextChunk, column.name, count, rawBytes, column.data));
            columnRow.value().bind(6, std::span<const std::uint8_t>(column.data));
            if (done.ok())
                done = columnRow.value().run();
        }
        if (!done.ok())
            return done;
        ++m_nextChunk;
    }
    m_packed.clear();
    return {};
}

// After everything else of a flush. What a flush writes anew is summed up as it is read again.
Result<void> OverlaneWriter::writeChecksums()
{
    ASSIGN_OR_RETURN(SqliteStatement insert, m_database.prepare("INSERT INTO meta VALUES (?, ?)"));
    const auto put = [&](const OverlanePart& part, const OverlaneChecksum& sum) {
        const std::string key = std::string(kOverlaneChecksumKey) + part.name;
        insert.bind(1, std::string_view(key));
        insert.bind(2, sum.value());
        return insert.run();
    };
    Result<void> done = put(kOverlaneStrings, m_stringSum);
    if (done.ok())
        done = put(kOverlaneChunks, m_chunkSum);
    if (done.ok())
        done = put(kOverlaneColumns, m_columnSum);
    for (const OverlanePart* part : {&kOverlaneMeta, &kOverlaneProperties, &kOverlaneTracks, &kOverlaneDevices,
                                     &kOverlaneStats, &kOverlaneWhole}) {
        ASSIGN_OR_RETURN(const OverlaneChecksum sum, checksumOf(m_database, *part));
        if (done.ok())
            done = put(*part, sum);
    }
    return done;
}

}  // namespace overlane
