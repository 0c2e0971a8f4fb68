// The settings that a trial ran, as rows of a table: runs, time a batch, change, prediction.
//
// Pure functions; GUI thread, for the language.
#pragma once

#include <vector>

#include "app/trial/trial_answer.h"
#include "app/widgets/cell_table.h"

namespace overlane
{

std::vector<CellColumn> settingColumns();
// Of what ran or failed.
std::vector<CellRow> settingRows(const TrialAnswer& answer);

}  // namespace overlane
