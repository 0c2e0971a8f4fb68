// Sweeps as files: JSON lines, a head and then one line per run, so that a sweep that was broken off goes
// on from where it was; and as a table (CSV) for other programs.
//
// One thread. Figures stand under the columns of core/runs/run_metrics.h, in their units; those that a run does
// not know are left out. Keys are stable: append, never rename.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/sweep/sweep.h"

namespace overlane
{

std::string sweepHeadJson(const SweepPlan& plan);
std::string sweepRunJson(const SweepPlan& plan, const SweepRun& run);

struct SweepText {
    SweepResult result;
    std::size_t damagedLines = 0;  // left out; a last line that was being written counts, too
};
// A later line of the same run replaces an earlier one. The Error says why this is no sweep.
Result<SweepText> parseSweep(std::string_view text);
Result<SweepText> readSweep(const std::string& path);

// A file that grows by a line whenever a run has ended, each written through at once.
class SweepWriter
{
public:
    // Starts the file over with what there is of `result`: what was damaged in it is gone.
    static Result<SweepWriter> create(const std::string& path, const SweepResult& result);
    Result<void> append(const SweepPlan& plan, const SweepRun& run);

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    SweepWriter(std::string path, std::FILE* file) : m_path(std::move(path)), m_file(file) {}

    std::string m_path;
    std::unique_ptr<std::FILE, Close> m_file;
};

// A row per point: the settings that are swept, then median, low and high of every metric.
std::string sweepCsv(const SweepResult& result);

}  // namespace overlane
