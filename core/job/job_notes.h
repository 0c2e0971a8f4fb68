// What is wrong with the files of a job, a sentence each: ranks that are missing, doubled, broken or of another job,
// clocks and steps that do not fit together.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <vector>

#include "core/job/job.h"

namespace overlane
{

// "0 to 3, 5 and 7".
std::string rankListText(const std::vector<int>& ranks);

std::vector<std::string> jobNotes(const Job& job);

}  // namespace overlane
