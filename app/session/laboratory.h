// Laboratory: the settings a person turns: a scenario and the device it is simulated on.
//
// Lives on the GUI thread; owns the values and the undo stack of the whole window, to which bookmarks
// (app/timeline) and the document push, too. Every change goes through an undo command; changes of one setting within a
// gesture (a slider held down) become one step. Values are clamped to the limits that allSettings() names, so an
// impossible one cannot be set.
#pragma once

#include <optional>
#include <string>

#include <QObject>
#include <QString>
#include <QUndoStack>

#include "core/loader/presets.h"
#include "core/loader/scenario.h"
#include "core/loader/settings.h"

namespace overlane
{

struct DeviceProfile;

class Laboratory : public QObject
{
    Q_OBJECT

public:
    struct State {
        Scenario scenario;
        std::string presetKey;  // the preset it started from; empty for settings of a file
        std::string deviceKey;
        std::optional<Scenario> start = {};  // without a preset: the settings that were taken over
        friend bool operator==(const State&, const State&) = default;
    };

    explicit Laboratory(QObject* parent = nullptr);

    const State& state() const { return m_state; }
    const Scenario& scenario() const { return m_state.scenario; }
    const DeviceProfile& device() const;
    const Preset* preset() const;
    // Whether a setting differs from the preset it started from.
    bool differsFromPreset() const;
    // What a run of these settings is called: the preset, and which of its settings are others.
    QString runTitle() const;

    void set(const Setting& setting, double value);
    void setDevice(const std::string& key);
    // Also takes the device that the preset is meant for.
    void applyPreset(const Preset& preset);
    // Several settings as one undo step; preset and device stay.
    void setScenario(const Scenario& scenario, const QString& title);
    // The settings of a stored trace, as one undo step. A preset with the same settings counts as chosen, else
    // the one that they are named after; an unknown device leaves the present one.
    void takeOver(const State& stored, const QString& title);
    // What "back to default" means: the preset it started from, else the defaults.
    Scenario reference() const;

    // Changes of one setting between the two are one undo step.
    void beginGesture() { m_gesture = ++m_gestures; }
    void endGesture() { m_gesture = kNoGesture; }

    QUndoStack* undoStack() { return &m_undo; }

signals:
    void changed();
    // A profile was added to a person's own, or measured anew.
    void devicesChanged();

private:
    friend class ChangeLaboratory;
    void push(const QString& text, State next, int mergeKey);
    void apply(const State& state);

    State m_state;
    QUndoStack m_undo;
    static constexpr int kNoGesture = 0;
    int m_gestures = 0;  // so far
    int m_gesture = kNoGesture;
};

}  // namespace overlane
