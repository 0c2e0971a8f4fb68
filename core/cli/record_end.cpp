#include "core/cli/record_end.h"

#include <csignal>
#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>

namespace overlane
{

std::string standardRecordingName(const std::string& program)
{
    const std::string name = std::filesystem::path(program).stem().string();
    return fmt::format("{}-{:%Y%m%d-%H%M%S}", name.empty() ? "recording" : name, fmt::localtime(std::time(nullptr)));
}

int endAsProgram(const ProgramEnd& program)
{
    if (program.signal == 0)
        return program.exitCode;
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    std::signal(program.signal, SIG_DFL);
    std::raise(program.signal);
    return 128 + program.signal;
}

}  // namespace overlane
