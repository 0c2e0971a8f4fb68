// OverlaneWriter: writes an .overlane file as its content comes in, one transaction per flush().
//
// Owns the open file. Takes what TraceBuilder takes, in the same words; times are nanoseconds since
// `metadata().startEpochNs`. One thread. A program that is killed between two flushes leaves a file
// that opens with everything up to the last one. Content that was not flushed is lost with the writer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/string_pool.h"
#include "core/io/overlane_checksum.h"
#include "core/io/overlane_columns.h"
#include "core/io/sqlite_database.h"
#include "core/trace/event.h"
#include "core/trace/import_stats.h"
#include "core/trace/trace.h"

namespace overlane
{

class OverlaneWriter
{
public:
    // Crash: each flush is on disk when it returns, and until finish() the file says that it is not
    // finished. None: for files that are renamed into place when complete.
    enum class Safety : std::uint8_t { Crash, None };

    // `path` must not exist or be an empty file. A journal that an older file left there is removed.
    static Result<OverlaneWriter> create(const std::string& path, Safety safety = Safety::Crash);
    // The file was renamed, and no journal lies beside its new name: it grows there from now on.
    Result<void> followTo(const std::string& path);

    // Parents come before their children.
    TrackId addTrack(TrackId parent, TrackKind kind, std::string_view name, std::int32_t device = -1,
                     std::int64_t nativeId = 0, std::int32_t sortOrder = 0);
    void renameTrack(TrackId track, std::string_view name, std::int32_t sortOrder);
    void setTrackKind(TrackId track, TrackKind kind);
    void markBookkeeping(TrackId track);
    StringId intern(std::string_view text) { return m_strings.intern(text); }

    void addEvent(const Event& event, const CollectiveInfo* collective = nullptr);
    TrackId addCounter(TrackId parent, std::string_view name, CounterUnit unit, std::int32_t sortOrder = 0);
    void addSample(TrackId counter, std::int64_t timeNs, double value);

    void addDevice(const DeviceInfo& device);  // a second one with the same id replaces the first
    ImportStats& stats() { return m_stats; }
    TraceMetadata& metadata() { return m_metadata; }

    // Everything since the flush before, as one transaction. After an Error the file holds what it
    // held before, and the writer can only be dropped.
    Result<void> flush();
    // The last flush: from now on the file is a finished one.
    Result<void> finish();

private:
    struct TrackRow {
        TrackId parent;
        TrackKind kind = TrackKind::Group;
        std::string name;
        std::int32_t device = -1;
        std::int64_t nativeId = 0;
        std::int32_t sortOrder = 0;
        std::int32_t counterUnit = -1;
        bool bookkeeping = false;
        bool changed = true;
    };
    struct PackedColumn {
        const char* name;
        std::size_t count;
        std::size_t rawBytes;
        PackedBytes data;
    };
    struct PackedChunk {
        const char* kind;
        std::size_t rows;
        std::vector<PackedColumn> columns;
    };

    OverlaneWriter(SqliteDatabase database, Safety safety) : m_database(std::move(database)), m_safety(safety) {}
    Result<void> prepareFlushes();
    TrackId addRow(TrackRow row);
    void packEvents();
    void packSamples();
    // Everything that waits, then `last`, as one transaction.
    Result<void> commit(const std::string& last);
    Result<void> writeAll();
    Result<void> writeStrings();
    Result<void> writeTracks();
    Result<void> writeDescription();
    Result<void> writeChunks();
    Result<void> writeChecksums();

    SqliteDatabase m_database;
    Safety m_safety;
    StringPool m_strings;
    std::vector<TrackRow> m_tracks;
    std::vector<DeviceInfo> m_devices;
    ImportStats m_stats;
    TraceMetadata m_metadata;
    OverlaneEventChunk m_events;
    OverlaneSampleChunk m_samples;
    std::vector<PackedChunk> m_packed;  // full chunks that wait for the next flush
    std::size_t m_writtenStrings = 0;
    OverlaneChecksum m_stringSum;  // of what only grows, as far as it is written
    OverlaneChecksum m_chunkSum;
    OverlaneChecksum m_columnSum;
    std::int64_t m_nextChunk = 0;
};

}  // namespace overlane
