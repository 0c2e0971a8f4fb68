// The rows behind allSettings(): one per member of Scenario, in the order of the form. Internal; any thread.
#pragma once

#include <vector>

#include "core/loader/settings.h"

namespace overlane
{

std::vector<Setting> makeSettings();

}  // namespace overlane
