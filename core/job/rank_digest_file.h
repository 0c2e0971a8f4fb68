// *.digest: a RankDigest as a file of at most kMostDigestBytes.
//
// Little endian: the letters "OVLDIGST", a version, the bytes of the body before it was packed and its CRC-32 (all
// three 4 bytes), the body packed with Zstandard. The body is a list of sections, each an id and its bytes
// (byte_record.h); a reader leaves out sections that it does not know, and what a section holds behind what it
// knows. Causes of idle time are named by their ids (core/analysis/cause_table.h); what a reader has no cause for is
// Unknown to it.
//
// Any thread. Files come from strangers: texts are made printable, figures are bounded, the memory is a small multiple
// of the file's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/zstd_codec.h"
#include "core/job/rank_digest.h"

namespace overlane
{

inline constexpr std::string_view kDigestExtension = ".digest";

// Whether bytes begin as a digest does.
bool isDigest(std::string_view head);

// Thinned until it fits: steps evenly, collectives at a step's end.
PackedBytes packedDigest(RankDigest digest);
// The Error says what is wrong, without the file's name.
Result<RankDigest> unpackedDigest(std::span<const std::uint8_t> file);

Result<void> writeDigest(const RankDigest& digest, const std::string& path);
Result<RankDigest> readDigest(const std::string& path);

}  // namespace overlane
