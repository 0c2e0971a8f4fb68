#include "core/remote/glibc_need.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <elf.h>
#include <fmt/format.h>

#include "core/base/text_file.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostFileBytes = std::size_t{1} << 30;

template <typename T>
std::optional<T> at(std::string_view bytes, std::uint64_t offset)
{
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
        return {};
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

std::string_view nameAt(std::string_view bytes, const Elf64_Shdr& names, std::uint64_t offset)
{
    const std::uint64_t begin = names.sh_offset + offset;
    if (begin >= bytes.size())
        return {};
    return bytes.substr(begin, std::min(bytes.find('\0', begin), bytes.size()) - begin);
}

GlibcVersion neededIn(std::string_view bytes, const Elf64_Shdr& needs, const Elf64_Shdr& names)
{
    GlibcVersion most;
    std::uint64_t file = needs.sh_offset;
    for (std::uint32_t left = needs.sh_info; left > 0; --left) {
        const auto library = at<Elf64_Verneed>(bytes, file);
        if (!library)
            break;
        std::uint64_t place = file + library->vn_aux;
        for (std::uint16_t version = 0; version < library->vn_cnt; ++version) {
            const auto need = at<Elf64_Vernaux>(bytes, place);
            if (!need)
                break;
            if ((need->vna_flags & VER_FLG_WEAK) == 0)
                most = std::max(most, parseGlibc(nameAt(bytes, names, need->vna_name), "GLIBC_").value_or(most));
            if (need->vna_next == 0)
                break;
            place += need->vna_next;
        }
        if (library->vn_next == 0)
            break;
        file += library->vn_next;
    }
    return most;
}

}  // namespace

std::string glibcText(GlibcVersion version)
{
    return fmt::format("{}.{}", version.major, version.minor);
}

std::optional<GlibcVersion> parseGlibc(std::string_view text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return {};
    text.remove_prefix(prefix.size());
    GlibcVersion version;
    const char* end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, version.major);
    if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.' ||
        std::from_chars(major.ptr + 1, end, version.minor).ec != std::errc())
        return {};
    return version;
}

GlibcVersion neededGlibc(const std::string& path)
{
    const std::string file = textOfFile(path, kMostFileBytes);
    const std::string_view bytes = file;
    const auto header = at<Elf64_Ehdr>(bytes, 0);
    GlibcVersion most;
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
        return most;
    const auto section = [&](std::uint64_t number) {
        return at<Elf64_Shdr>(bytes, header->e_shoff + number * header->e_shentsize);
    };
    for (std::uint64_t number = 0; number < header->e_shnum; ++number) {
        const auto needs = section(number);
        if (!needs || needs->sh_type != SHT_GNU_verneed)
            continue;
        if (const auto names = section(needs->sh_link))
            most = std::max(most, neededIn(bytes, *needs, *names));
    }
    return most;
}

}  // namespace overlane
