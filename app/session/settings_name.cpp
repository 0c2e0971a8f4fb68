#include "app/session/settings_name.h"

#include <QObject>
#include <QStringList>

#include "app/widgets/text.h"
#include "core/loader/presets.h"
#include "core/loader/setting_value.h"

namespace overlane
{

namespace
{

// A name that says "pageable" would be wrong of pinned settings: another preset may be what they are now.
const Preset& nearestPreset(const Preset& start, const Scenario& scenario)
{
    const Preset* nearest = &start;
    for (const Preset& preset : allPresets())
        if (differingSettings(preset.scenario, scenario).size() < differingSettings(nearest->scenario, scenario).size())
            nearest = &preset;
    return *nearest;
}

// "Workers 2, Compute time 6.00 ms": the first few that differ; empty where none does.
QString differences(const Scenario& start, const Scenario& scenario)
{
    constexpr qsizetype kMostNamed = 3;
    QStringList named;
    for (const Setting* setting : differingSettings(start, scenario))
        named << text(setting->label) + ' ' + text(settingValueText(*setting, setting->get(scenario)));
    if (const qsizetype more = named.size() - kMostNamed; more > 0)
        named = named.mid(0, kMostNamed) << u"%1 more"_s.arg(more);
    return named.join(u", "_s);
}

}  // namespace

QString settingsName(const Preset& start, const Scenario& scenario)
{
    const Preset& nearest = nearestPreset(start, scenario);
    return settingsName(text(nearest.name), nearest.scenario, scenario);
}

QString settingsName(const QString& startName, const Scenario& start, const Scenario& scenario)
{
    const QString others = differences(start, scenario);
    return others.isEmpty() ? startName : u"%1, but with %2"_s.arg(startName, others);
}

QString settingsHint(const Preset& start, const Scenario& scenario)
{
    const Preset& nearest = nearestPreset(start, scenario);
    const QString others = differences(nearest.scenario, scenario);
    return others.isEmpty() ? text(nearest.hint)
                            : u"As the preset \u201c%1\u201d, but with %2."_s.arg(text(nearest.name), others);
}

QString settingsChange(const Scenario& from, const Scenario& to)
{
    QStringList changes;
    for (const Setting* setting : differingSettings(from, to))
        changes << u"%1 %2 \u2192 %3"_s.arg(text(setting->label), text(settingValueText(*setting, setting->get(from))),
                                            text(settingValueText(*setting, setting->get(to))));
    return changes.join(u", "_s);
}

}  // namespace overlane
