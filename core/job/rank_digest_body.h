// The body of a digest's file, section by section, written and read. Only rank_digest_file.cpp needs them.
//
// Pure functions, any thread.
#pragma once

#include <span>

#include "core/base/result.h"
#include "core/io/zstd_codec.h"
#include "core/job/rank_digest.h"

namespace overlane
{

PackedBytes digestBody(const RankDigest& digest);
// Checked: intervals are no longer than their numbers hold, collectives are of a group that is there.
Result<RankDigest> digestOfBody(std::span<const std::uint8_t> body);

// Cuts texts and lists that have no limit of their own.
void limitTexts(RankDigest& digest);

}  // namespace overlane
