#include "core/lessons/lesson.h"

#include <algorithm>

#include "core/loader/presets.h"

namespace overlane
{

std::string LessonSource::markdown() const
{
    return url.empty() ? text : "[" + text + "](" + url + ")";
}

std::string LessonScenario::commandLine() const
{
    std::string line = "overlane run";
    if (!preset.empty())
        line += " --preset " + preset;
    const auto presets = allPresets();
    const auto found = std::find_if(presets.begin(), presets.end(),
                                    [&](const Preset& one) { return preset.empty() || one.key == preset; });
    if (found != presets.end() && found->device != device)
        line += " --device " + device;
    // Of a setting that is changed twice the last word counts.
    for (auto change = changes.begin(); change != changes.end(); ++change) {
        const std::string key = change->substr(0, change->find('=') + 1);
        const bool again =
            std::any_of(change + 1, changes.end(), [&](const std::string& later) { return later.starts_with(key); });
        if (!again)
            line += " --set " + *change;
    }
    return line;
}

const LessonScenario* Lesson::find(std::string_view name) const
{
    const auto found = std::find_if(scenarios.begin(), scenarios.end(),
                                    [&](const LessonScenario& scenario) { return scenario.name == name; });
    return found == scenarios.end() ? nullptr : &*found;
}

}  // namespace overlane
