// The constants of the .overlane container; its description is docs/format.md.
#pragma once

#include <cstdint>

namespace overlane
{

// A reader opens every version up to its own. Raised only when an older reader would misread.
constexpr std::int64_t kOverlaneVersion = 1;
// SQLite's application id, "OVLN", at byte 68 of the file.
constexpr std::int64_t kOverlaneApplicationId = 0x4F564C4E;
// "OVTB": of the tables that are written for other programs (core/tables/sqlite_tables.h), which are no trace.
constexpr std::int64_t kOverlaneTablesApplicationId = 0x4F565442;

// The schema cookie, byte 40 of the file: while a recorder writes, and after it was killed, 'R' and a
// number of this recording; without that letter the file is finished. SQLite counts changes of the
// schema there, which would take 2^30 of them to look alike.
constexpr std::uint32_t kOverlaneRecordingMark = std::uint32_t{'R'} << 24;
constexpr std::uint32_t kOverlaneFinishedCookie = 1;
constexpr bool isRecordingMark(std::uint32_t cookie)
{
    return (cookie & 0xFF000000u) == kOverlaneRecordingMark;
}

constexpr std::int64_t kOverlaneChunkRows = 65'536;          // as written
constexpr std::int64_t kOverlaneLongestChunkRows = 1 << 20;  // as accepted
constexpr std::int64_t kOverlaneLongestIntegerBytes = 10;    // LEB128 of 64 bits
constexpr std::int64_t kOverlaneDeepestTrack = 64;           // levels of the tree of tracks

inline constexpr const char* kOverlaneTables = R"sql(
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE properties (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE strings (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE tracks (id INTEGER PRIMARY KEY, parent INTEGER, kind INTEGER NOT NULL, name TEXT NOT NULL,
    device INTEGER NOT NULL, native_id INTEGER NOT NULL, sort_order INTEGER NOT NULL, counter_unit INTEGER,
    bookkeeping INTEGER NOT NULL DEFAULT 0);
CREATE TABLE devices (position INTEGER PRIMARY KEY, id INTEGER NOT NULL, name TEXT NOT NULL,
    memory_bytes INTEGER NOT NULL, link_bytes_per_second REAL NOT NULL);
CREATE TABLE stats (position INTEGER PRIMARY KEY, reason TEXT NOT NULL, explanation TEXT NOT NULL,
    severity INTEGER NOT NULL, count INTEGER NOT NULL);
CREATE TABLE chunks (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, rows INTEGER NOT NULL);
CREATE TABLE columns (chunk INTEGER NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
    raw_bytes INTEGER NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (chunk, name));
)sql";

}  // namespace overlane
