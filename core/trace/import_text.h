// Import statistics in words, and which of them say that the picture lacks something.
//
// A note of the recording is a sentence of its own; the others are words behind their count. Pure functions, any
// thread.
#pragma once

#include <string>
#include <string_view>

#include "core/trace/import_stats.h"

namespace overlane
{

inline constexpr std::string_view kRecordingNotePrefix = "recording_note_";
// A program without PyTorch's DataLoader, or whose loader was not seen.
inline constexpr std::string_view kNoLoaderNote = "recording_note_0";

bool isRecordingNote(const ImportStat& stat);
// Something that was recorded is missing. A program without a loader lacks nothing, though older recordings hold that
// note as a warning.
bool isLoss(const ImportStat& stat);
// "3 events that end before they start", "1 event that ends before it starts"; "Note of the recording: No process took
// ..." for one, "2 notes of ..." for more.
std::string countedText(const ImportStat& stat);

}  // namespace overlane
