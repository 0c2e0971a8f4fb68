// How far memory lies from the last level cache, by how much has passed through it since it was written.
//
// 0: still there; 1: in main memory. In between on a logarithmic scale, from three quarters of the cache to twice its
// size, as rates of copies out of blocks of growing size fall on an H200's host (docs/validation/fidelity.md). Pure.
#pragma once

#include <cstdint>

namespace overlane
{

// `another` core than the one that reads wrote it: of its data only a small part is still shared.
double coldness(std::int64_t bytesSince, std::int64_t cacheBytes, bool another);

}  // namespace overlane
