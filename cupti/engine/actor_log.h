// ActorLog: what one loader actor did, as the actor itself saw it, until somebody takes it.
//
// The actor adds from its own thread, the spool takes from another. Nanoseconds of the steady clock
// (CLOCK_MONOTONIC). Calls of CUDA are not in it: the collector records those.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/strong_id.h"
#include "core/spool/spool_clock.h"
#include "core/trace/event.h"

namespace overlane
{

class ActorLog
{
public:
    struct Entry {
        EventKind kind = EventKind::HostWork;
        StringId name;
        std::int64_t startNs = 0;
        std::int64_t endNs = 0;
    };

    void add(const Entry& entry)
    {
        const std::lock_guard lock(m_mutex);
        m_entries.push_back(entry);
    }
    // Everything since the last call.
    std::vector<Entry> take()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_entries, {});
    }

private:
    std::mutex m_mutex;
    std::vector<Entry> m_entries;
};

// One entry, from construction to destruction.
class Span
{
public:
    Span(ActorLog& log, EventKind kind, StringId name) : m_log(log), m_entry{kind, name, monotonicNs(), 0} {}
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;
    ~Span()
    {
        m_entry.endNs = monotonicNs();
        m_log.add(m_entry);
    }
    std::int64_t startNs() const { return m_entry.startNs; }

private:
    ActorLog& m_log;
    ActorLog::Entry m_entry;
};

}  // namespace overlane
