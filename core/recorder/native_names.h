// Whose a module and a function of compiled code is, and the names of modules and source files as people read them.
//
// Names come from strangers' files: whatever they hold, the answer is short and takes time by its length. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace overlane
{

// Whose code it is.
enum class CodeOwner : std::uint8_t {
    Program,
    Library,
    Recorder,  // Overlane's own in the program
};

// Of the file of a module. `isExecutable`: it is the program itself, wherever it lies.
CodeOwner ownerOfModule(std::string_view path, bool isExecutable);
// Whether a function is of a library although it was compiled into the program: by its short name, and by the path
// of its source, empty where that is not known.
bool isLibraryFunction(std::string_view function, std::string_view source);
// CUDA's runtime, which is part of most programs: its name for its functions, empty for any other function.
constexpr std::string_view kCudaRuntime = "libcudart";
std::string_view runtimeOfFunction(std::string_view function);
// Its inner functions have numbers for names.
bool isNamelessOfRuntime(std::string_view function);
// What nvcc adds to a program for a kernel, by its symbol and the path of its source: host code that launches it.
bool isLaunchOfKernel(std::string_view symbol, std::string_view source);

// "/usr/lib/libfoo.so.1 (deleted)" -> "libfoo.so.1"
std::string moduleName(std::string_view path);
// Relative to the folder that the program runs in, else with one folder: "src/train.cpp".
std::string sourceName(std::string_view path, std::string_view workingFolder);

}  // namespace overlane
