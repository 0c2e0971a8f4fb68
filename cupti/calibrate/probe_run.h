// ProbeRun: takes samples for a calibration until there are enough of them, tells how far it is, and
// stops between two samples when it is asked to.
//
// One thread. Owns nothing but the samples it adds to. Cancelling throws ProbeCancelled, so that what
// a probe took is freed on the way out. Nanoseconds, bytes.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "core/devices/calibration_samples.h"

namespace overlane
{

struct ProbeCancelled : std::exception {
};

std::int64_t probeNowNs();

class ProbeRun
{
public:
    ProbeRun(const CalibrationOptions& options, CalibrationSamples& samples) : m_options(options), m_samples(samples) {}

    const CalibrationOptions& options() const { return m_options; }
    bool quick() const { return m_options.quick; }
    const CalibrationLimits& limits() const { return m_options.limits; }
    MachineFacts& machine() { return m_samples.machine; }

    // What comes next, which is `share` of the whole.
    void beginStep(const std::string& doing, double share);
    // How much of the step is done.
    void within(double fraction);
    void endStep();

    // Sizes by four from 4 KiB up to what is allowed, or to `largest`.
    std::vector<std::int64_t> sizes(std::int64_t largest) const;
    // 1, 2, 4 ... and all that this process may use.
    std::vector<std::int64_t> threadCounts() const;

    // Calls `once` until there are enough samples or they took long enough; the first calls warm up and do not
    // count. `once` appends one sample to each of `columns` of the group.
    template <typename Once>
    void repeat(std::vector<ProbeSeries> group, const Once& once, int warmUps = 1)
    {
        std::vector<double> row(group.size());
        for (int round = 0; round < warmUps; ++round) {
            mayGoOn();
            once(row);
        }
        const std::int64_t startNs = probeNowNs();
        for (int taken = 0; goesOn(taken, probeNowNs() - startNs); ++taken) {
            mayGoOn();
            once(row);
            for (std::size_t column = 0; column < group.size(); ++column)
                group[column].samples.push_back(row[column]);
        }
        for (ProbeSeries& series : group)
            add(std::move(series));
    }
    template <typename Once>
    void repeatOne(ProbeSeries series, const Once& once, int warmUps = 1)
    {
        repeat(
            {std::move(series)}, [&](std::vector<double>& row) { row[0] = once(); }, warmUps);
    }
    void add(ProbeSeries series);
    void miss(const std::string& probe, const std::string& reason);
    // Throws where the calibration was cancelled.
    void mayGoOn() const;

private:
    bool goesOn(int taken, std::int64_t tookNs) const;
    void report(double fraction) const;

    const CalibrationOptions& m_options;
    CalibrationSamples& m_samples;
    double m_done = 0;
    double m_share = 0;
};

}  // namespace overlane
