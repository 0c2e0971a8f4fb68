// What findings say, as blocks (core/content/block.h): their cost, the change to make, the evidence.
//
// Pure functions, any thread.
#pragma once

#include <string>

#include "core/content/block.h"
#include "core/findings/finding.h"
#include "core/trace/trace.h"

namespace overlane
{

// For a narrow place: "8.30 ms a step, 58.2 %", of GPU idle; else "host blocked 1.20 ms a step", or no text.
Cell costCell(const FindingCost& cost);
// The sentence, then as facts the cost, the change in the words of the program's framework and in CUDA's, and, where
// the trace is given, the longest event that shows it.
Blocks findingBlocks(const Finding& finding, const Trace* trace = nullptr);
// "Problem: Small copies [small-copies]", to stand above them.
Sentence findingHead(const Finding& finding);
// Among all that a command says of a trace: head, sentence and, but for hints, the change; then the names of what could
// not be checked. Empty where there is nothing to say.
Blocks findingOverview(const FindingList& list);
// The rules that the trace lacks the records for.
List notCheckedList(const FindingList& list);

// "cudaMemcpyAsync, 3.11 ms at 12.3 ms"
std::string evidenceText(const Trace& trace, EventIndex event);

}  // namespace overlane
