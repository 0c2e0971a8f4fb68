// Names as people read them, and kinds as a trace has them, from what CUPTI and the driver call things. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "core/spool/spool_format.h"
#include "core/trace/event.h"

namespace overlane
{

// "cudaMemcpyAsync_ptsz_v7000" -> "cudaMemcpyAsync"; "cuMemcpyHtoDAsync_v2" keeps its own _v2.
std::string_view apiCallName(std::string_view name);
// "_Z3addPf" -> "add(float*)"; a name that is not mangled stays as it is.
std::string kernelName(const std::string& name);
// "Memcpy HtoD (pinned -> device)".
std::string copyName(const spool::Copy& copy);
EventKind copyKind(spool::Direction direction);
// A number from a spool as a kind, Unknown where this program knows none.
MemoryKind memoryKindOf(std::uint32_t number);
// "Stream 13 waits for event 5", "Stream 13 of context 2 waits for event 5": a context of RecordingTracks.
std::string syncName(const spool::Sync& sync, std::uint32_t furtherContext = 0);
std::string_view overheadName(spool::OverheadType type);
// "domain: name (payload)".
std::string markerName(std::string_view domain, std::string_view name, const spool::MarkerData* data);

}  // namespace overlane
