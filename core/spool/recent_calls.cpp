#include "core/spool/recent_calls.h"

#include <utility>

namespace overlane
{
namespace
{

constexpr std::size_t kFewestSlots = 64;

}  // namespace

// Where it is, or the free slot for it. Neighbors lie next to each other, since most ids follow the one before: spread
// by a hash, merging a recording took twice as long. Those that meet go on by a step of their own (double hashing,
// Knuth, TAOCP 6.4); the step is odd, so that it comes to every slot.
std::size_t RecentCalls::Table::placeOf(std::uint32_t correlation) const
{
    constexpr std::uint32_t kFactor = 2'654'435'769;  // 2^32 / the golden ratio
    const std::size_t last = slots.size() - 1;
    const std::size_t step = (correlation * kFactor >> 8) | 1;
    std::size_t at = correlation & last;
    while (slots[at].correlation != 0 && slots[at].correlation != correlation)
        at = (at + step) & last;
    return at;
}

void RecentCalls::Table::put(const Call& call)
{
    if (2 * (count + 1) > slots.size()) {
        Table larger;
        larger.slots.resize(slots.empty() ? kFewestSlots : 2 * slots.size());
        for (const Call& known : slots)
            if (known.correlation != 0)
                larger.slots[larger.placeOf(known.correlation)] = known;
        slots = std::move(larger.slots);
    }
    Call& slot = slots[placeOf(call.correlation)];
    count += slot.correlation == 0 ? 1 : 0;
    slot = call;
}

void RecentCalls::add(const Call& call)
{
    if (call.correlation == 0)
        return;
    if (m_now.count == kAtLeast) {
        std::swap(m_now, m_before);
        m_now.slots.assign(m_now.slots.size(), {});
        m_now.count = 0;
    }
    m_now.put(call);
}

const RecentCalls::Call* RecentCalls::find(std::uint32_t correlation) const
{
    if (correlation == 0)
        return nullptr;
    for (const Table* table : {&m_now, &m_before}) {
        if (table->count == 0)
            continue;
        const Call& call = table->slots[table->placeOf(correlation)];
        if (call.correlation == correlation)
            return &call;
    }
    return nullptr;
}

}  // namespace overlane
