#include "core/trace/import_text.h"

#include "core/base/units.h"

namespace overlane
{

bool isRecordingNote(const ImportStat& stat)
{
    return std::string_view(stat.reason).starts_with(kRecordingNotePrefix);
}

bool isLoss(const ImportStat& stat)
{
    return stat.severity != Severity::Info && stat.reason != kNoLoaderNote;
}

std::string countedText(const ImportStat& stat)
{
    constexpr std::string_view kNotes = "notes ";
    if (isRecordingNote(stat) && stat.count == 1 && std::string_view(stat.explanation).starts_with(kNotes))
        return "note " + stat.explanation.substr(kNotes.size());
    // A remark on the whole file counts nothing.
    return (stat.count > 0 ? formatCount(stat.count) + " " : std::string()) + stat.explanation;
}

}  // namespace overlane
