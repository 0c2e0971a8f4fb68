#include "app/session/laboratory.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QUndoCommand>

#include "app/session/settings_name.h"
#include "app/widgets/text.h"
#include "core/devices/device_profile.h"
#include "core/loader/presets.h"

namespace overlane
{

class ChangeLaboratory : public QUndoCommand
{
public:
    ChangeLaboratory(Laboratory* laboratory, const QString& text, Laboratory::State next, int mergeKey, int gesture)
        : QUndoCommand(text),
          m_laboratory(laboratory),
          m_before(laboratory->state()),
          m_after(std::move(next)),
          m_mergeKey(mergeKey),
          m_gesture(gesture)
    {
    }

    int id() const override { return m_mergeKey; }
    void undo() override { m_laboratory->apply(m_before); }
    void redo() override { m_laboratory->apply(m_after); }
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* next = static_cast<const ChangeLaboratory*>(other);
        if (next->m_gesture != m_gesture)
            return false;
        m_after = next->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    Laboratory* m_laboratory;
    Laboratory::State m_before;
    Laboratory::State m_after;
    int m_mergeKey;
    int m_gesture;
};

namespace
{

constexpr int kNeverMerge = -1;  // QUndoCommand's own value for it

const Preset* findPreset(const std::string& key)
{
    for (const Preset& preset : allPresets())
        if (preset.key == key)
            return &preset;
    return nullptr;
}

}  // namespace

Laboratory::Laboratory(QObject* parent) : QObject(parent)
{
    m_undo.setUndoLimit(1000);
    const Preset& first = allPresets().front();
    m_state = {first.scenario, std::string(first.key), std::string(first.device)};
    if (findDeviceProfile(m_state.deviceKey) == nullptr)
        m_state.deviceKey = allDeviceProfiles().front().key;
}

const DeviceProfile& Laboratory::device() const
{
    return *findDeviceProfile(m_state.deviceKey);
}

const Preset* Laboratory::preset() const
{
    return findPreset(m_state.presetKey);
}

bool Laboratory::differsFromPreset() const
{
    const Preset* start = preset();
    return start == nullptr || !(start->scenario == m_state.scenario);
}

QString Laboratory::runTitle() const
{
    const Preset* start = preset();
    return start != nullptr ? settingsName(*start, m_state.scenario) : QString::fromStdString(m_state.scenario.name);
}

void Laboratory::set(const Setting& setting, double value)
{
    if (setting.kind == SettingKind::Switch)
        value = value != 0 ? 1 : 0;
    else if (setting.kind == SettingKind::Choice)
        value = std::clamp(value, 0.0, static_cast<double>(setting.choices.size() - 1));
    else
        value = std::clamp(value, setting.minimum, setting.maximum);
    if (setting.kind == SettingKind::Integer || setting.kind == SettingKind::Bytes)
        value = std::round(value);
    State next = m_state;
    setting.set(next.scenario, value);
    if (next.start)  // its name is of its own settings
        next.scenario.name =
            settingsName(QString::fromStdString(next.start->name), *next.start, next.scenario).toStdString();
    const auto index = static_cast<int>(&setting - allSettings().data());
    push(QString::fromUtf8(setting.label.data(), static_cast<int>(setting.label.size())), std::move(next), index + 1);
}

void Laboratory::setDevice(const std::string& key)
{
    State next = m_state;
    if (findDeviceProfile(key) != nullptr)
        next.deviceKey = key;
    push(u"Device"_s, std::move(next), kNeverMerge);
}

void Laboratory::applyPreset(const Preset& preset)
{
    State next{preset.scenario, std::string(preset.key), std::string(preset.device)};
    if (findDeviceProfile(next.deviceKey) == nullptr)
        next.deviceKey = m_state.deviceKey;
    push(u"Preset"_s, std::move(next), kNeverMerge);
}

void Laboratory::setScenario(const Scenario& scenario, const QString& title)
{
    State next = m_state;
    next.scenario = scenario;
    push(title, std::move(next), kNeverMerge);
}

void Laboratory::takeOver(const State& stored, const QString& title)
{
    State next{stored.scenario, {}, m_state.deviceKey};
    if (findDeviceProfile(stored.deviceKey) != nullptr)
        next.deviceKey = stored.deviceKey;
    for (const Preset& preset : allPresets())
        if (preset.scenario == stored.scenario || (next.presetKey.empty() && preset.name == stored.scenario.name))
            next.presetKey = preset.key;
    if (next.presetKey.empty())
        next.start = stored.scenario;
    push(title, std::move(next), kNeverMerge);
}

Scenario Laboratory::reference() const
{
    const Preset* start = preset();
    return start != nullptr ? start->scenario : Scenario{};
}

void Laboratory::push(const QString& text, State next, int mergeKey)
{
    if (next == m_state)
        return;
    const bool merges = mergeKey != kNeverMerge && m_gesture != kNoGesture;
    m_undo.push(new ChangeLaboratory(this, text, std::move(next), merges ? mergeKey : kNeverMerge, m_gesture));
}

void Laboratory::apply(const State& state)
{
    m_state = state;
    emit changed();
}

}  // namespace overlane
