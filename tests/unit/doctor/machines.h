// Machines as a doctor's facts: one on which everything works, and one without a GPU.
#pragma once

#include "core/doctor/diagnosis.h"

namespace overlane::test
{

inline DoctorFacts workstation()
{
    DoctorFacts facts;
    facts.gpu = describeGpuSupport(true, 12040, {"NVIDIA H100 80GB HBM3"}, true);
    facts.around.driverVersion = "550.54.14";
    facts.around.hasDeviceFiles = true;
    facts.around.countersRestricted = false;
    facts.around.pinLimitBytes = 8 << 20;
    facts.around.machineMemoryBytes = std::int64_t{64} << 30;
    facts.around.ptraceScope = 1;
    facts.around.display = "DISPLAY=:0";
    facts.around.hasFonts = true;
    facts.cupti = FoundCupti{"/usr/local/cuda/lib64/libcupti.so.12", 22};
    facts.injectLibrary = "/usr/lib/overlane/liboverlane-inject.so";
    facts.engineLibrary = "/usr/lib/overlane/liboverlane-cuda.so";
    facts.hookFolder = "/usr/share/overlane/pytorch";
    facts.windowProgram = "/usr/bin/overlane-ui";
    facts.python.program = "/opt/venv/bin/python";
    facts.python.version = "3.12.1";
    facts.python.torchFile = "/opt/venv/lib/python3.12/site-packages/torch/__init__.py";
    facts.python.torchVersion = "2.6.0+cu124";
    facts.python.torchCuda = "12.4";
    facts.python.loaderProblem = "";
    facts.readsStacks = true;
    facts.temporaryFolder = "/tmp";
    facts.temporaryFreeBytes = std::int64_t{100} << 30;
    return facts;
}

inline DoctorFacts laptopWithoutGpu()
{
    DoctorFacts facts = workstation();
    facts.gpu = describeGpuSupport(false, 0, {}, true);
    facts.around.driverVersion = "";
    facts.around.hasDeviceFiles = false;
    facts.around.countersRestricted.reset();
    facts.cupti.reset();
    facts.cuptiReason = "libcupti.so.13: cannot open shared object file: No such file or directory";
    return facts;
}

}  // namespace overlane::test
