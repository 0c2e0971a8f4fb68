// CalibrationRecord: what a calibration found, as statistics of every series; kept in the profile's file beside
// the figures, so that its plots can be drawn again anywhere.
//
// Plain data, pure functions, any thread. In the file it is the member "calibration"; nanoseconds and bytes, but for
// probes that count (core/devices/probes.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/calibration/calibration_statistics.h"
#include "core/devices/calibration_samples.h"

namespace overlane
{

struct MeasuredSeries {
    std::string probe;
    std::string variant;
    std::int64_t bytes = 0;
    std::int64_t threads = 1;
    SampleStatistics statistics;
    friend bool operator==(const MeasuredSeries&, const MeasuredSeries&) = default;
};

struct CalibrationRecord {
    std::string date;  // "2026-11-21"
    bool quick = false;
    std::int64_t tookNs = 0;
    MachineFacts machine;
    std::vector<MeasuredSeries> series;
    std::vector<ProbeMiss> misses;

    const MeasuredSeries* find(std::string_view probe, std::string_view variant = {}, std::int64_t bytes = 0) const;
    // Of all sizes or numbers of threads, in ascending order.
    std::vector<const MeasuredSeries*> all(std::string_view probe, std::string_view variant = {}) const;
    // Of the largest size up to `atMost`; nullptr where there is none.
    const MeasuredSeries* largest(std::string_view probe, std::string_view variant = {},
                                  std::int64_t atMost = INT64_MAX) const;
};

MeasuredSeries measured(const ProbeSeries& series);
CalibrationRecord recordOf(const CalibrationSamples& samples, std::string date, bool quick);

// JSON of the member "calibration", indented for the file.
std::string recordText(const CalibrationRecord& record);
// Of a whole profile's file; none where it has no such member, an Error where that is damaged.
Result<std::optional<CalibrationRecord>> recordIn(std::string_view profileText);

// One series as a JSON object on a line, for a process that watches a calibration.
std::string seriesLine(const MeasuredSeries& series);
std::optional<MeasuredSeries> parseSeriesLine(std::string_view line);

}  // namespace overlane
