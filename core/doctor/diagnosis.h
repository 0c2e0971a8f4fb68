// Diagnosis: whether what Overlane needs is on this machine, check by check, and for which purposes that is enough.
//
// DoctorFacts are read once; the checks are a pure function of them, so a test is any machine. Reading loads the CUDA
// driver and CUPTI, starts a Python and looks at a thread of its own; it blocks for seconds at most. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/content/block.h"
#include "core/doctor/cupti_probe.h"
#include "core/doctor/machine_check.h"
#include "core/doctor/python_probe.h"
#include "core/doctor/surroundings.h"
#include "core/system/gpu_support.h"

namespace overlane
{

struct DoctorFacts {
    GpuSupport gpu;
    bool driverIsSilent = false;  // it has not answered in time, and `gpu` is empty
    Surroundings around;
    bool isAdministrator = false;
    std::optional<FoundCupti> cupti;
    std::string cuptiReason;    // why there is none
    std::string injectLibrary;  // empty: this copy of Overlane has none; so below
    std::string engineLibrary;
    std::string hookFolder;
    std::string windowProgram;
    bool windowHasFonts = false;  // of its own
    PythonFacts python;
    bool readsStacks = false;  // built with libdw
    int stacksError = 0;       // errno of perf_event_open; 0: it works
    std::string temporaryFolder;
    std::optional<std::int64_t> temporaryFreeBytes;  // none: nothing can be written there
};

struct DoctorOptions {
    std::string root = "/";
    Variables variables;
    std::string python;  // empty: the one of PATH
    std::string windowProgram;
    std::chrono::milliseconds mostForPython{20'000};
    std::chrono::milliseconds mostForDriver{20'000};
};
DoctorFacts readDoctorFacts(const DoctorOptions& options);

class Diagnosis
{
public:
    explicit Diagnosis(const DoctorFacts& facts);

    const std::vector<MachineCheck>& checks() const { return m_checks; }
    // Those that this machine looks made for: recording where there is a driver, the window where there is a display.
    Purposes fitting() const { return m_fitting; }
    // The checks that stop it, by id; empty: it works.
    std::vector<std::string_view> stopping(Purpose purpose) const;
    // Whether one of these purposes is stopped.
    bool stopsAny(Purposes asked) const;
    // "ok", "note", or "problem" where it stops one of these purposes.
    static std::string_view stateOf(const MachineCheck& check, Purposes asked);

private:
    std::vector<MachineCheck> m_checks;
    Purposes m_fitting;
};

// The purposes first, then problems, notes and what is fine.
Blocks diagnosisBlocks(const Diagnosis& diagnosis, Purposes asked);

}  // namespace overlane
