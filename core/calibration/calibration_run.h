// CalibrationRun: a calibration of this machine's GPU in a process of its own.
//
// The process is `overlane calibrate --stream`: whatever happens to it, the program that asked goes on, and ending it
// frees everything it took, the GPU's context included. Owns the process and a temporary folder. One thread:
// poll() a few times a second until it answers false, then finish().
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/calibration/calibrated_profile.h"
#include "core/calibration/calibration_stream.h"
#include "core/system/child_process.h"

namespace overlane
{

struct CalibrationRunOptions {
    int device = 0;
    bool quick = false;
    std::string program;  // overlane, the command line; empty: found beside this program
};

class CalibrationRun
{
public:
    static Result<std::unique_ptr<CalibrationRun>> start(const CalibrationRunOptions& options);
    ~CalibrationRun();  // ends the process if it still runs
    CalibrationRun(const CalibrationRun&) = delete;
    CalibrationRun& operator=(const CalibrationRun&) = delete;

    // Adds what is new to `news`; false once the process has ended.
    bool poll(CalibrationNews& news);
    // Asks it to end, and makes it after a while; finish() then answers Error::cancelled().
    void cancel();
    Result<CalibratedProfile> finish();

private:
    CalibrationRun(TemporaryFolder folder, ChildProcess process);

    const TemporaryFolder m_folder;
    ChildProcess m_process;
    std::ifstream m_output;
    std::string m_text;       // of the output, not yet a whole line
    std::string m_lastWords;  // of the output, for the sentence where it fails
    std::optional<ProgramEnd> m_end;
    std::int64_t m_cancelledNs = 0;  // when it was asked to end; 0 = not
};

}  // namespace overlane
