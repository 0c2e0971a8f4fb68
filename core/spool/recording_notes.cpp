#include "core/spool/recording_notes.h"

#include <fmt/format.h>
#include <utility>

#include "core/base/units.h"
#include "core/trace/import_text.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostProperties = 100;
constexpr std::size_t kMostSentences = 50;

}  // namespace

void RecordingNotes::add(const std::vector<RecordingNotice>& notices)
{
    for (const RecordingNotice& notice : notices) {
        if (!isAlarming(notice.status))
            continue;
        if (++m_properties <= kMostProperties)
            m_sink.metadata().properties[fmt::format("process {}: {}", notice.pid, formatDuration(notice.timeNs))] =
                notice.sentence;
        else
            m_sink.metadata().properties["further notices of processes"] =
                std::to_string(m_properties - kMostProperties);
        add(notice.status, notice.sentence);
    }
}

bool RecordingNotes::addWriteError(int error)
{
    if (error == 0 || std::exchange(m_writeError, error) != 0)
        return false;
    const RecordStatus status = writeStatus(error);
    add(status, statusSentence(status, error, {}));
    return true;
}

void RecordingNotes::add(RecordStatus status, const std::string& sentence)
{
    if (status == RecordStatus::RecordsDropped) {  // counted where they are merged
        if (!std::exchange(m_toldDropped, true))
            tell(sentence);
        return;
    }
    tell(sentence);
    keep(std::to_string(static_cast<std::uint32_t>(status)), sentence, Severity::Warning);
}

void RecordingNotes::addOwn(std::string_view key, const std::string& sentence, Severity severity)
{
    tell(sentence);
    keep(key, sentence, severity);
}

void RecordingNotes::tell(const std::string& sentence)
{
    if (m_all.size() < kMostSentences && m_told.insert(sentence).second)
        m_all.push_back(sentence);
}

void RecordingNotes::keep(std::string_view key, const std::string& sentence, Severity severity)
{
    m_sink.stats().add(fmt::format("{}{}", kRecordingNotePrefix, key), "notes of the recording: " + sentence, severity);
}

std::vector<std::string> RecordingNotes::take()
{
    const auto first = m_all.begin() + static_cast<std::ptrdiff_t>(std::exchange(m_taken, m_all.size()));
    return {first, m_all.end()};
}

}  // namespace overlane
