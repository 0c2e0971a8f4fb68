#include "core/io/overlane_reader.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "core/io/overlane_chunk_reader.h"
#include "core/io/overlane_integrity.h"
#include "core/io/overlane_recovery.h"
#include "core/io/overlane_schema.h"
#include "core/io/sqlite_database.h"
#include "core/trace/counter_names.h"
#include "core/trace/trace_builder.h"

namespace overlane
{
namespace
{

bool within(std::int64_t value, std::int64_t first, std::int64_t last)
{
    return value >= first && value <= last;
}

bool contains(const std::vector<std::string>& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

class OverlaneReader
{
public:
    OverlaneReader(SqliteDatabase& database, std::int64_t fileBytes, const MemoryGuard& guard, Progress& progress)
        : m_database(database), m_fileBytes(fileBytes), m_guard(guard), m_progress(progress)
    {
    }

    Result<Trace> read(const OverlaneRecovery& recovery)
    {
        for (Result<void> (OverlaneReader::*part)() :
             {&OverlaneReader::readVersion, &OverlaneReader::readMetadata, &OverlaneReader::readProperties,
              &OverlaneReader::readStrings, &OverlaneReader::readTracks, &OverlaneReader::readDevices,
              &OverlaneReader::readStats})
            RETURN_IF_ERROR((this->*part)());
        OverlaneChunkReader chunks(m_database, m_tables, m_builder, m_integrity);
        RETURN_IF_ERROR(chunks.read(m_fileBytes, m_guard, m_progress));
        recovery.addNotes(m_builder.stats());
        m_integrity.addNotes(m_builder.stats());
        Trace trace = m_builder.build(false, &m_progress);
        return m_progress.cancelled() ? Result<Trace>(Error::cancelled()) : std::move(trace);
    }

private:
    Result<void> readVersion();
    Result<void> readMetadata();
    Result<void> readProperties();
    Result<void> readStrings();
    Result<void> readTracks();
    Result<void> readDevices();
    Result<void> readStats();

    // Calls `row` with every row of a part and holds the rows against their checksum.
    template <typename Row>
    Result<void> readPart(const OverlanePart& part, Row row)
    {
        OverlaneChecksum sum;
        Result<void> done = forEachRow(m_database, part.rows, [&](SqliteStatement& read) {
            sum.addRow(read, part.columns);
            return row(read);
        });
        if (done.ok())
            m_integrity.check(part, sum);
        return done;
    }
    // As readPart(), for a part that a trace can be shown without: what comes after its damage is lost.
    template <typename Row>
    Result<void> readWhatIsThere(const OverlanePart& part, Row row)
    {
        Result<void> done = readPart(part, row);
        if (done.ok() || done.isCancelled())
            return done;
        m_integrity.partLost(part, done.error());
        return {};
    }

    SqliteDatabase& m_database;
    std::int64_t m_fileBytes;
    const MemoryGuard& m_guard;
    Progress& m_progress;
    TraceBuilder m_builder;
    OverlaneIntegrity m_integrity;
    OverlaneTables m_tables;
};

Result<void> OverlaneReader::readVersion()
{
    Result<std::int64_t> version = m_database.integer("PRAGMA user_version");
    if (!version.ok())
        return version.failure();
    if (version.value() > kOverlaneVersion)
        return Error{"it was saved by a newer Overlane (file version " + std::to_string(version.value()) +
                     "; this program reads up to " + std::to_string(kOverlaneVersion) +
                     "). Update Overlane to open it."};
    if (version.value() < 1)
        return damaged("it carries no file version.");
    return {};
}

Result<void> OverlaneReader::readMetadata()
{
    ASSIGN_OR_RETURN(const std::vector<std::string> columns, m_database.columns("columns"));
    m_integrity.setColumnsHaveSums(contains(columns, "checksum"));
    Result<void> sums = forEachRow(m_database, "SELECT key, value FROM meta", [&](SqliteStatement& row) {
        m_integrity.know(row.text(0), row.integer(1));
        return Result<void>();
    });
    if (!sums.ok())
        return sums;
    if (const Result<OverlaneChecksum> whole = checksumOf(m_database, kOverlaneWhole); whole.ok())
        m_integrity.check(kOverlaneWhole, whole.value());
    TraceMetadata& metadata = m_builder.metadata();
    return readPart(kOverlaneMeta, [&](SqliteStatement& row) {
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
}

Result<void> OverlaneReader::readProperties()
{
    return readWhatIsThere(kOverlaneProperties, [&](SqliteStatement& row) {
        m_builder.metadata().properties.insert_or_assign(std::string(row.text(0)), std::string(row.text(1)));
        return Result<void>();
    });
}

Result<void> OverlaneReader::readStrings()
{
    return readWhatIsThere(kOverlaneStrings, [&](SqliteStatement& row) -> Result<void> {
        if (row.integer(0) != static_cast<std::int64_t>(m_tables.strings.size()))
            return Error{"name " + std::to_string(m_tables.strings.size()) + " is missing."};
        m_tables.strings.push_back(m_builder.intern(row.text(1)));
        return {};
    });
}

Result<void> OverlaneReader::readTracks()
{
    // Files of before this column read as if nothing were bookkeeping.
    ASSIGN_OR_RETURN(const std::vector<std::string> columns, m_database.columns("tracks"));
    OverlanePart part = kOverlaneTracks;
    const std::string older =
        "SELECT id, parent, kind, name, device, native_id, sort_order, counter_unit, 0 "
        "FROM tracks ORDER BY id";
    if (!contains(columns, "bookkeeping"))
        part.rows = older.c_str();
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
        if (depths.back() > kOverlaneDeepestTrack)
            return damaged(which + "lies more than " + std::to_string(kOverlaneDeepestTrack) + " levels deep.");
        constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        if (!within(row.integer(2), 0, kTrackKindCount - 1) || !within(row.integer(4), -1, kMost) ||
            !within(row.integer(6), kLeast, kMost))
            return damaged(which + "has a kind, device or order out of range.");
        const bool isCounter = row.type(7) != SqliteType::Null;
        m_tables.isCounter.push_back(isCounter);
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
        m_builder.addCounter(parent, clearCounterName(row.text(3)), static_cast<CounterUnit>(row.integer(7)),
                             sortOrder);
        markIfBookkeeping();
        return {};
    };
    return readPart(part, addTrack);
}

Result<void> OverlaneReader::readDevices()
{
    return readWhatIsThere(kOverlaneDevices, [&](SqliteStatement& row) -> Result<void> {
        if (!within(row.integer(0), -1, std::numeric_limits<std::int32_t>::max()))
            return Error{"a device has the id " + std::to_string(row.integer(0)) + "."};
        m_builder.addDevice(
            {static_cast<std::int32_t>(row.integer(0)), std::string(row.text(1)), row.integer(2), row.real(3)});
        return {};
    });
}

Result<void> OverlaneReader::readStats()
{
    return readWhatIsThere(kOverlaneStats, [&](SqliteStatement& row) -> Result<void> {
        if (!within(row.integer(2), 0, static_cast<std::int64_t>(Severity::Error)))
            return Error{"an import count has an unknown severity."};
        m_builder.stats().add(row.text(0), row.text(1), static_cast<Severity>(row.integer(2)), row.integer(3));
        return {};
    });
}

Result<Trace> readFrom(const OverlaneRecovery& recovery, const MemoryGuard& guard, Progress& progress)
{
    std::error_code failure;
    const std::uintmax_t bytes = std::filesystem::file_size(recovery.path(), failure);
    if (failure)
        return Error{"it cannot be read: " + failure.message() + "."};
    ASSIGN_OR_RETURN(SqliteDatabase database, SqliteDatabase::openStranger(recovery.path(), &progress));
    return OverlaneReader(database, static_cast<std::int64_t>(bytes), guard, progress).read(recovery);
}

}  // namespace

Result<Trace> readOverlane(const std::string& path, Progress& progress, const MemoryGuard& guard)
{
    for (const auto where : {OverlaneRecovery::Where::InPlace, OverlaneRecovery::Where::InCopy}) {
        ASSIGN_OR_RETURN(const OverlaneRecovery recovery, OverlaneRecovery::forFile(path, where));
        Result<Trace> trace = readFrom(recovery, guard, progress);
        if (!recovery.changed() || progress.cancelled())
            return trace;
    }
    return Error{"it is being written right now. Open it again in a moment."};
}

}  // namespace overlane
