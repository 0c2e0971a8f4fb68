// The file of a fleet: fleet.sqlite, which `overlane fleet scan` writes beside its Parquet parts (docs/fleet.md has the
// schema).
//
// Any thread. The file may come from a stranger: it is opened as one, and rows with figures that cannot be (negative
// times, shares outside 0 to 1) are taken for what can be believed of them. Memory grows with the rows, about 400 bytes
// each.
#pragma once

#include <optional>
#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/fleet/fleet.h"

namespace overlane
{

// The fleet's file where `path` is one by its name, or a folder that holds one.
std::optional<std::string> fleetFile(const std::string& path);

// `path` as given to fleetFile(). Errors say what is wrong with the file and what to do.
Result<Fleet> readFleet(const std::string& path, Progress& progress);

}  // namespace overlane
