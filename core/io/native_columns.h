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
struct NativeEventChunk {
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

struct NativeSampleChunk {
    std::vector<std::int64_t> track;
    std::vector<std::int64_t> timeNs;
    std::vector<double> value;
};

struct NativeColumn {
    const char* name;
    std::vector<std::int64_t> NativeEventChunk::*values;
    bool copiesOnly;
    bool optional = false;  // left out of chunks where it would hold zeros only
};

// Names are stored in files: append, never rename.
inline constexpr NativeColumn kNativeEventColumns[] = {
    {"track", &NativeEventChunk::track, false},
    {"start_ns", &NativeEventChunk::startNs, false},
    {"duration_ns", &NativeEventChunk::durationNs, false},
    {"name", &NativeEventChunk::name, false},
    {"kind", &NativeEventChunk::kind, false},
    {"correlation", &NativeEventChunk::correlation, false},
    {"process", &NativeEventChunk::process, false},
    {"copy_bytes", &NativeEventChunk::copyBytes, true},
    {"copy_source", &NativeEventChunk::copySource, true},
    {"copy_destination", &NativeEventChunk::copyDestination, true},
    {"copy_async", &NativeEventChunk::copyAsync, true},
    {"colour", &NativeEventChunk::colour, false, true},
    {"graph", &NativeEventChunk::graph, false, true},
};

PackedBytes encodeIntegers(std::span<const std::int64_t> values);
Result<std::vector<std::int64_t>> decodeIntegers(std::span<const std::uint8_t> bytes, std::size_t count);
PackedBytes encodeReals(std::span<const double> values);
Result<std::vector<double>> decodeReals(std::span<const std::uint8_t> bytes, std::size_t count);

}  // namespace overlane
