// Program traits: the framework that ran, and whether a loader fed it, from what a trace records.
//
// By the names of its kernels, operators and ranges, each looked at once, and by the names of its processes.
// Unknown is an answer: then nothing is said in one framework's words. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/work_meter.h"
#include "core/trace/trace.h"

namespace overlane
{

enum class Framework : std::uint8_t {
    Unknown,
    PyTorch,
    Lightning,   // and all of PyTorch's words
    Accelerate,  // the same
    Fsdp,        // the same
    Jax,
    CuPy,
    Cuda,  // a program that is no Python and shows none of these
};
constexpr int kFrameworkCount = 8;

// "PyTorch", "JAX"; stable, used in JSON.
std::string_view frameworkName(Framework framework);

struct ProgramTraits {
    Framework framework = Framework::Unknown;
    std::string evidence;         // the first name that shows it; empty for Unknown and Cuda
    bool hasLoader = false;       // a DataLoader's workers, waits or ranges are recorded
    std::int64_t processors = 0;  // that it may keep busy; 0 = the trace does not tell
    bool hasOptimizer = false;    // a step of one is named, or a kernel that updates many tensors at once

    bool isPyTorch() const { return framework >= Framework::PyTorch && framework <= Framework::Fsdp; }
};

ProgramTraits programTraits(const Trace& trace, const WorkMeter& work = {});

}  // namespace overlane
