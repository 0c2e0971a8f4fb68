// Sampled stacks made into events: a row per depth, as a flame graph over time.
//
// The innermost function of a sample is an event that starts with the sample and is drawn until the next one, if
// that follows closely; a function below which others were is one event over all samples that have it. So the starts
// of the innermost events alone say where the thread was seen, and when. Nodes are of one spool. One thread;
// nanoseconds of the spool's clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/spool/spool_format.h"

namespace overlane
{

// The tree of functions that the samples of a spool refer to.
class StackNodes
{
public:
    static constexpr std::size_t kDeepest = 512;
    static constexpr std::uint32_t kMostNodes = 4'000'000;

    // False for one that is described already, or below one that is not.
    bool add(const spool::StackNode& node);
    bool contains(std::uint32_t node) const;
    const spool::StackNode& operator[](std::uint32_t node) const { return m_nodes[node]; }
    // From the outermost to the innermost function; valid until the next call.
    std::span<const std::uint32_t> path(std::uint32_t node) const;

private:
    std::vector<spool::StackNode> m_nodes;  // by id; one that is not described has another id
    std::vector<std::uint16_t> m_depths;
    mutable std::vector<std::uint32_t> m_path;
};

class StackLane
{
public:
    // A function was on the stack for that time.
    using Emit = std::function<void(std::uint32_t node, std::int64_t startNs, std::int64_t endNs)>;

    // Samples of a lane come in order; one that begins before the end of the last is cut.
    void add(const StackNodes& nodes, const spool::StackSample& sample, const Emit& emit);
    // No more samples.
    void end(const Emit& emit);

private:
    struct Open {
        std::uint32_t node;
        std::int64_t startNs;
    };
    // Samples further apart say nothing of the time between them.
    static constexpr std::int64_t kFarApartNs = 100'000'000;

    // Ends what lies at a depth or below it.
    void close(std::size_t depth, std::int64_t endNs, const Emit& emit);

    std::vector<Open> m_open;  // outermost first; the last one is the innermost of the last sample
    std::int64_t m_lastNs = 0;
};

}  // namespace overlane
