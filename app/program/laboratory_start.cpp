#include "app/program/laboratory_start.h"

#include <string>

#include <QObject>

#include "app/widgets/text.h"
#include "core/devices/user_profiles.h"
#include "core/loader/presets.h"
#include "core/loader/settings.h"

namespace overlane
{

Result<void> configureLaboratory(Laboratory& laboratory, const WindowArguments& arguments)
{
    if (!arguments.preset.empty()) {
        const Preset* found = nullptr;
        for (const Preset& preset : allPresets())
            if (preset.key == arguments.preset)
                found = &preset;
        if (found == nullptr)
            return Error{"There is no preset \"" + arguments.preset + "\"; --help lists them."};
        laboratory.applyPreset(*found);
    }
    if (!arguments.device.empty()) {
        ASSIGN_OR_RETURN(const DeviceProfile* device, deviceProfileFrom(arguments.device));
        laboratory.setDevice(device->key);
    }
    Scenario scenario = laboratory.scenario();
    for (const std::string& assignment : arguments.settings) {
        const std::size_t equals = assignment.find('=');
        if (equals == std::string::npos)
            return Error{"--set wants KEY=VALUE, not \"" + assignment + "\"."};
        Result<void> set = assignSetting(scenario, assignment.substr(0, equals), assignment.substr(equals + 1));
        if (!set.ok())
            return set;
    }
    Result<void> checked = checkScenario(scenario);
    if (!checked.ok())
        return checked;
    laboratory.setScenario(scenario, u"Command line"_s);
    laboratory.undoStack()->clear();
    return {};
}

void runOnGpu(Document& document, bool alsoSimulated)
{
    GpuRuns* runs = document.gpuRuns();
    const auto begin = [&document, runs, alsoSimulated] {
        if (runs->support()->state != GpuSupport::State::Ready) {
            emit document.failed(QString::fromStdString(runs->support()->sentence));
            return;
        }
        document.setEngine(Document::Engine::Gpu);
        if (alsoSimulated)
            document.runOnBoth();
        else
            document.run();
    };
    QObject::connect(runs, &GpuRuns::supportChanged, &document, begin, Qt::SingleShotConnection);
}

}  // namespace overlane
