#include "core/simulation/coldness.h"

#include <algorithm>
#include <cmath>

namespace overlane
{

double coldness(std::int64_t bytesSince, std::int64_t cacheBytes, bool another)
{
    constexpr double kInside = 0.75, kOutside = 2, kOtherCoresPart = 1.0 / 32;
    const double cache = static_cast<double>(cacheBytes) * (another ? kOtherCoresPart : 1);
    return std::clamp(std::log(static_cast<double>(bytesSince) / (kInside * cache)) / std::log(kOutside / kInside), 0.0,
                      1.0);
}

}  // namespace overlane
