// The figures that people may name, as a list for a terminal: the metrics of a run in their groups, and one line of
// any such list.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>

#include "core/runs/figure_unit.h"

namespace overlane
{

// Name, what it is and a sentence, with further lines under the sentence.
std::string figureLine(std::string_view name, const FigureUnit& unit, std::string_view sentence);
// Every metric of a run.
std::string metricLines();

}  // namespace overlane
