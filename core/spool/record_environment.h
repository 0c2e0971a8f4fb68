// How a recorder tells a process to record itself: environment variables and names of files.
//
// The recorder makes an empty directory, puts a control file into it (record_control.h), sets the
// variables below and starts the program. Every process of the tree that initializes CUDA then
// loads the injection library, which writes DIR/<pid>-<start>.spool. Without kSpoolDirectory the
// library does nothing at all. Header only, no dependencies: also compiled into the program.
#pragma once

namespace overlane::record_environment
{

// Read by the CUDA driver at cuInit: path of liboverlane-inject.so.
constexpr const char* kCudaInjection = "CUDA_INJECTION64_PATH";
// Read by NVTX at its first call: the same path; the library hands NVTX on to the CUPTI it uses.
constexpr const char* kNvtxInjection = "NVTX_INJECTION64_PATH";

constexpr const char* kSpoolDirectory = "OVERLANE_SPOOL_DIR";
// Comma separated: "default", "light", "all", or names of record_kinds.h. Unset = default.
constexpr const char* kKinds = "OVERLANE_RECORD_KINDS";
// Milliseconds between flushes; 500 where unset, 50 to 10000.
constexpr const char* kFlushPeriod = "OVERLANE_FLUSH_MS";
// Set: CUPTI is left between two windows of a recording, for measurements (tests/gpu/watch_cost.sh).
constexpr const char* kDetach = "OVERLANE_DETACH";
// A CUPTI library to use before any other that is not loaded already.
constexpr const char* kCuptiLibrary = "OVERLANE_CUPTI";

// Read by the hook in Python programs (resources/pytorch): "1" to record PyTorch's loader, and the mean distance of
// two samples of the stacks in microseconds.
constexpr const char* kLoader = "OVERLANE_LOADER";
constexpr const char* kPythonStacks = "OVERLANE_PYTHON_STACKS";

constexpr const char* kInjectLibrary = "liboverlane-inject.so";
constexpr const char* kControlFile = "control";  // in the spool directory

}  // namespace overlane::record_environment
