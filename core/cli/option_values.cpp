#include "core/cli/option_values.h"

#include <array>

#include "core/devices/device_profile.h"
#include "core/findings/rule.h"
#include "core/lessons/lesson.h"
#include "core/loader/presets.h"
#include "core/loader/settings.h"
#include "core/replay/change.h"
#include "core/runs/run_metrics.h"
#include "core/spool/record_kinds.h"
#include "core/sweep/sweep_ready.h"

namespace overlane
{
namespace
{

using Values = std::vector<std::string>;

template <typename List, typename Name>
Values namesOf(const List& list, Name name)
{
    Values values;
    values.reserve(list.size());
    for (const auto& one : list)
        values.emplace_back(name(one));
    return values;
}

Values deviceKeys()
{
    return namesOf(allDeviceProfiles(), [](const DeviceProfile& one) { return one.key; });
}

Values presetKeys()
{
    return namesOf(allPresets(), [](const Preset& one) { return one.key; });
}

Values settingKeys()
{
    return namesOf(allSettings(), [](const Setting& one) { return std::string(one.key) + "="; });
}

// "workers=N" becomes "workers=", "side_stream[=DEPTH]" its name.
Values changeForms()
{
    return namesOf(allChangeForms(), [](const ChangeForm& one) {
        const std::size_t end = one.form.find_first_of("[=");
        const bool needsValue = end != std::string_view::npos && one.form[end] == '=';
        return std::string(one.form.substr(0, end)) + (needsValue ? "=" : "");
    });
}

Values ruleIds()
{
    return namesOf(allRules(), [](const Rule& one) { return one.id; });
}

Values sweepKeys()
{
    return namesOf(allSweeps(), [](const ReadySweep& one) { return one.key; });
}

Values metricKeys()
{
    return namesOf(allRunMetrics(), [](const RunMetric& one) { return one.key; });
}

Values kindNames()
{
    Values values{"default", "light", "all"};
    for (const RecordKindName& kind : kRecordKindNames)
        values.emplace_back(kind.name);
    return values;
}

Values lessonKeys()
{
    const auto& lessons = allLessons();
    return lessons.ok() ? namesOf(lessons.value(), [](const Lesson& one) { return one.key; }) : Values{};
}

Values lessonWords()
{
    Values values = lessonKeys();
    values.insert(values.begin(), {"list", "check"});
    return values;
}

Values engines()
{
    return {"simulated", "gpu"};
}

Values fleetActions()
{
    return {"scan", "report"};
}

Values fleetEngines()
{
    return {"local", "dask://", "ray", "ray://"};
}

struct Row {
    std::string_view command;  // empty: any
    std::string_view option;
    Values (*values)();
};
constexpr std::array kRows = {
    Row{"fleet", "--engine", fleetEngines}, Row{"fleet", "ACTION", fleetActions},   Row{"", "--engine", engines},
    Row{"", "--device", deviceKeys},        Row{"calibrate", "--show", deviceKeys}, Row{"", "--preset", presetKeys},
    Row{"", "--set", settingKeys},          Row{"sweep", "--over", settingKeys},    Row{"sweep", "--ready", sweepKeys},
    Row{"sweep", "--metric", metricKeys},   Row{"", "--change", changeForms},       Row{"", "--what-if", changeForms},
    Row{"check", "--fail-on", ruleIds},     Row{"", "--kinds", kindNames},          Row{"lessons", "KEY", lessonWords},
    Row{"lessons", "--only", lessonKeys},
};

}  // namespace

std::vector<std::string> optionValues(std::string_view command, std::string_view option)
{
    for (const Row& row : kRows)
        if (row.option == option && (row.command.empty() || row.command == command))
            return row.values();
    return {};
}

std::vector<std::pair<std::string_view, std::string_view>> optionsWithValues()
{
    std::vector<std::pair<std::string_view, std::string_view>> result;
    result.reserve(kRows.size());
    for (const Row& row : kRows)
        result.emplace_back(row.command, row.option);
    return result;
}

}  // namespace overlane
