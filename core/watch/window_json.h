// windowJson(): a window of a watched program as an object of JSON with stable keys: `overlane watch --json`.
//
// A pure function, any thread. Nanoseconds where a key ends so; metrics in the units of their names.
#pragma once

#include <nlohmann/json.hpp>

#include "core/watch/metric.h"
#include "core/watch/window_history.h"

namespace overlane
{

// `cut` says why the window has fewer iterations than were asked for; empty where it has all.
nlohmann::ordered_json windowJson(const WindowFigures& window, const WindowChange& change, const WatchCounts& counts,
                                  const std::string& cut);

}  // namespace overlane
