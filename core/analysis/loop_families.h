// Loop families: requests that take turns with each other, and so are made once per iteration of one loop.
//
// A token is of one family at most. Keeps references to the requests, which must outlive it; immutable once
// made; any thread; nanoseconds. Of each request it holds four bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/gpu_requests.h"
#include "core/base/work_meter.h"

namespace overlane
{

// Fewer repetitions are no loop.
constexpr std::size_t kFewestIterations = 4;
// From so many iterations on, one of twelve may be unlike the others.
constexpr std::size_t kManyIterations = 8;
constexpr std::size_t kOddPerMany = 12;
// An interval longer than so many usual ones is a pause, or another phase.
constexpr std::int64_t kPauseFactor = 4;
// What a loop asks for itself at least, where it has few iterations or is around another one.
constexpr std::size_t kLeastOwnWork = 3;

struct LoopFamily {
    std::vector<std::uint32_t> tokens;  // most requests first
    std::uint32_t head = 0;             // stands for all
    std::size_t count = 0;              // requests of the head
    std::size_t weight = 0;             // tokens that are work: graphs count twice, waits and copies back nothing
    bool copiesIn = false;
    bool copiesBack = false;
    std::int64_t medianNs = 0;
    std::int64_t steadyNs = 0;  // in intervals of usual length; 0 where the family is no loop
};

class LoopFamilies
{
public:
    // Ascending places of requests.
    using Places = std::span<const std::uint32_t>;

    LoopFamilies(const GpuRequests& requests, const WorkMeter& work);

    const GpuRequests& all() const { return m_all; }
    const std::vector<LoopFamily>& families() const { return m_families; }  // by count, most first
    Places placesOf(std::uint32_t token) const
    {
        return Places(m_places).subspan(m_firstOf[token], m_firstOf[token + 1] - m_firstOf[token]);
    }

private:
    void sortByToken();
    bool takeTurns(Places a, Places b) const;
    void buildFamilies();
    void findHead(LoopFamily& family) const;
    void measure(LoopFamily& family) const;
    bool isRegular(Places places) const;

    const GpuRequests& m_all;
    const std::vector<GpuRequest>& m_requests;
    const WorkMeter& m_work;
    std::vector<std::uint32_t> m_firstOf;  // per token: its first place in m_places
    std::vector<std::uint32_t> m_places;   // of requests, by token
    std::vector<LoopFamily> m_families;
};

}  // namespace overlane
