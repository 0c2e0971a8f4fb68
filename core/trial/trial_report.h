// TrialReport: what a program's run tells of its loader and of a stretch of its batches; written by
// resources/pytorch/overlane_trial.py, one per process.
//
// Plain data; pure functions, any thread. Nanoseconds, bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trial/loader_settings.h"

namespace overlane
{

// A line of the program's own code, of no package.
struct TrialSite {
    std::string file;
    std::int64_t line = 0;  // 0: no line is known
    std::string function;
    std::string code;     // the line itself, without its indent
    std::string library;  // that was called there and did it: "transformers"; empty: the line itself

    // "train.py:31", without folders.
    std::string place() const;
};

// A line that copies batches to the GPU, before the stretch.
struct TrialCopies {
    TrialSite site;
    std::int64_t copies = 0;
    std::int64_t bytes = 0;
    std::int64_t waits = 0;  // of them asked for without non_blocking=True
};

struct TrialReport {
    std::string loader;  // its key: the same in every run
    TrialSite site;      // where it is made
    LoaderSettings settings;
    bool iterable = false;             // its dataset has no indices: workers would each make all of it
    std::int64_t batchSize = 0;        // samples; 0: unknown
    std::int64_t batchesPerEpoch = 0;  // 0: unknown
    std::int64_t epochs = 0;           // that began within the stretch
    std::int64_t batches = 0;          // of the stretch
    std::int64_t stretchNs = 0;        // with the GPU idle at both ends
    bool ended = false;                // the program was over before the stretch was
    bool cuda = false;                 // the process used a GPU
    std::vector<TrialCopies> copies;   // most bytes first

    double batchNs() const { return batches > 0 ? static_cast<double>(stretchNs) / static_cast<double>(batches) : 0; }
    bool copiesWait() const;
};

Result<TrialReport> parseTrialReport(std::string_view json);

}  // namespace overlane
