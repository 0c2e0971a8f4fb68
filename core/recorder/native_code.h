// NativeCode: the code that a running process has loaded, as libdw reads it: which functions called each other on a
// stack, and what they are called.
//
// Reads /proc/PID and the files of its modules, each when a stack first needs it, up to bounds; nothing of the
// process is stopped or changed, and it may end at any moment. Asks no server for debug information. What it has
// read stays in memory until it ends. Built without libdw it knows nothing. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

#include "core/recorder/native_names.h"
#include "core/recorder/stack_dump.h"

namespace overlane
{

// What is said of an address in code.
struct CodeName {
    std::string text;      // "train.cpp:88 augment", "train augment", or the module alone
    std::string module;    // "train"
    bool isNamed = false;  // false: the module alone
    CodeOwner owner = CodeOwner::Library;
};

class NativeCode
{
public:
    // Innermost functions of a stack that are looked at.
    static constexpr std::size_t kDeepest = 128;

    // Whether this program was built with libdw, for a processor whose stacks it can read.
    static bool isAvailable();

    explicit NativeCode(pid_t process);
    ~NativeCode();
    NativeCode(const NativeCode&) = delete;
    NativeCode& operator=(const NativeCode&) = delete;

    // Reads which modules are there now. True where they are others than before: names may have changed.
    bool refresh();
    // Addresses within the functions of a stack, innermost first; valid until the next call.
    std::span<const std::uint64_t> functions(const StackDump& dump);
    // Whether the last stack went through code of no known module.
    bool sawUnknownCode() const;
    CodeName name(std::uint64_t address);

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace overlane
