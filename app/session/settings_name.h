// What settings are called and what is said of them: by the preset that has them, else by the one that comes
// closest and by what differs.
//
// Pure; any thread.
#pragma once

#include <QString>

#include "core/loader/presets.h"

namespace overlane
{

// "pinned, blocking, but with Workers 2". `start` is the preset they were made from; another one names them only
// where fewer settings differ from it.
QString settingsName(const Preset& start, const Scenario& scenario);
// The same of settings that were made from others with a name of their own.
QString settingsName(const QString& startName, const Scenario& start, const Scenario& scenario);
// What to watch and what to try next: the hint of the preset that has these settings, else what differs.
QString settingsHint(const Preset& start, const Scenario& scenario);

// "Pinned memory none -> thread, Workers 4 -> 2": every setting that differs; empty where none does.
QString settingsChange(const Scenario& from, const Scenario& to);

}  // namespace overlane
