// The long help of `overlane run`: what is simulated, and every setting, preset and device.
//
// Made from the same lists as the program itself; pure, any thread.
#pragma once

#include <string>

namespace overlane
{

std::string runHelp();

}  // namespace overlane
