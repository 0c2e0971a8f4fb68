#include "core/cli/command.h"
#include "core/cli/long_task.h"
#include "core/lab/measured_run.h"

namespace overlane
{
namespace
{

// Not for people: the process in which a measured run happens (core/lab/measured_run.h).
class GpuRunCommand : public Command
{
public:
    std::string_view name() const override { return "gpu-run"; }
    std::string_view description() const override { return ""; }
    std::string help() const override { return "Used by \"overlane run --engine gpu\"."; }

    CommandAction declare(CLI::App& app) const override
    {
        app.group("");  // hidden
        auto options = std::make_shared<Options>();
        app.add_option("SCENARIO", options->scenario)->required();
        app.add_option("RESULT", options->result)->required();
        app.add_option("--device", options->device);
        app.add_flag("--force", options->force);
        return [options](CommandOutput) {
            LongTask run("", LongTask::Drawing::Never, LongTask::Cancelling::MustAnswer);
            return runForMeasurement(options->scenario, options->result, options->device, options->force,
                                     run.progress());
        };
    }

private:
    struct Options {
        std::string scenario;
        std::string result;
        int device = 0;
        bool force = false;
    };
};

}  // namespace

const Command& gpuRunCommand()
{
    static const GpuRunCommand command;
    return command;
}

}  // namespace overlane
