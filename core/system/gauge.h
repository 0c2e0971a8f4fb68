// Gauges: numbers of this machine that are read over time, each with its name and unit.
//
// A GaugeSource is a group that is read together, at its own pace. Owned by whoever samples it; one
// thread. values() has one number per gauge of gauges(), in the same order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace overlane
{

enum class GaugeUnit : std::uint8_t { Count, Bytes, Percent, BytesPerSecond };

struct GaugeInfo {
    std::string name;
    GaugeUnit unit = GaugeUnit::Count;
    std::string gpuUuid;  // of a GPU's gauge, else empty
};

class GaugeSource
{
public:
    virtual ~GaugeSource() = default;

    virtual const std::vector<GaugeInfo>& gauges() const = 0;
    // Reads them now; `timeNs` is the steady clock's, from which rates are made.
    virtual std::span<const double> sample(std::int64_t timeNs) = 0;
};

}  // namespace overlane
