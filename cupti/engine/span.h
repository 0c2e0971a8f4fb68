// The steady clock of real runs, and one entry of an actor's log from construction to destruction.
#pragma once

#include <chrono>

#include "cupti/engine/actor_log.h"

namespace overlane
{

inline std::int64_t steadyNowNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

class Span
{
public:
    Span(ActorLog& log, EventKind kind, StringId name) : m_log(log), m_entry{kind, name, steadyNowNs(), 0} {}
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;
    ~Span()
    {
        m_entry.endNs = steadyNowNs();
        m_log.entries.push_back(m_entry);
    }
    std::int64_t startNs() const { return m_entry.startNs; }

private:
    ActorLog& m_log;
    ActorLog::Entry m_entry;
};

}  // namespace overlane
