// NvmlGauges: what the driver says of each GPU over time: memory used, utilization, traffic on the
// host link.
//
// libnvidia-ml.so.1 is loaded at run time; without it, or without a GPU, there are no gauges. The
// driver measures link traffic over 20 ms per direction, in which sample() waits: sample it from a
// thread of its own, a few times a second (NVML API reference, nvmlDeviceGetPcieThroughput). What a
// GPU does not support has no gauge.
#pragma once

#include <memory>
#include <string_view>

#include "core/system/gauge.h"

namespace overlane
{

// Of all programs, and so not what one program allocated (core/trace/counter_names.h).
constexpr std::string_view kDeviceMemoryGauge = "Device memory, all programs";

class NvmlGauges final : public GaugeSource
{
public:
    NvmlGauges();
    ~NvmlGauges() override;

    const std::vector<GaugeInfo>& gauges() const override;
    std::span<const double> sample(std::int64_t timeNs) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace overlane
