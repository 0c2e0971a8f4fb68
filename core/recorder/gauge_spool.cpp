#include "core/recorder/gauge_spool.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <unistd.h>

#include "core/recorder/gpu_uuid.h"
#include "core/spool/spool_clock.h"
#include "core/spool/this_process.h"
#include "core/system/machine_gauges.h"
#include "core/system/nvml_gauges.h"
#include "core/system/process_gauges.h"
#include "core/trace/track.h"

namespace overlane
{
namespace
{

constexpr auto kHostPeriod = std::chrono::milliseconds(20);
constexpr auto kDriverPeriod = std::chrono::milliseconds(200);
constexpr int kSamplesPerFlush = 25;

CounterUnit unitOf(GaugeUnit unit)
{
    switch (unit) {
        case GaugeUnit::Bytes:
            return CounterUnit::Bytes;
        case GaugeUnit::Percent:
            return CounterUnit::Percent;
        case GaugeUnit::BytesPerSecond:
            return CounterUnit::BytesPerSecond;
        case GaugeUnit::Count:
            break;
    }
    return CounterUnit::Count;
}

}  // namespace

GaugeSpool::GaugeSpool(const std::string& directory, pid_t rootProcess)
{
    m_control = RecordControl::open(directory.c_str());
    const std::int64_t nowNs = monotonicNs();
    if (!m_writer.open(directory, static_cast<std::uint32_t>(getpid()), nowNs))
        return;
    spool::ProcessStart start = thisProcess(nowNs);
    start.program = m_writer.intern("overlane");
    start.producer = spool::Producer::Recorder;
    m_writer.add(start);

    m_host.push_back({std::make_unique<MachineGauges>(), {}, {}});
    m_host.push_back({std::make_unique<ProcessGauges>(rootProcess), {}, {}});
    for (Sampled& sampled : m_host)
        define(sampled);
    m_driver.source = std::make_unique<NvmlGauges>();
    define(m_driver);
    m_hostThread = std::thread([this] { sampleHost(); });
    if (!m_driver.ids.empty())
        m_driverThread = std::thread([this] { sampleDriver(); });
}

GaugeSpool::~GaugeSpool()
{
    stop();
}

void GaugeSpool::stop()
{
    m_stopped = true;
    for (std::thread* thread : {&m_driverThread, &m_hostThread})
        if (thread->joinable())
            thread->join();
}

// The driver's gauges name a GPU by its UUID, as the recorded processes do.
void GaugeSpool::define(Sampled& sampled)
{
    std::map<std::string, std::uint32_t> devices;
    for (const GaugeInfo& info : sampled.source->gauges()) {
        spool::GaugeDefinition gauge;
        gauge.id = m_gauges++;
        gauge.name = m_writer.intern(info.name);
        gauge.unit = static_cast<std::uint32_t>(unitOf(info.unit));
        gauge.sortOrder = static_cast<std::int32_t>(gauge.id);
        gauge.machineWide = info.gpuUuid.empty() ? 1 : 0;
        if (!info.gpuUuid.empty()) {
            const auto [known, added] = devices.try_emplace(info.gpuUuid, static_cast<std::uint32_t>(devices.size()));
            if (added) {
                spool::Device device;
                device.id = known->second;
                parseGpuUuid(info.gpuUuid, device.uuid);
                m_writer.add(device);
            }
            gauge.device = static_cast<std::int32_t>(known->second);
        }
        m_writer.add(gauge);
        sampled.ids.push_back(gauge.id);
    }
}

// Only what changed: a value holds until the next one.
void GaugeSpool::sample(Sampled& sampled, std::vector<spool::GaugeSample>& into) const
{
    const std::int64_t nowNs = monotonicNs();
    const std::span<const double> values = sampled.source->sample(nowNs);
    const bool first = sampled.last.empty();
    if (first)
        sampled.last.assign(values.begin(), values.end());
    for (std::size_t at = 0; at < values.size(); ++at)
        if (first || values[at] != sampled.last[at])
            into.push_back({nowNs, values[at], sampled.ids[at], 0});
    sampled.last.assign(values.begin(), values.end());
}

// Some iterations of a program that may run for days: the gauges are of these as well.
bool GaugeSpool::rests() const
{
    return m_control.valid() && m_control.isBounded() && m_control.state() != RecordState::Record;
}

void GaugeSpool::sampleHost()
{
    std::vector<spool::GaugeSample> samples;
    auto next = std::chrono::steady_clock::now();
    for (int untilFlush = 0; !m_stopped; --untilFlush) {
        if (!rests())
            for (Sampled& sampled : m_host)
                sample(sampled, samples);
        {
            const std::lock_guard lock(m_mutex);
            samples.insert(samples.end(), m_driverSamples.begin(), m_driverSamples.end());
            m_driverSamples.clear();
        }
        for (const spool::GaugeSample& sampled : samples)
            m_writer.add(sampled);
        samples.clear();
        if (untilFlush <= 0) {
            if (!m_writer.flush())
                return;
            untilFlush = kSamplesPerFlush;
        }
        // Evenly spaced, whatever a sample takes; what is late is left out.
        next = std::max(next + kHostPeriod, std::chrono::steady_clock::now());
        std::this_thread::sleep_until(next);
    }
    m_writer.flush();
}

void GaugeSpool::sampleDriver()
{
    std::vector<spool::GaugeSample> samples;
    while (!m_stopped) {
        if (!rests())
            sample(m_driver, samples);
        {
            const std::lock_guard lock(m_mutex);
            m_driverSamples.insert(m_driverSamples.end(), samples.begin(), samples.end());
        }
        samples.clear();
        std::this_thread::sleep_for(kDriverPeriod);
    }
}

}  // namespace overlane
