// Names of sweeps that stand beside each other: of those that are called alike, each says what differs.
//
// Pure; GUI thread, since sweeps live there.
#pragma once

#include <deque>

#include <QString>

namespace overlane
{

struct KeptSweep;

// The title, and behind it, where another sweep of the same device has it too, the settings, points and
// repeats that are not the same, or which of the same runs it is.
QString distinctName(const std::deque<KeptSweep>& sweeps, const KeptSweep& sweep);

}  // namespace overlane
