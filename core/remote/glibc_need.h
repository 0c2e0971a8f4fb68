// The version of glibc: what a program or library asks for, and what a machine has.
//
// Read from the versions that an ELF file needs (SHT_GNU_verneed; System V ABI, "Symbol Versioning" of the LSB); weak
// ones do not count. Reads files; any thread.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace overlane
{

struct GlibcVersion {
    int major = 0;
    int minor = 0;

    auto operator<=>(const GlibcVersion&) const = default;  // NOLINT(modernize-use-nullptr)
};

std::string glibcText(GlibcVersion version);
// "glibc 2.36" of getconf, "GLIBC_2.34" of a symbol: the number behind `prefix`.
std::optional<GlibcVersion> parseGlibc(std::string_view text, std::string_view prefix);
// 0.0 where the file needs none, or is no ELF file of 64 bits.
GlibcVersion neededGlibc(const std::string& path);

}  // namespace overlane
