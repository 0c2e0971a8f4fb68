#include "core/cli/record_arguments.h"

#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace overlane
{

std::string standardName(const std::string& program)
{
    const std::string name = std::filesystem::path(program).stem().string();
    return fmt::format("{}-{:%Y%m%d-%H%M%S}", name.empty() ? "recording" : name, fmt::localtime(std::time(nullptr)));
}

}  // namespace overlane
