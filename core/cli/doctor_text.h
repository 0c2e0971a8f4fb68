// A diagnosis of this machine, for the terminal and as JSON.
//
// Pure, any thread. JSON keys and ids are stable: append, never rename.
#pragma once

#include <string>

#include "core/cli/device_figures.h"
#include "core/doctor/diagnosis.h"

namespace overlane
{

// Problems are what stops one of the purposes asked.
std::string doctorText(const Diagnosis& diagnosis, Purposes asked);
OrderedJson doctorJson(const Diagnosis& diagnosis, Purposes asked);

}  // namespace overlane
