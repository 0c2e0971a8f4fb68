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

// Events of one chunk, a vector per column; the copy columns hold the chunk's copies only, those of a collective the
// events that `collective` names one of.
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
    std::vector<std::int64_t> color;
    std::vector<std::int64_t> graph;
    std::vector<std::int64_t> collective;       // its kind + 1; 0 for none
    std::vector<std::int64_t> collectiveGroup;  // name; -1 for none
    std::vector<std::int64_t> collectiveSequence;
    std::vector<std::int64_t> collectiveBytes;
    std::vector<std::int64_t> collectiveSize;
};

struct OverlaneSampleChunk {
    std::vector<std::int64_t> track;
    std::vector<std::int64_t> timeNs;
    std::vector<double> value;
};

enum class OverlaneRows : std::uint8_t { All, Copies, Collectives };

struct OverlaneColumn {
    const char* name;
    std::vector<std::int64_t> OverlaneEventChunk::*values;
    OverlaneRows rows = OverlaneRows::All;  // which events of the chunk it has a value of
    bool optional = false;                  // left out of chunks where it would hold zeros only
};

// Names are stored in files: append, never rename.
inline constexpr OverlaneColumn kOverlaneEventColumns[] = {
    {"track", &OverlaneEventChunk::track},
    {"start_ns", &OverlaneEventChunk::startNs},
    {"duration_ns", &OverlaneEventChunk::durationNs},
    {"name", &OverlaneEventChunk::name},
    {"kind", &OverlaneEventChunk::kind},
    {"correlation", &OverlaneEventChunk::correlation},
    {"process", &OverlaneEventChunk::process},
    {"copy_bytes", &OverlaneEventChunk::copyBytes, OverlaneRows::Copies},
    {"copy_source", &OverlaneEventChunk::copySource, OverlaneRows::Copies},
    {"copy_destination", &OverlaneEventChunk::copyDestination, OverlaneRows::Copies},
    {"copy_async", &OverlaneEventChunk::copyAsync, OverlaneRows::Copies},
    {"colour", &OverlaneEventChunk::color, OverlaneRows::All, true},
    {"graph", &OverlaneEventChunk::graph, OverlaneRows::All, true},
    {"collective", &OverlaneEventChunk::collective, OverlaneRows::All, true},
    {"collective_group", &OverlaneEventChunk::collectiveGroup, OverlaneRows::Collectives, true},
    {"collective_sequence", &OverlaneEventChunk::collectiveSequence, OverlaneRows::Collectives, true},
    {"collective_bytes", &OverlaneEventChunk::collectiveBytes, OverlaneRows::Collectives, true},
    {"collective_size", &OverlaneEventChunk::collectiveSize, OverlaneRows::Collectives, true},
};

PackedBytes encodeIntegers(std::span<const std::int64_t> values);
Result<std::vector<std::int64_t>> decodeIntegers(std::span<const std::uint8_t> bytes, std::size_t count);
PackedBytes encodeReals(std::span<const double> values);
Result<std::vector<double>> decodeReals(std::span<const std::uint8_t> bytes, std::size_t count);

}  // namespace overlane
