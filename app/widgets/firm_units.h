// Words in which a line never ends between a number and its unit. Pure; any thread.
#pragma once

#include <QString>

namespace overlane
{

// The same words; spaces before units become such as no line breaks at, as wide as they were.
QString withFirmUnits(const QString& words);
// The same for rich text, whose reader takes every space but U+00A0 for one that a line may end at.
QString richWithFirmUnits(const QString& html);

}  // namespace overlane
