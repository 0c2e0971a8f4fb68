// EngineSpool: writes what the actors of a run noted into the recording that the run is part of,
// beside what the collector writes of CUDA.
//
// Does nothing without a directory; tells the recorder where it cannot write. One thread;
// steady-clock nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "core/spool/record_control.h"
#include "core/spool/spool_writer.h"
#include "core/trace/event.h"

namespace overlane
{

class EngineSpool
{
public:
    explicit EngineSpool(const std::string& directory);

    bool isOpen() const { return m_writer.isOpen(); }
    // A thread that is an actor of the loader, and its place among them. Lanes are numbered in the order
    // they are added.
    std::uint32_t addActor(std::string_view name, pid_t thread, std::int32_t place);
    // Of ranges; `bookkeeping` where they are the recording's own.
    std::uint32_t addLane(std::string_view name, bool bookkeeping);
    void add(std::uint32_t lane, EventKind kind, std::string_view name, std::int64_t startNs, std::int64_t endNs);

    // A gauge of whole numbers or, with `bytes`, of bytes.
    std::uint32_t addGauge(std::string_view name, bool bytes);
    void addSample(std::uint32_t gauge, std::int64_t timeNs, double value);

    void flush();

private:
    void tellWriteError();

    SpoolWriter m_writer;
    RecordControl m_control;
    std::uint32_t m_lanes = 0;
    std::uint32_t m_gauges = 0;
};

}  // namespace overlane
