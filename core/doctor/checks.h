// The checks of a Diagnosis, a function for each part of the machine.
//
// Pure functions of the facts, in the order in which a person reads them; any thread.
#pragma once

#include <vector>

#include "core/doctor/diagnosis.h"

namespace overlane
{

// The driver, its GPUs, MIG and MPS, the CUDA engine.
std::vector<MachineCheck> gpuChecks(const DoctorFacts& facts);
// The injection library, CUPTI, what may profile, stacks.
std::vector<MachineCheck> recordChecks(const DoctorFacts& facts);
std::vector<MachineCheck> pythonChecks(const DoctorFacts& facts);
// Container, WSL2, memory, room on the disk, and what the window needs.
std::vector<MachineCheck> systemChecks(const DoctorFacts& facts);

// "12.4" for 12040.
std::string cudaVersionText(int version);

}  // namespace overlane
