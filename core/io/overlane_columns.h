// The columns of an .overlane file: which there are, and how numbers become bytes.
//
// Integers: the difference to the value before (modulo 2^64), zigzag, then LEB128, so that small
// steps take one byte. Reals: IEEE 754 doubles, little endian. Both are then packed with Zstandard.
// Stateless, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/io/zstd_codec.h"

namespace overlane
{

// Events of one chunk, a vector per column; the copy columns hold the chunk's copies only.
struct OverlaneEventChunk {
    std::vector<std::int64_t> track;
    std::vector<std::int64_t> startNs;
    std::vector<std::int64_t> durationNs;
    std::vector<std::int64_t> name;  // -1 for none
    std::vector<std::int64_t> kind;
    std::vector<std::int64_t> correlation;
    std::vector<std::int64_t> process;
    std::vector<std::int64_t> copyBytes;
    std::vector<std::int64_t> copySource;
    std::vector<std::int64_t> copyDestination;
    std::vector<std::int64_t> copyAsync;
    std::vector<std::int64_t> colour;
    std::vector<std::int64_t> graph;
};

struct OverlaneSampleChunk {
    std::vector<std::int64_t> track;
    std::vector<std::int64_t> timeNs;
    std::vector<double> value;
};

struct OverlaneColumn {
    const char* name;
    std::vector<std::int64_t> OverlaneEventChunk::*values;
    bool copiesOnly;
    bool optional = false;  // left out of chunks where it would hold zeros only
};

// Names are stored in files: append, never rename.
inline constexpr OverlaneColumn kOverlaneEventColumns[] = {
    {"track", &OverlaneEventChunk::track, false},
    {"start_ns", &OverlaneEventChunk::startNs, false},
    {"duration_ns", &OverlaneEventChunk::durationNs, false},
    {"name", &OverlaneEventChunk::name, false},
    {"kind", &OverlaneEventChunk::kind, false},
    {"correlation", &OverlaneEventChunk::correlation, false},
    {"process", &OverlaneEventChunk::process, false},
    {"copy_bytes", &OverlaneEventChunk::copyBytes, true},
    {"copy_source", &OverlaneEventChunk::copySource, true},
    {"copy_destination", &OverlaneEventChunk::copyDestination, true},
    {"copy_async", &OverlaneEventChunk::copyAsync, true},
    {"colour", &OverlaneEventChunk::colour, false, true},
    {"graph", &OverlaneEventChunk::graph, false, true},
};

PackedBytes encodeIntegers(std::span<const std::int64_t> values);
Result<std::vector<std::int64_t>> decodeIntegers(std::span<const std::uint8_t> bytes, std::size_t count);
PackedBytes encodeReals(std::span<const double> values);
Result<std::vector<double>> decodeReals(std::span<const std::uint8_t> bytes, std::size_t count);

}  // namespace overlane
