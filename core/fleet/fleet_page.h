// A fleet as one HTML page without scripts. Pure function, any thread.
#pragma once

#include <string>
#include <string_view>

#include "core/content/block.h"

namespace overlane
{

std::string fleetPage(const Blocks& blocks, std::string_view name, std::string_view version);

}  // namespace overlane
