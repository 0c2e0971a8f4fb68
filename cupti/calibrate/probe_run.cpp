#include "cupti/calibrate/probe_run.h"

#include <algorithm>
#include <chrono>

namespace overlane
{
namespace
{

constexpr std::int64_t kNsPerSample = 250'000'000;  // from here on few samples must do
constexpr int kLeast = 7, kMost = 101, kFew = 3;
constexpr int kLeastQuick = 5, kMostQuick = 31;
constexpr std::int64_t kBudgetNs = 80'000'000, kBudgetQuickNs = 15'000'000;

}  // namespace

std::int64_t probeNowNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void ProbeRun::beginStep(const std::string& doing, double share)
{
    mayGoOn();
    m_share = share;
    report(0);
    if (m_options.onStep)
        m_options.onStep(doing);
}

void ProbeRun::within(double fraction)
{
    report(std::clamp(fraction, 0.0, 1.0));
}

void ProbeRun::endStep()
{
    m_done += m_share;
    m_share = 0;
    report(0);
}

void ProbeRun::report(double fraction) const
{
    if (m_options.progress != nullptr)
        m_options.progress->report(std::min(1.0, m_done + m_share * fraction));
}

std::vector<std::int64_t> ProbeRun::sizes(std::int64_t largest) const
{
    std::vector<std::int64_t> list;
    for (std::int64_t bytes = 4096; bytes <= std::min(largest, m_options.limits.largestBlockBytes); bytes *= 4)
        list.push_back(bytes);
    return list;
}

std::vector<std::int64_t> ProbeRun::threadCounts() const
{
    const std::int64_t cores = std::max<std::int64_t>(1, m_samples.machine.cores);
    std::vector<std::int64_t> list;
    for (std::int64_t count = 1; count < cores; count *= 2)
        list.push_back(count);
    list.push_back(cores);
    return list;
}

bool ProbeRun::goesOn(int taken, std::int64_t tookNs) const
{
    const int most = quick() ? kMostQuick : kMost;
    const bool slow = taken > 0 && tookNs / taken > kNsPerSample;
    const int least = slow ? kFew : (quick() ? kLeastQuick : kLeast);
    return taken < most && (taken < least || tookNs < (quick() ? kBudgetQuickNs : kBudgetNs));
}

void ProbeRun::add(ProbeSeries series)
{
    if (m_options.onSeries)
        m_options.onSeries(series);
    m_samples.series.push_back(std::move(series));
}

void ProbeRun::miss(const std::string& probe, const std::string& reason)
{
    m_samples.misses.push_back({probe, reason});
}

void ProbeRun::mayGoOn() const
{
    if (m_options.progress != nullptr && m_options.progress->cancelled())
        throw ProbeCancelled();
}

}  // namespace overlane
