// OverlaneChunkReader: the events and samples of an .overlane file, chunk by chunk, into a TraceBuilder.
//
// Refers to everything it is made with. One thread. A chunk that is damaged is left out, a column
// without which an event is still one is left out alone; both are told to the OverlaneIntegrity. Only what
// no recorder writes (sizes out of bounds) is an Error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/io/memory_guard.h"
#include "core/io/overlane_columns.h"
#include "core/io/overlane_integrity.h"
#include "core/io/sqlite_database.h"
#include "core/trace/trace_builder.h"

namespace overlane
{

// What events and samples refer to.
struct OverlaneTables {
    std::vector<StringId> strings;
    std::vector<bool> isCounter;  // per track
};

class OverlaneChunkReader
{
public:
    OverlaneChunkReader(SqliteDatabase& database, const OverlaneTables& tables, TraceBuilder& builder,
                        OverlaneIntegrity& integrity)
        : m_database(database), m_tables(tables), m_builder(builder), m_integrity(integrity)
    {
    }

    // The Error is also that there are more events than the memory that is free can take.
    Result<void> read(std::int64_t fileBytes, const MemoryGuard& guard, Progress& progress);

private:
    struct Chunk {
        std::int64_t id;
        bool events;  // else samples
        std::int64_t rows;
    };
    using Integers = Result<std::vector<std::int64_t>>;

    Result<void> readList(std::int64_t fileBytes);
    Result<void> readChunk(const Chunk& chunk);
    Result<void> readEvents(const Chunk& chunk);
    Result<void> readSamples(const Chunk& chunk);
    // The values of a column, zeros where it is left out, or what is wrong with it.
    Integers values(const Chunk& chunk, const OverlaneColumn& column, std::size_t count);
    Result<void> checkRange(const OverlaneColumn& column, const std::vector<std::int64_t>& values) const;
    Integers integers(std::int64_t chunk, const char* column, std::size_t count);
    Result<bool> find(std::int64_t chunk, const char* column);
    Result<PackedBytes> unpack(std::int64_t chunk, const char* column, std::size_t count);
    void addEvents(const OverlaneEventChunk& events, std::size_t rows);

    SqliteDatabase& m_database;
    const OverlaneTables& m_tables;
    TraceBuilder& m_builder;
    OverlaneIntegrity& m_integrity;
    const Progress* m_progress = nullptr;  // only in read()
    std::vector<Chunk> m_chunks;
    std::int64_t m_rows = 0;
    std::int64_t m_rowsLost = 0;
    std::optional<SqliteStatement> m_column;
};

}  // namespace overlane
