// GpuSupport: what this machine offers for real runs and recording, as one state and one sentence.
//
// "No GPU here" is a normal state. The driver is asked through libcuda.so.1, loaded at run time; no
// context is made and no memory taken. The CUDA engine and the collector live in a shared object of
// their own (liboverlane-cuda.so, folder cupti/), looked for beside the program and in
// ../lib/overlane. Calls used: cuInit, cuDriverGetVersion, cuDeviceGetCount, cuDeviceGetName
// (CUDA Driver API reference). Any thread; a driver may be slow to answer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace overlane
{

struct GpuSupport {
    enum class State : std::uint8_t {
        NoDriver,   // libcuda.so.1 is not there
        NoDevice,   // a driver, but no GPU that this process may use
        NoBackend,  // a GPU, but this copy of Overlane came without the CUDA engine
        Ready,      // a GPU and the engine
    };
    State state = State::NoDriver;
    int driverVersion = 0;  // 13000 for CUDA 13.0; 0 = unknown
    std::vector<std::string> devices;
    std::string sentence;  // for people: what the state is and what works all the same
};

GpuSupport detectGpuSupport();

// The shared object with the CUDA engine; empty where this copy of Overlane has none.
std::filesystem::path gpuBackendPath();
// A file that belongs to the program: beside it, in ../lib/overlane, or, in a build folder, in
// ../../lib/overlane; of liboverlane beside that library or in its package. Empty where there is none.
std::filesystem::path companionPath(const char* fileName);

// The same from what was found, for tests and for the sentence alone.
GpuSupport describeGpuSupport(bool driver, int driverVersion, std::vector<std::string> devices, bool backend);

}  // namespace overlane
