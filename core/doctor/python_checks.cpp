#include <cstdlib>
#include <fmt/format.h>

#include "core/doctor/checks.h"

namespace overlane
{
namespace
{

MachineCheck interpreterCheck(const PythonFacts& python)
{
    MachineCheck check{.id = "python", .subject = "Python"};
    check.found = fmt::format("{} {}", python.version, python.program);
    if (python.program.empty()) {
        check.found = python.failure.empty() ? "none in PATH" : "none that runs: " + python.failure;
        check.doThis = "For Python programs, activate their environment first, or name it: --python PROGRAM.";
    }
    return check;
}

MachineCheck torchCheck(const DoctorFacts& facts)
{
    const PythonFacts& python = facts.python;
    MachineCheck check{.id = "pytorch", .subject = "PyTorch"};
    if (python.torchVersion.empty()) {
        check.found = python.failure.empty() ? "not in this Python" : python.failure;
        check.doThis = "For PyTorch programs, activate their environment first, or name it: --python PROGRAM.";
        return check;
    }
    check.found = fmt::format("{}, {}", python.torchVersion,
                              python.torchCuda.empty() ? "built without CUDA" : "built for CUDA " + python.torchCuda);
    const int builtFor = std::atoi(python.torchCuda.c_str());
    const int driver = facts.gpu.driverVersion / 1000;
    if (python.torchCuda.empty())
        check.doThis = "To train on a GPU, install a PyTorch that is built for CUDA.";
    else if (driver > 0 && builtFor > driver)
        check.doThis = fmt::format("Update the driver, which knows CUDA {} at most, or take an older PyTorch.",
                                   cudaVersionText(facts.gpu.driverVersion));
    return check;
}

MachineCheck loaderCheck(const DoctorFacts& facts)
{
    const PythonFacts& python = facts.python;
    MachineCheck check{.id = "pytorch_loader", .subject = "DataLoader"};
    if (facts.hookFolder.empty()) {
        check.found = "this copy of Overlane came without the folder pytorch, which --pytorch needs";
        check.doThis = "Copy share/overlane/pytorch with the program, or install Overlane again.";
    } else if (!python.loaderProblem) {
        check.found = "not looked at" + (python.failure.empty() ? std::string() : ": " + python.failure);
        check.doThis = "Call `overlane doctor` again once PyTorch can be imported.";
    } else if (!python.loaderProblem->empty()) {
        check.found = "another one than Overlane reads: " + *python.loaderProblem;
        check.doThis = "Record without --pytorch, or take a newer Overlane: workers and queues stay unseen.";
    } else {
        check.found = "workers, queues and waits are read (--pytorch)";
    }
    return check;
}

}  // namespace

std::vector<MachineCheck> pythonChecks(const DoctorFacts& facts)
{
    std::vector<MachineCheck> checks{interpreterCheck(facts.python)};
    if (!facts.python.program.empty())
        checks.push_back(torchCheck(facts));
    if (!facts.python.torchVersion.empty())
        checks.push_back(loaderCheck(facts));
    return checks;
}

}  // namespace overlane
