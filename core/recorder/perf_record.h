// The records of a ring of perf_event_open(2), as PerfRing asks for them: thread, time, user registers, stack.
//
// Pure; any thread. The layout is that of perf_event_open(2) under PERF_RECORD_SAMPLE and PERF_RECORD_LOST.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/recorder/stack_dump.h"

namespace overlane
{

// PERF_SAMPLE_* of a sample, and the registers in it, as masks of the kernel.
extern const std::uint64_t kPerfSampleType;
extern const std::uint64_t kPerfRegisters;

struct PerfRecord {
    enum class Kind : std::uint8_t {
        Sample,
        Lost,
        Other,  // also a sample without a stack of 64 bits
    };
    Kind kind = Kind::Other;
    StackDump sample;        // points into the record
    std::uint64_t lost = 0;  // records that found no room
};

// `record` is one whole record with its header. One that is shorter than it says is Other.
PerfRecord decodePerfRecord(std::span<const std::byte> record);

}  // namespace overlane
