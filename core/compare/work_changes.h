// The tables of a comparison: alike kernels by name, alike copies by direction, memory and size.
//
// Pure functions, any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/compare/comparison.h"

namespace overlane
{

// Largest change of time per step first. The p values of a table are corrected together.
std::vector<WorkChange> kernelChanges(const std::map<std::string, WorkGroup>& a, std::size_t stepsA,
                                      const std::map<std::string, WorkGroup>& b, std::size_t stepsB);
std::vector<WorkChange> copyChanges(const std::map<CopyKey, WorkGroup>& a, std::size_t stepsA,
                                    const std::map<CopyKey, WorkGroup>& b, std::size_t stepsB);

}  // namespace overlane
