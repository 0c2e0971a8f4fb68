#include "app/program/tools.h"

#include <array>

#include "app/calibrate/calibration_tool.h"
#include "app/fleet/fleet_tool.h"
#include "app/job/job_tool.h"
#include "app/lessons/lessons_tool.h"
#include "app/machine/machine_tool.h"
#include "app/session/shell.h"
#include "app/sweep/sweep_tool.h"
#include "app/trial/trial_tool.h"

namespace overlane
{
namespace
{

using PlugIn = QObject* (*)(Shell* shell);

// In the order of their menu entries.
constexpr std::array<PlugIn, 7> kTools{
    [](Shell* shell) -> QObject* { return new JobTool(shell); },
    [](Shell* shell) -> QObject* { return new FleetTool(shell); },
    [](Shell* shell) -> QObject* { return new MachineTool(shell); },
    [](Shell* shell) -> QObject* { return new CalibrationTool(shell); },
    [](Shell* shell) -> QObject* {
        return new SweepTool(shell, shell->remembers() ? SweepTool::usualFolder() : QString());
    },
    [](Shell* shell) -> QObject* { return new TrialTool(shell, shell->remembers()); },
    [](Shell* shell) -> QObject* { return new LessonsTool(shell, shell->remembers()); },
};

}  // namespace

void plugTools(Shell* shell)
{
    for (const PlugIn plugIn : kTools)
        plugIn(shell);
}

}  // namespace overlane
