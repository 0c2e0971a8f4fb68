// Words in which a line never ends between a number and its unit. Pure; any thread.
#pragma once

#include <QString>

namespace overlane
{

// The same words; spaces before units become such as no line breaks at, as wide as they were.
QString withFirmUnits(const QString& words);

}  // namespace overlane
