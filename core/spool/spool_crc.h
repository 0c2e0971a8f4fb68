// The checksum of spools: CRC-32 as zlib computes it (polynomial 0xEDB88320, reflected), eight
// bytes a step (the "slicing" tables of Kounavis and Berry, 2005).
//
// No dependencies: compiled into the recorded program. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace overlane
{

// Start with 0; pass the result on to continue.
std::uint32_t spoolCrc(std::uint32_t crc, const void* data, std::size_t bytes);

}  // namespace overlane
