// A part of a trace as a trace of its own: what lies in a range of time, on the same tracks, with
// t = 0 at the start of the range. Pure, any thread; nanoseconds.
#pragma once

#include "core/base/interval.h"
#include "core/trace/trace.h"

namespace overlane
{

// Events that reach into the range are cut at its ends; gauges start with the value they had.
// Tracks without events or samples are left out, parents of others kept.
// `metadata` describes the slice; its startEpochNs is the whole trace's and moved along.
Trace sliceTrace(const Trace& trace, Interval range, TraceMetadata metadata);

}  // namespace overlane
