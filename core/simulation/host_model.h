// HostModel: the cores and the memory bandwidth of the host, shared by the work that runs on them.
//
// Processor sharing, NUMA node by NUMA node. With R jobs on a node's C cores, each has
//     c = min(1, C / R)
// of a core. Memory answers the later the more the others want of it: where their traffic, as each would
// move it with its part of a core and nobody beside, is u times the node's bandwidth, every access takes f(u) = sqrt(1
// + u^2) as long: next to nothing while there is room, and an equal part for each where there is none. A job that alone
// spends the share m of its time in memory runs at
//     r = c / (1 + m (f(u) - 1))      (summed over the nodes whose memory it uses)
// of its speed alone. So n workers that copy memory share its bandwidth, and work that hardly touches memory
// is not slowed by them. Not counted: copies by the GPU's own engines, which use memory but no core, and
// driver calls, which are short or wait.
//
// Rates change only in settle(), once per point in time, so that work which ends and is replaced at
// once disturbs nobody. As long as there is room for all, a job's end is known when it starts; from
// the first crowd on, only the earliest end is. Pushes its future into an EventQueue. One thread;
// virtual nanoseconds.
#pragma once

#include <array>
#include <coroutine>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/engine/operation.h"
#include "core/simulation/event_queue.h"

namespace overlane
{

struct HostJob {
    struct Traffic {
        std::uint32_t node = 0;
        double bytesPerSecond = 0;  // while the job runs alone
    };
    std::uint32_t node = 0;     // whose cores it runs on
    std::int64_t lengthNs = 0;  // alone on an idle host
    std::array<Traffic, 2> traffic;
    double memoryShare = 0;  // of its time alone, spent in memory

    // For whoever started it
    ActorId actor;
    EventKind kind = EventKind::Loader;
    StringId label;
    std::int64_t calledNs = 0;
    std::coroutine_handle<> resume;
};

class HostModel
{
public:
    using JobId = std::uint32_t;

    HostModel(std::size_t nodes, double coresPerNode, double bytesPerSecondPerNode, EventQueue& queue);

    // Runs from `startNs` on until its length is done; onTime() returns it then.
    void run(std::int64_t nowNs, std::int64_t startNs, const HostJob& job);
    // The same without an end of its own: from now until release(). Settles, so that rate() is known.
    JobId occupy(std::int64_t nowNs, const HostJob& job);
    void release(JobId job) { remove(job); }
    double rate(JobId job) const { return m_entries[job].rate; }

    // A TimedEvent of this model is due; the job that has ended, if one has.
    std::optional<HostJob> onTime(const TimedEvent& event);
    // Whether settle() must be called before time goes on.
    bool unsettled() const { return m_unsettled; }
    void settle(std::int64_t nowNs);

private:
    struct Entry {
        HostJob job;
        double remainingNs = 0;
        double rate = 0;
        std::int64_t sinceNs = 0;  // when remainingNs was last brought up to date
        std::int64_t endNs = 0;    // at this rate
        std::uint32_t generation = 0;
        bool running = false;
        bool endless = false;
        bool scheduled = false;  // its end is in the queue
    };
    struct Node {
        std::int64_t jobs = 0;
        double wanted = 0;  // sum of its memory traffic, of jobs that run alone
        double share = 1;   // of a core
    };

    JobId add(const HostJob& job);
    void begin(std::int64_t nowNs, JobId id);
    void remove(JobId id);
    void schedule(JobId id);
    bool crowded() const;
    void shareOut();
    double rateOf(const HostJob& job) const;
    double slowdown(std::uint32_t node, double ownBytesPerSecond) const;

    const double m_coresPerNode;
    const double m_bytesPerSecond;
    EventQueue& m_queue;
    std::vector<Node> m_nodes;
    std::vector<Entry> m_entries;
    std::vector<JobId> m_free;
    std::vector<JobId> m_running;
    bool m_wasCrowded = false;  // whether some job has had to run slower than alone
    bool m_unsettled = false;
};

}  // namespace overlane
