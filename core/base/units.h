// Quantities as people read them: three digits, a thin space, the unit that fits.
//
// Times come in nanoseconds, sizes in bytes. Sizes use binary units (1 KiB = 1024 bytes), rates
// decimal ones (1 GB/s = 1e9 bytes per second), as the field does.
#pragma once

#include <cstdint>
#include <string>

namespace overlane
{

constexpr std::int64_t kNsPerUs = 1'000;
constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kNsPerS = 1'000'000'000;
constexpr std::int64_t kKiB = std::int64_t{1} << 10;
constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;
constexpr std::int64_t kTiB = std::int64_t{1} << 40;

// "12.3 ms", "512 ns", "1.50 s"; the sign is kept.
std::string formatDuration(std::int64_t ns);
// "48.0 MiB", "512 B".
std::string formatBytes(std::int64_t bytes);
// "55.5 GB/s"; "-" where the duration is 0.
std::string formatRate(std::int64_t bytes, std::int64_t ns);
// "1 234 567" with thin spaces.
std::string formatCount(std::int64_t count);
// 0.123 -> "12.3 %".
std::string formatShare(double share);

}  // namespace overlane
