#ifdef OVERLANE_LIBDW

#include "core/recorder/native_module.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace overlane
{
namespace
{

constexpr int kMostSymbols = 4'000'000;
constexpr std::size_t kMostUnits = 1'000'000;
// Functions in assembly may have no length in the symbol table.
constexpr std::uint64_t kLongestUnsized = 1024;

// "write" before "__write" before "__GI___libc_write".
int rankOf(std::string_view name, unsigned char binding)
{
    const std::size_t underscores = std::min(name.find_first_not_of('_'), name.size());
    return static_cast<int>(2 * underscores) + (binding == STB_LOCAL ? 1 : 0);
}

}  // namespace

void NativeModule::readSymbols()
{
    m_hasSymbols = true;
    const int count = std::min(dwfl_module_getsymtab(m_module), kMostSymbols);
    for (int index = 1; index < count; ++index) {
        GElf_Sym entry{};
        GElf_Addr address = 0;
        GElf_Word section = SHN_UNDEF;
        const char* name = dwfl_module_getsym_info(m_module, index, &entry, &address, &section, nullptr, nullptr);
        const unsigned char type = GELF_ST_TYPE(entry.st_info);
        const bool isCode = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
        if (name == nullptr || *name == '\0' || *name == '$' || section == SHN_UNDEF || section == SHN_ABS || !isCode)
            continue;
        if (type == STT_NOTYPE && entry.st_size == 0 && GELF_ST_BIND(entry.st_info) == STB_LOCAL)
            continue;  // a label
        const std::uint64_t length = entry.st_size > 0 ? entry.st_size : kLongestUnsized;
        const int rank = rankOf(name, GELF_ST_BIND(entry.st_info)) + (entry.st_size > 0 ? 0 : 1000);
        m_symbols.push_back({address, address + length, index, rank});
    }
    std::sort(m_symbols.begin(), m_symbols.end(), [](const Symbol& a, const Symbol& b) {
        return std::tie(a.start, a.rank, a.index) < std::tie(b.start, b.rank, b.index);
    });
    const auto sameStart = [](const Symbol& a, const Symbol& b) { return a.start == b.start; };
    m_symbols.erase(std::unique(m_symbols.begin(), m_symbols.end(), sameStart), m_symbols.end());
    m_symbols.shrink_to_fit();
}

const NativeModule::Symbol* NativeModule::symbolAt(std::uint64_t address)
{
    if (!m_hasSymbols)
        readSymbols();
    const auto after = std::partition_point(m_symbols.begin(), m_symbols.end(),
                                            [&](const Symbol& each) { return each.start <= address; });
    return after == m_symbols.begin() || address >= std::prev(after)->end ? nullptr : &*std::prev(after);
}

std::string NativeModule::symbol(std::uint64_t address)
{
    const Symbol* found = symbolAt(address);
    if (found == nullptr)
        return {};
    GElf_Sym entry{};
    GElf_Addr start = 0;
    const char* name = dwfl_module_getsym_info(m_module, found->index, &entry, &start, nullptr, nullptr, nullptr);
    return name != nullptr ? name : std::string();
}

std::uint64_t NativeModule::entry(std::uint64_t address)
{
    const Symbol* found = symbolAt(address);
    return found == nullptr ? 0 : found->start;
}

// From the units themselves: the table of addresses beside them is one that not every compiler writes.
void NativeModule::readUnits()
{
    m_hasUnits = true;
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = dwfl_module_nextcu(m_module, nullptr, &bias); unit != nullptr && m_units.size() < kMostUnits;
         unit = dwfl_module_nextcu(m_module, unit, &bias)) {
        Dwarf_Addr base = 0;
        Dwarf_Addr start = 0;
        Dwarf_Addr end = 0;
        for (ptrdiff_t at = dwarf_ranges(unit, 0, &base, &start, &end); at > 0 && m_units.size() < kMostUnits;
             at = dwarf_ranges(unit, at, &base, &start, &end))
            if (end > start)
                m_units.push_back({start + bias, end + bias, *unit, bias});
    }
    std::sort(m_units.begin(), m_units.end(), [](const Unit& a, const Unit& b) { return a.start < b.start; });
}

NativeModule::Line NativeModule::line(std::uint64_t address)
{
    if (!m_hasLines)
        return {};
    if (!m_hasUnits)
        readUnits();
    const auto after =
        std::partition_point(m_units.begin(), m_units.end(), [&](const Unit& each) { return each.start <= address; });
    if (after == m_units.begin() || address >= std::prev(after)->end)
        return {};
    Unit& unit = *std::prev(after);
    Dwarf_Line* line = dwarf_getsrc_die(&unit.die, address - unit.bias);
    const char* file = line != nullptr ? dwarf_linesrc(line, nullptr, nullptr) : nullptr;
    Line found;
    if (file == nullptr || dwarf_lineno(line, &found.number) != 0 || found.number <= 0)
        return {};
    found.file = file;
    return found;
}

}  // namespace overlane

#endif
