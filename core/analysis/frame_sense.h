// Frame sense: what a thread does in a function of a library, by the function's name: it waits, it launches GPU work,
// it compiles, or it works.
//
// Names are those of stacks: of Python "threading.py:355 Condition.wait", with the path from the library's folder on,
// where functions in C have no frame of their own, so that time.sleep() in a program's line is that line; of compiled
// code "libcuda.so.1 cuLaunchKernel", and "kernel futex" where the kernel let the thread wait. Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace overlane
{

enum class FrameSense : std::uint8_t {
    Work,      // also the program's own lines
    Waits,     // until another thread, process or machine delivers
    Launches,  // a framework whose functions mostly launch GPU work, where their arrays are on a GPU
    Compiles,
};
constexpr int kFrameSenseCount = 4;

// Of a function of Python's own library, of a package, or of a shared library.
FrameSense frameSense(std::string_view name);

// Overlane's own functions in a recorded program: never what a program does.
bool isRecorderFrame(std::string_view name);
// Code that a compiler wrote for a program: its path looks like one of the program's own.
bool isGeneratedFrame(std::string_view name);

}  // namespace overlane
