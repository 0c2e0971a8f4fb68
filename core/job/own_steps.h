// OwnSteps: what the steps of a job's ranks take without what they wait for others in.
//
// Of a host: its step but for the time in which it is blocked by its device and that only communicates
// (HostPace::heldNs()). A host that runs ahead of its device is never blocked, and its step is its own; one that waits
// for its device in each step is, and what it waits for the device's own work counts. Of a GPU: kernels that compute
// and exposed copies. Communication is no rank's own: it takes what the last rank and the link make of it. Steps are
// compared by number where all ranks have them and none calls them warm-up; the last one of each rank is left out,
// since the end of the recording ends it. Immutable; any thread; nanoseconds.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/job/rank_digests.h"

namespace overlane
{

// What an own step is made of. Stable ids: stragglerReasonId() (straggler.h).
enum class OwnPart : std::uint8_t {
    Loader,     // waiting for batches, making or pinning them
    CopyCalls,  // the host is blocked by calls that copy
    Link,       // exposed copies
    Compute,
    Host,  // all else that the host does
};
constexpr std::size_t kOwnPartCount = 5;

struct OwnStep {
    std::int64_t gpuNs = 0;
    std::int64_t hostNs = 0;      // at work, or blocked by calls that copy
    std::int64_t hostStepNs = 0;  // with what it waits for its GPU's own work
    std::array<std::int64_t, kOwnPartCount> partNs{};

    // Of average steps: the host's step or the GPU's work, whichever is longer. In a single step neither need be, since
    // a host may be steps ahead.
    std::int64_t ownNs() const { return std::max(hostStepNs, gpuNs); }
};

// The shortest and the longest step time, where they cannot be the same steps: ranks that meet in each step take
// equally long, and one of whose steps is found from the pattern of its GPU's work may take microbatches for steps.
struct UnlikeSteps {
    std::int64_t shortestNs = 0;
    std::int64_t longestNs = 0;
};
std::optional<UnlikeSteps> unlikeSteps(const RankDigests& digests);

class OwnSteps
{
public:
    explicit OwnSteps(const RankDigests& digests);

    const std::vector<std::int64_t>& numbers() const { return m_numbers; }  // ascending
    bool has(std::int64_t number) const;
    // Every rank's calls were recorded. Else hosts are not compared: hostNs and hostStepNs are 0.
    bool knowsHosts() const { return m_knowsHosts; }
    std::size_t ranks() const { return m_steps.size(); }
    // In the order of the numbers.
    const std::vector<OwnStep>& of(std::size_t rank) const { return m_steps[rank]; }
    // Each figure by itself. A mean is what the job pays for, a median is not moved by a few steps.
    const OwnStep& mean(std::size_t rank) const { return m_means[rank]; }
    const OwnStep& median(std::size_t rank) const { return m_medians[rank]; }
    // Of the one that is longer on average, the host's step or the GPU's work.
    std::vector<std::int64_t> seriesOf(std::size_t rank) const;
    std::vector<std::int64_t> seriesOf(std::size_t rank, OwnPart part) const;
    std::int64_t jobStepNs() const { return m_jobStepNs; }  // the median rank's, with all it waits for

private:
    void findNumbers(const RankDigests& digests);

    std::vector<std::int64_t> m_numbers;
    std::vector<std::vector<OwnStep>> m_steps;
    std::vector<OwnStep> m_means;
    std::vector<OwnStep> m_medians;
    std::int64_t m_jobStepNs = 0;
    bool m_knowsHosts = true;
};

}  // namespace overlane
