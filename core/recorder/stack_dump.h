// StackDump: what is known of a thread at one moment: registers, and its stack from the stack pointer on.
//
// Registers stand at DWARF's numbers for this processor. Owns nothing: the stack is a buffer of the caller.
// Nanoseconds of the spool's clock. Plain data, any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace overlane
{

#if defined(__x86_64__)
constexpr bool kNativeStacksFit = true;
constexpr std::size_t kDwarfRegisters = 17;
constexpr std::size_t kStackPointer = 7;
constexpr std::size_t kProgramCounter = 16;
#elif defined(__aarch64__)
constexpr bool kNativeStacksFit = true;
constexpr std::size_t kDwarfRegisters = 32;
constexpr std::size_t kStackPointer = 31;
constexpr std::size_t kProgramCounter = kDwarfRegisters;  // has no number of its own
#else
constexpr bool kNativeStacksFit = false;
constexpr std::size_t kDwarfRegisters = 1;
constexpr std::size_t kStackPointer = 0;
constexpr std::size_t kProgramCounter = 0;
#endif

struct StackDump {
    std::int64_t timeNs = 0;
    std::uint32_t thread = 0;
    std::uint64_t pc = 0;
    std::array<std::uint64_t, kDwarfRegisters> registers{};
    bool allKnown = false;  // else the stack pointer and `pc` alone
    std::span<const std::byte> stack;

    std::uint64_t stackAt() const { return registers[kStackPointer]; }
    // The word at an address of the program; false where it is not in the dump.
    bool word(std::uint64_t address, std::uint64_t& value) const
    {
        if (address < stackAt() || stack.size() < sizeof(value) || address - stackAt() > stack.size() - sizeof(value))
            return false;
        std::memcpy(&value, stack.data() + (address - stackAt()), sizeof(value));
        return true;
    }
};

}  // namespace overlane
