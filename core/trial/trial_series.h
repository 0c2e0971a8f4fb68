// TrialSeries: which settings of a loader to try, in which order, and what may be said of the times that came.
//
// Rounds: each runs the program as it is and every setting still in question once, in an order that turns around
// from round to round, so that what drifts on the machine hits all alike. After the first round what helped is
// combined. A setting that lies clearly behind is run no more. What two runs differ by is one figure for all
// settings, the spread of the logarithms of the times within each (a pooled standard deviation), so that three runs
// of a setting need not tell it alone. A difference is claimed where it is more than Student's t of one in two hundred
// times its standard error (quantile by Cornish and Fisher's expansion: Abramowitz and Stegun, "Handbook of
// Mathematical Functions", 26.7.5), which leaves room for the handful of settings that are compared at once, and
// more than 2 %.
// One thread. Nanoseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/trial/loader_settings.h"
#include "core/trial/trial_report.h"

namespace overlane
{

// Less is not worth a change.
constexpr double kWorthSetting = 0.02;

struct TrialRow {
    LoaderSettings settings;
    std::vector<double> batchNs;  // of each run
    std::string failure;          // why it cannot run; then it is tried no more
    std::string why;              // it is tried

    double meanNs() const;  // geometric; 0 without runs
};

// What is said of a row beside the program as it is.
struct TrialClaim {
    double share = 0;    // of the time as it is that goes away; below 0 where it grows
    double error = 0;    // of its logarithm: one in two hundred lie beyond; infinite where it is not known yet
    bool known = false;  // there are runs enough to claim anything
    bool faster = false;
    bool slower = false;
};

class TrialSeries
{
public:
    // Of the program as the first run found it. `cores` are those that it may use.
    TrialSeries(const TrialReport& found, std::int64_t cores);

    // The row to run next; none once there is an answer, or nothing that could be one.
    std::optional<std::size_t> next();
    void add(std::size_t row, double batchNs);
    void fail(std::size_t row, std::string why);

    // The first is the program as it is.
    const std::vector<TrialRow>& rows() const { return m_rows; }
    const LoaderSettings& asItIs() const { return m_rows.front().settings; }
    TrialClaim claim(std::size_t row) const;
    // The row to take: of those that are faster beyond noise and as good as the fastest, the one with fewest changes.
    std::optional<std::size_t> answer() const;
    // The fastest so far that is worth it if it holds; none where that is the program as it is.
    std::optional<std::size_t> fastest() const;
    // What runs of one setting differ by, as a share of the time (a standard deviation); none before any two.
    std::optional<double> spread() const;
    // Why some of what could be tried is not: sentences.
    const std::vector<std::string>& leftOut() const { return m_leftOut; }
    std::size_t runs() const;

private:
    void addSingles(const TrialReport& found, std::int64_t cores);
    void addCombined();
    bool has(const LoaderSettings& settings) const;
    void addRow(const LoaderSettings& settings, std::string why);
    bool isInQuestion(std::size_t row) const;
    bool isDecided() const;
    void startRound();
    std::int64_t freedom() const;

    bool m_epochsEnd;  // within the stretch
    std::vector<TrialRow> m_rows;
    std::vector<std::string> m_leftOut;
    std::vector<std::size_t> m_round;  // rows still to run, last first
    int m_rounds = 0;
};

}  // namespace overlane
