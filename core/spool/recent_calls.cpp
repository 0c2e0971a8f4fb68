#include "core/spool/recent_calls.h"

#include <bit>
#include <utility>

namespace overlane
{
namespace
{

constexpr std::size_t kFewestSlots = 64;

}  // namespace

// Where it is, or the free slot for it.
std::size_t RecentCalls::Table::placeOf(std::uint32_t correlation) const
{
    // The upper bits of the product with 2^32 / the golden ratio (Knuth, TAOCP 6.4): even strides are spread.
    constexpr std::uint32_t kFactor = 2'654'435'769;
    const int bits = std::countr_zero(slots.size());
    std::size_t at = (correlation * kFactor) >> (32 - bits);
    while (slots[at].correlation != 0 && slots[at].correlation != correlation)
        at = (at + 1) % slots.size();
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
