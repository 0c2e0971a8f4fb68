#include "core/base/text_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "core/base/atomic_file.h"

namespace overlane
{
namespace
{

// Files of /proc tell no size, so all are read until they end. A folder opens, and fails with the first read.
bool readInto(std::string& text, const std::string& path, std::size_t mostBytes)
{
    std::ifstream file(path, std::ios::binary);
    std::array<char, std::size_t{64} << 10> block;
    while (file && text.size() < mostBytes) {
        file.read(block.data(), static_cast<std::streamsize>(std::min(block.size(), mostBytes - text.size())));
        text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    }
    return file.is_open() && !file.bad();
}

}  // namespace

Result<void> writeTextFile(const std::string& path, std::string_view text)
{
    // A device or a pipe cannot be replaced.
    std::error_code unknown;
    const bool replaced = !std::filesystem::exists(path, unknown) || std::filesystem::is_regular_file(path, unknown);
    if (replaced) {
        const Result<void> written = writeWhole(path, text);
        return written.ok() ? written : Error{fmt::format("{} cannot be written: {}", path, written.error())};
    }
    errno = 0;
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file)
        return Error{fmt::format("{} cannot be written: {}.", path, std::strerror(errno != 0 ? errno : EIO))};
    return {};
}

Result<std::string> readTextFile(const std::string& path, std::size_t mostBytes)
{
    errno = 0;
    std::string text;
    if (!readInto(text, path, mostBytes == kAnySize ? kAnySize : mostBytes + 1))
        return Error{fmt::format("{} cannot be read: {}.", path, std::strerror(errno != 0 ? errno : EIO))};
    if (text.size() > mostBytes)
        return Error{fmt::format("{} is too large: more than {} bytes.", path, mostBytes)};
    return text;
}

std::string textOfFile(const std::string& path, std::size_t mostBytes)
{
    std::string text;
    readInto(text, path, mostBytes);
    return text;
}

bool sameFile(const std::string& a, const std::string& b)
{
    std::error_code unknown;
    return std::filesystem::equivalent(a, b, unknown);
}

}  // namespace overlane
