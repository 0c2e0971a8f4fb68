// RecordingNotes: what people should hear of a recording, each sentence once, and where it is kept:
// in the import statistics and in the properties of the trace.
//
// Thousands of processes may have the same to say, so what is kept of each is bounded. Keeps a
// reference to the sink; one thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/spool/recording_merger.h"

namespace overlane
{

class RecordingNotes
{
public:
    explicit RecordingNotes(TraceSink& sink) : m_sink(sink) {}

    // Notices that are alarming; others are left out.
    void add(const std::vector<RecordingNotice>& notices);
    // That a process could not write, which its own spool cannot say; 0 = none. True for the first.
    bool addWriteError(int error);
    // Of the recorder's own; `key` tells it from others.
    void addOwn(std::string_view key, const std::string& sentence, Severity severity = Severity::Warning);

    // Sentences since the last call.
    std::vector<std::string> take();
    // Every one so far.
    const std::vector<std::string>& all() const { return m_all; }

private:
    void add(RecordStatus status, const std::string& sentence);
    void tell(const std::string& sentence);
    void keep(std::string_view key, const std::string& sentence, Severity severity);

    TraceSink& m_sink;
    std::set<std::string> m_told;
    std::vector<std::string> m_all;
    std::size_t m_taken = 0;
    std::size_t m_properties = 0;
    bool m_toldDropped = false;  // their number changes; the totals have the last
    int m_writeError = 0;
};

}  // namespace overlane
