#include "core/cli/text_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <utility>

#include "core/base/atomic_file.h"

namespace overlane
{

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

Result<std::string> readTextFile(const std::string& path)
{
    errno = 0;
    const std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();  // fails where reading does, as of a folder; an iterator throws
    if (!file.is_open() || (text.fail() && errno != 0))
        return Error{fmt::format("{} cannot be read: {}.", path, std::strerror(errno != 0 ? errno : EIO))};
    return std::move(text).str();
}

bool sameFile(const std::string& a, const std::string& b)
{
    std::error_code unknown;
    return std::filesystem::equivalent(a, b, unknown);
}

}  // namespace overlane
