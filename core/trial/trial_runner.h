// TrialRunner: starts a program with settings of its loader, waits until a stretch of batches is over, and
// answers how long that took.
//
// The program runs in a group of processes of its own, without a terminal to read; what it prints goes to a log. It
// ends itself behind the stretch; what is left of its group is ended then. Nothing of it is changed on disk; what it
// writes itself in its first batches it does write. Owns a temporary folder. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/system/child_process.h"
#include "core/trial/trial_report.h"

namespace overlane
{

struct TrialWindow {
    std::int64_t warmUp = 10;   // batches before the stretch, beside those that workers may have made before
    std::int64_t batches = 0;   // of the stretch; 0: as many as `seconds` hold, 20 at least
    double seconds = 4;         // see batches
    double mostSeconds = 60;    // the stretch ends then, once it has five batches
    double limitSeconds = 900;  // a run that takes longer is ended: a failure
};

struct TrialOptions {
    std::vector<std::string> command;
    std::string directory;    // where the program runs; empty: here
    std::string log;          // what the program prints is appended there; empty: it is shown where a run fails
    std::string pytorchHook;  // folder of the hook; empty: the one that came with this program
};

class TrialRunner
{
public:
    // The Error: no hook for Python here, no room for a folder.
    static Result<TrialRunner> make(const TrialOptions& options);

    // With the settings of the loader that has this key, or as the program is where the key is empty; the
    // variables are set beside the trial's own. The Error says why there is no measurement, with the last lines that
    // the program printed; Error::cancelled() where it was cancelled.
    Result<TrialReport> run(const std::string& loader, const LoaderSettings& settings, const TrialWindow& window,
                            const Progress& progress);

    // The same in three parts, for a run that somebody else starts: the start of the program, the file for what it
    // prints, and what it reported, once it has ended.
    struct Output {
        Descriptor file;
        std::int64_t begin = 0;  // what was in it before
    };
    Result<ProgramStart> prepare(const std::string& loader, const LoaderSettings& settings, const TrialWindow& window);
    Result<Output> openOutput() const;
    Result<TrialReport> judge(const ProgramEnd& end, const Output& output) const;

private:
    TrialRunner(TrialOptions options, TemporaryFolder folder, std::pair<std::string, std::string> pythonPath);
    std::string logPath() const;
    Result<TrialReport> report() const;

    TrialOptions m_options;
    TemporaryFolder m_folder;
    std::pair<std::string, std::string> m_pythonPath;
    int m_runs = 0;
};

}  // namespace overlane
