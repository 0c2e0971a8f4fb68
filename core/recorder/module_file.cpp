#include "core/recorder/module_file.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <fmt/format.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/text_file.h"

namespace overlane
{
namespace
{

Descriptor openRegular(const std::string& path, std::int64_t& bytes)
{
    // A module may be a device or a pipe, which reading would disturb or wait for.
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    return file.valid() && isRegularFile(file.get(), bytes) ? std::move(file) : Descriptor();
}

}  // namespace

std::string memoryMaps(pid_t process)
{
    constexpr std::size_t kMostBytes = 16u << 20;
    return textOfFile(fmt::format("/proc/{}/maps", process), kMostBytes);
}

std::string codeLines(const std::string& maps)
{
    std::string code;
    for (std::size_t at = 0; at < maps.size();) {
        const std::size_t end = std::min(maps.find('\n', at), maps.size());
        const std::string_view line = std::string_view(maps).substr(at, end - at);
        const std::size_t access = line.find(' ');
        if (access != std::string_view::npos && line.substr(access + 1, 4).find('x') != std::string_view::npos)
            code.append(line).push_back('\n');
        at = end + 1;
    }
    return code;
}

std::string processLink(pid_t process, const char* name)
{
    std::array<char, 4096> text{};
    const ssize_t length = ::readlink(fmt::format("/proc/{}/{}", process, name).c_str(), text.data(), text.size());
    return {text.data(), length > 0 ? static_cast<std::size_t>(length) : 0};
}

bool isRegularFile(int file, std::int64_t& bytes)
{
    struct stat info = {};
    if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    bytes = info.st_size;
    return true;
}

Descriptor openModule(pid_t process, const std::string& path, const std::string& executable, std::int64_t& bytes)
{
    if (path == executable)
        if (Descriptor file = openRegular(fmt::format("/proc/{}/exe", process), bytes); file.valid())
            return file;
    if (path.ends_with(" (deleted)"))
        return Descriptor();
    if (Descriptor file = openRegular(fmt::format("/proc/{}/root{}", process, path), bytes); file.valid())
        return file;
    return openRegular(path, bytes);
}

}  // namespace overlane
