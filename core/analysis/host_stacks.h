// Host stacks: in which code the threads of a program were while a device waited for them.
//
// The lines of a function are one place, called by the one that most of its time was spent in.
// From sampled stacks (tracks of kind Stacks) and from Python functions that a profiler recorded with their times
// on the threads themselves. A place is the innermost function of the program itself; where no function of a
// stack is, the innermost of all. A sample counts where it was taken, as much as the time between two, whatever
// the lanes draw; what a profiler measured counts as it was. A thread without stacks of its own, one of PyTorch's
// for the backward pass, stands for what the main thread of its process waits in.
// Built once per trace, linear; keeps no reference. Immutable; any thread. Nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/code_share.h"
#include "core/analysis/device_activity.h"
#include "core/analysis/frame_sense.h"
#include "core/analysis/host_activity.h"
#include "core/analysis/interval_set.h"
#include "core/trace/trace.h"

namespace overlane
{

// Another thread, and where it worked for longest while a device waited.
struct OtherThread {
    std::string name;
    double busyShare = 0;  // of the time that was asked about: it did not wait
    CodeShare place;
};

class HostStacks
{
public:
    HostStacks() = default;
    explicit HostStacks(const Trace& trace, const WorkMeter& work = {});

    bool empty() const { return m_threads.empty(); }
    // Where the threads that a device waited for were, most first; `idle` is of the device. Empty where too few
    // samples, or stacks for too little of that time, say anything.
    std::vector<CodeShare> behind(const DeviceActivity& device, const HostActivity& host, const IntervalSet& idle,
                                  Interval range) const;
    // Of the threads that launch nothing on the device, the one that works longest in that time.
    std::optional<OtherThread> busiestOther(const DeviceActivity& device, const HostActivity& host,
                                            const IntervalSet& idle, Interval range) const;
    // The same of threads or actors of the loader, each in some of its time.
    struct TimeOfTrack {
        TrackId track;
        IntervalSet time;
    };
    std::vector<CodeShare> of(const std::vector<TimeOfTrack>& tracks, Interval range) const;

private:
    struct Seen {
        std::int64_t startNs = 0;
        std::int64_t endNs = 0;
        std::uint32_t place = 0;  // in m_names
        std::uint32_t innermost = 0;
        FrameSense sense = FrameSense::Work;
    };
    struct Thread {
        std::vector<Seen> seen;     // disjoint, in order
        std::int64_t periodNs = 0;  // of samples; 0: measured
        std::string name;
    };
    class Builder;
    class Sum;
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();  // of the stacks of a track

    const Thread* threadOf(TrackId track) const;
    std::vector<const Thread*> launching(const DeviceActivity& device, const HostActivity& host) const;

    std::vector<Thread> m_threads;
    std::vector<std::uint32_t> m_ofTrack;  // beside the tracks: a place in m_threads, or none
    std::vector<std::string> m_names;
    std::vector<std::uint32_t> m_functions;  // beside the names: of lines of one function the same
};

// " Thread reader is then in read.py:9 unpack (83 % of that time outside waits)."; empty for none. What a line in C
// does, work or sleep, its samples do not say.
std::string otherThreadSentence(const std::optional<OtherThread>& other);

}  // namespace overlane
