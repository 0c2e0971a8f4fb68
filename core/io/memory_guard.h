// How many events of a foreign file fit in the memory that is free now, so that a file that is too
// large ends in a sentence and not in the hands of the kernel's out-of-memory killer. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace overlane
{

class MemoryGuard
{
public:
    // The most that an event on a track takes while a trace is made of it. A TraceBuilder holds 72 bytes
    // for it and, while that list moves to one of twice the size, as many again; calls that copy are
    // remembered beside it. tests/bench/README.md has what was measured.
    static constexpr std::int64_t kBytesPerEvent = 160;

    explicit MemoryGuard(std::int64_t availableBytes = freeNow());

    std::size_t mostEvents() const { return m_mostEvents; }
    bool fits(std::size_t events) const { return events <= m_mostEvents; }
    Error tooMany(const std::string& name) const;

private:
    static std::int64_t freeNow();

    std::size_t m_mostEvents;
};

}  // namespace overlane
