#include "core/cli/window_program.h"

#include "core/system/gpu_support.h"

namespace overlane
{

std::string windowProgram()
{
    constexpr const char* kWindow = "overlane-ui";
    for (const char* place : {kWindow, "../../app/program/overlane-ui"})
        if (const auto path = companionPath(place); !path.empty())
            return path.string();
    return kWindow;
}

}  // namespace overlane
