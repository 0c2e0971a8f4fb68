// Zstandard for blobs of a known size: a packed blob can never grow beyond what its reader allows.
//
// Stateless, any thread. Sizes in bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace overlane
{

using PackedBytes = std::vector<std::uint8_t>;

PackedBytes zstdPack(std::span<const std::uint8_t> raw);
// The Error tells a blob that is damaged or that does not hold exactly `rawBytes`.
Result<PackedBytes> zstdUnpack(std::span<const std::uint8_t> packed, std::size_t rawBytes);

}  // namespace overlane
