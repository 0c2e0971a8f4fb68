#include "core/cli/text_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace overlane
{

Result<void> writeTextFile(const std::string& path, std::string_view text)
{
    // A device or a pipe cannot be replaced.
    std::error_code unknown;
    const bool replaced = !std::filesystem::exists(path, unknown) || std::filesystem::is_regular_file(path, unknown);
    const std::string part = replaced ? fmt::format("{}.part-{}", path, getpid()) : path;
    const auto failed = [&](int code) {
        std::error_code ignored;
        if (replaced)
            std::filesystem::remove(part, ignored);
        return Error{fmt::format("{} cannot be written: {}.", path, std::strerror(code))};
    };
    errno = 0;
    std::ofstream file(part, std::ios::binary);
    if (!file)
        return failed(errno != 0 ? errno : EIO);
    file << text;
    file.close();
    if (!file)
        return failed(errno != 0 ? errno : EIO);
    if (!replaced)
        return {};
    std::error_code problem;
    std::filesystem::rename(part, path, problem);
    return problem ? Result<void>(failed(problem.value())) : Result<void>();
}

Result<std::string> readTextFile(const std::string& path)
{
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.is_open() || file.bad())
        return Error{fmt::format("{} cannot be read: {}.", path, std::strerror(errno != 0 ? errno : EIO))};
    return text;
}

bool sameFile(const std::string& a, const std::string& b)
{
    std::error_code unknown;
    return std::filesystem::equivalent(a, b, unknown);
}

}  // namespace overlane
