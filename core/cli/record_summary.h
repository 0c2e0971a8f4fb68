// What `overlane record` says at the end: what was recorded, and the verdict.
//
// The ranks of a job end together and write to one terminal, so that each says one line, without a verdict, and rank 0
// what to do with all of them. Reads the file; one thread.
#pragma once

#include <ostream>
#include <string>

#include "core/recorder/record_session.h"
#include "core/recorder/recording_name.h"

namespace overlane
{

// "rank 3: " in a job, else nothing: begins each sentence of a rank.
std::string rankPrefix(const RecordingPlace& place);

// `shownIn` is the folder that the sentences name in place of the file's own; empty: the file's own.
void printRecordSummary(const RecordOutcome& outcome, const RecordingPlace& place, const std::string& shownIn,
                        std::ostream& err);

}  // namespace overlane
