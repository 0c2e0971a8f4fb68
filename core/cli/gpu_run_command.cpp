#include "core/cli/command.h"
#include "core/cli/long_task.h"
#include "core/runs/measured_run.h"

namespace overlane
{
namespace
{

struct GpuRunArguments {
    std::string scenario;
    std::string result;
    int device = 0;
    bool force = false;
};

std::string gpuRunHelp()
{
    return "Used by \"overlane run --engine gpu\".";
}

CommandAction declareGpuRun(OptionList& list)
{
    auto options = std::make_shared<GpuRunArguments>();
    list.add("SCENARIO", options->scenario).required();
    list.add("RESULT", options->result).required();
    list.add("--device", options->device);
    list.flag("--force", options->force);
    return [options](CommandOutput) {
        LongTask run("", LongTask::Drawing::Never, LongTask::Cancelling::MustAnswer);
        return runForMeasurement(options->scenario, options->result, options->device, options->force, run.progress());
    };
}

}  // namespace

// Not for people: the process in which a measured run happens (core/runs/measured_run.h).
constinit const Command gpuRunCommand = {"gpu-run", "", gpuRunHelp, declareGpuRun};

}  // namespace overlane
