// NativeModule: functions and source lines of one module of a process, found fast for very many addresses.
//
// Keeps the addresses of its symbols and of its compilation units in order; both are read when first asked for.
// The Dwfl_Module is libdw's and must outlive it. One thread; addresses of the process.
#pragma once

#ifdef OVERLANE_LIBDW

#include <cstdint>
#include <elfutils/libdwfl.h>
#include <string>
#include <vector>

namespace overlane
{

// Of larger files no lines are told: libdw reads their debug information as a whole.
constexpr std::int64_t kLargestDebugBytes = std::int64_t{256} << 20;

class NativeModule
{
public:
    NativeModule(Dwfl_Module* module, bool hasLines) : m_module(module), m_hasLines(hasLines) {}

    // As the linker knows it, mangled; empty where none covers the address.
    std::string symbol(std::uint64_t address);
    // Where the function begins that has the address; 0 where none covers it.
    std::uint64_t entry(std::uint64_t address);
    struct Line {
        std::string file;
        int number = 0;  // 0: not known
    };
    Line line(std::uint64_t address);

private:
    struct Symbol {
        std::uint64_t start = 0;
        std::uint64_t end = 0;
        int index = 0;
        int rank = 0;  // of several at one address the one that people know
    };
    struct Unit {
        std::uint64_t start = 0;
        std::uint64_t end = 0;
        Dwarf_Die die{};
        Dwarf_Addr bias = 0;
    };
    void readSymbols();
    void readUnits();
    const Symbol* symbolAt(std::uint64_t address);

    Dwfl_Module* m_module;
    bool m_hasLines;
    bool m_hasSymbols = false;
    bool m_hasUnits = false;
    std::vector<Symbol> m_symbols;  // by their start
    std::vector<Unit> m_units;      // by their start
};

}  // namespace overlane

#endif
