// OverlaneChecksum: the sum over values in their order by which damage in an .overlane file is noticed.
//
// CRC-32 (zlib's) of each value as a letter for its type and its bytes, so that no two lists of values
// read alike: 'i' and 8 bytes little endian, 'r' and the 8 bytes of an IEEE 754 double, 't' (text) or 'b'
// (bytes) with 8 bytes of length before the content, 'n' for null. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/result.h"
#include "core/io/sqlite_database.h"

namespace overlane
{

class OverlaneChecksum
{
public:
    void add(std::int64_t value);
    void add(double value);
    void add(std::string_view text) { add('t', text.data(), text.size()); }
    void add(std::span<const std::uint8_t> bytes) { add('b', bytes.data(), bytes.size()); }
    void addNull();
    // The columns of a row, from the first.
    void addRow(const SqliteStatement& row, int columns);

    std::int64_t value() const { return m_crc; }

private:
    void add(char type, const void* bytes, std::size_t count);
    void update(const void* bytes, std::size_t count);

    std::uint32_t m_crc = 0;
};

// Of a column of a chunk, as it is stored beside it.
std::int64_t columnChecksum(std::int64_t chunk, std::string_view name, std::int64_t count, std::int64_t rawBytes,
                            std::span<const std::uint8_t> data);

// A part of the file with a sum of its own: the columns of a table, and their rows in order.
struct OverlanePart {
    const char* name;   // of the table; its sum is in `meta` under kOverlaneChecksumKey and this
    const char* words;  // for people
    const char* rows;   // a query
    int columns;
};

inline constexpr std::string_view kOverlaneChecksumKey = "checksum ";
inline constexpr OverlanePart kOverlaneMeta = {
    "meta", "facts about the trace",
    "SELECT key, value FROM meta WHERE key < 'checksum ' OR key >= 'checksum!' ORDER BY key", 2};
inline constexpr OverlanePart kOverlaneProperties = {"properties", "properties, bookmarks and folded tracks",
                                                     "SELECT name, value FROM properties ORDER BY name", 2};
inline constexpr OverlanePart kOverlaneStrings = {"strings", "names of events",
                                                  "SELECT id, text FROM strings ORDER BY id", 2};
inline constexpr OverlanePart kOverlaneTracks = {
    "tracks", "tracks",
    "SELECT id, parent, kind, name, device, native_id, sort_order, counter_unit, bookkeeping FROM tracks ORDER BY id",
    9};
inline constexpr OverlanePart kOverlaneDevices = {
    "devices", "devices", "SELECT id, name, memory_bytes, link_bytes_per_second FROM devices ORDER BY position", 4};
inline constexpr OverlanePart kOverlaneStats = {
    "stats", "import notes", "SELECT reason, explanation, severity, count FROM stats ORDER BY position", 4};
inline constexpr OverlanePart kOverlaneChunks = {"chunks", "list of chunks",
                                                 "SELECT id, kind, rows FROM chunks ORDER BY id", 3};
inline constexpr OverlanePart kOverlaneColumns = {"columns", "list of columns",
                                                  "SELECT chunk, name, checksum FROM columns ORDER BY rowid", 3};
// Over the sums themselves.
inline constexpr OverlanePart kOverlaneWhole = {"whole", "list of checksums",
                                                "SELECT key, value FROM meta WHERE key >= 'checksum ' AND key < "
                                                "'checksum!' AND key <> 'checksum whole' ORDER BY key",
                                                2};

// Of all rows of a part.
Result<OverlaneChecksum> checksumOf(SqliteDatabase& database, const OverlanePart& part);

}  // namespace overlane
