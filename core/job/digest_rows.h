// The rows of a digest's lists: a step and a collective of one rank, and the columns they are packed in
// (packed_list.h).
//
// Values. Times are nanoseconds on the rank's own clock, since `startEpochNs` of its trace; bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/analysis/lost_time.h"
#include "core/base/interval.h"
#include "core/job/packed_list.h"
#include "core/trace/collective.h"

namespace overlane
{

// One communication kernel: this rank's member of a collective.
struct DigestCollective {
    std::uint32_t group = 0;  // into RankDigest::groups
    CollectiveKind kind = CollectiveKind::Unknown;
    bool receives = false;      // of a send or receive
    std::int16_t peer = -1;     // of it: the other rank's number in the group; -1 where unknown
    std::int64_t sequence = 0;  // in the group's order; -1 where the program numbers others of the group and not it
    // The number of the step that asked for it, by its call on the host; -1 where the program numbers no steps.
    std::int64_t step = -1;
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    std::int64_t bytes = 0;      // that the collective moves for one rank; 0 where unknown
    std::int64_t exposedNs = 0;  // of it, outside of kernels that compute
    friend bool operator==(const DigestCollective&, const DigestCollective&) = default;
};

// Where the time of one step went on this rank's device. Sums to the step's time but for rounding.
struct DigestStep {
    std::int64_t number = 0;  // as the trace numbers it
    Interval interval;
    std::int64_t computeNs = 0;        // a kernel that computes runs
    std::int64_t communicationNs = 0;  // all of it, hidden or not
    // Time without a kernel that computes, by its cause: exposed communication and copies, waiting for the loader, ...
    std::array<std::int64_t, kLostCauseCount> lostNs{};
    bool warmUp = false;
    // The threads that launch: all but waiting for the device, which may wait for the other ranks in turn (HostPace). 0
    // where it is not known.
    std::int64_t hostNs = 0;
    std::int64_t hostLoaderNs = 0;  // of it: waiting for batches, making or pinning them
    std::int64_t hostCopyNs = 0;    // of it: blocked by calls that copy
    // The step as the host takes it: `interval` may be the device's, which is behind (core/analysis/timed_steps.h). The
    // figures of the host are of this. 0 where it is not known.
    std::int64_t hostStepNs = 0;
    std::int64_t heldNs = 0;  // of it: blocked while the device only communicated (HostPace::heldNs())
    friend bool operator==(const DigestStep&, const DigestStep&) = default;
};

template <>
struct PackedColumns<DigestCollective> {
    static constexpr std::size_t kCount = 10;
    static void write(const DigestCollective& one, std::int64_t* into)
    {
        const std::array<std::int64_t, kCount> values{one.group,
                                                      static_cast<std::int64_t>(one.kind),
                                                      one.receives ? 1 : 0,
                                                      one.peer,
                                                      one.sequence,
                                                      one.step,
                                                      one.startNs,
                                                      one.durationNs,
                                                      one.bytes,
                                                      one.exposedNs};
        std::copy(values.begin(), values.end(), into);
    }
    template <typename Value>
    [[gnu::always_inline]] static DigestCollective read(Value value)
    {
        return {.group = static_cast<std::uint32_t>(value(0)),
                .kind = static_cast<CollectiveKind>(value(1)),
                .receives = value(2) != 0,
                .peer = static_cast<std::int16_t>(value(3)),
                .sequence = value(4),
                .step = value(5),
                .startNs = value(6),
                .durationNs = value(7),
                .bytes = value(8),
                .exposedNs = value(9)};
    }
};

template <>
struct PackedColumns<DigestStep> {
    static constexpr std::size_t kOwn = 11;  // then a column for each cause of lost time
    static constexpr std::size_t kCount = kOwn + kLostCauseCount;
    static void write(const DigestStep& step, std::int64_t* into)
    {
        // Its length, since that needs fewer bits than its end; modulo 2^64, as what is packed.
        const auto lengthNs =
            static_cast<std::uint64_t>(step.interval.endNs) - static_cast<std::uint64_t>(step.interval.startNs);
        const std::array<std::int64_t, kOwn> values{step.number,
                                                    step.interval.startNs,
                                                    static_cast<std::int64_t>(lengthNs),
                                                    step.computeNs,
                                                    step.communicationNs,
                                                    step.warmUp ? 1 : 0,
                                                    step.hostNs,
                                                    step.hostLoaderNs,
                                                    step.hostCopyNs,
                                                    step.hostStepNs,
                                                    step.heldNs};
        std::copy(step.lostNs.begin(), step.lostNs.end(), std::copy(values.begin(), values.end(), into));
    }
    template <typename Value>
    static DigestStep read(Value value)
    {
        DigestStep step;
        step.number = value(0);
        step.interval.startNs = value(1);
        step.interval.endNs = static_cast<std::int64_t>(static_cast<std::uint64_t>(step.interval.startNs) +
                                                        static_cast<std::uint64_t>(value(2)));
        step.computeNs = value(3);
        step.communicationNs = value(4);
        step.warmUp = value(5) != 0;
        step.hostNs = value(6);
        step.hostLoaderNs = value(7);
        step.hostCopyNs = value(8);
        step.hostStepNs = value(9);
        step.heldNs = value(10);
        for (std::size_t cause = 0; cause < step.lostNs.size(); ++cause)
            step.lostNs[cause] = value(kOwn + cause);
        return step;
    }
};

}  // namespace overlane
