// PythonFacts: the Python that a training program would run with here, and its PyTorch.
//
// Asked of a process of its own, which imports PyTorch, touches no GPU and is ended when its time is over; what it had
// answered by then stands. Any thread; blocks for at most the time given.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace overlane
{

struct PythonFacts {
    std::string program;  // "/opt/venv/bin/python"; empty: none was found
    std::string version;  // "3.11.4"
    std::string torchFile;
    std::string torchVersion;  // "2.6.0+cu124"; empty: no PyTorch
    std::string torchCuda;     // "12.4"; empty: built without CUDA
    // Of its DataLoader, what the hook does not understand; empty: it understands it; none: not known.
    std::optional<std::string> loaderProblem;
    std::string failure;  // the reason where an answer is missing
};

// "key=value" lines of the process.
PythonFacts parsePythonFacts(std::string_view answer);
// `program` empty: python, else python3 of PATH. `hookFolder` empty: the loader is not looked at.
PythonFacts askPython(const std::string& program, const std::string& hookFolder, std::chrono::milliseconds most);

}  // namespace overlane
