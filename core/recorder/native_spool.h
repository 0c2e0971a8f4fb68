// NativeSpool: the spool of the stacks that the recorder takes of one process, beside the one that the process writes.
//
// Its tracks are those of the process and its threads, since tracks go by their numbers. Owns the file. One thread;
// nanoseconds of the spool's clock.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <unordered_map>
#include <unordered_set>

#include "core/spool/spool_writer.h"
#include "core/trace/event.h"

namespace overlane
{

class NativeSpool
{
public:
    bool open(const std::string& directory, pid_t process, std::int64_t nowNs);
    const std::string& path() const { return m_writer.path(); }

    // A function called by `caller`, spool::kNone for the outermost one. spool::kNone where there are too many.
    std::uint32_t node(std::uint32_t caller, std::string_view name, EventKind kind);
    void sample(std::uint32_t thread, std::uint32_t node, std::int64_t startNs, std::int64_t endNs);
    // The process is over, or is looked at no more.
    void end();
    // How many bytes were written; what cannot be written is given up, and error() says why.
    std::uint64_t flush();
    int error() const { return m_writer.error(); }

private:
    void beginLane(std::uint32_t thread);

    SpoolWriter m_writer;
    pid_t m_process = 0;
    std::uint32_t m_nextNode = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> m_nodes;  // by caller and name; forgotten when there are many
    std::unordered_set<std::uint32_t> m_lanes;                 // threads
};

}  // namespace overlane
