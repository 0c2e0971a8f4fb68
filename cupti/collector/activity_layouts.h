// Which CUPTI record structures are read, and why one build reads the records of every CUPTI 12 and 13.
//
// CUPTI gives a record a new structure name when it appends fields, and the library found at run
// time may be older or newer than the headers. So the decoder reads each kind through the oldest
// structure that has all it needs, and the assertions below hold the layout of those fields in the
// newest structure of the headers to it. cuptiActivityGetNextRecord() steps by the library's own
// sizes.
#pragma once

#include <cstddef>
#include <cupti.h>

namespace overlane::activity
{

using Api = CUpti_ActivityAPI;
using Kernel = CUpti_ActivityKernel9;
using Copy = CUpti_ActivityMemcpy5;
using PeerCopy = CUpti_ActivityMemcpyPtoP4;
using Memset = CUpti_ActivityMemset4;
using Sync = CUpti_ActivitySynchronization;
using Memory = CUpti_ActivityMemory3;
using Marker = CUpti_ActivityMarker2;
using MarkerData = CUpti_ActivityMarkerData;
using Overhead = CUpti_ActivityOverhead2;
using CudaEvent = CUpti_ActivityCudaEvent;
using ExternalCorrelation = CUpti_ActivityExternalCorrelation;
using Context = CUpti_ActivityContext;
using Stream = CUpti_ActivityStream;
using GraphTrace = CUpti_ActivityGraphTrace;

#define OVERLANE_SAME_PLACE(older, newer, field) static_assert(offsetof(older, field) == offsetof(newer, field))
#if CUPTI_API_VERSION >= 130000
OVERLANE_SAME_PLACE(Kernel, CUpti_ActivityKernel10, start);
OVERLANE_SAME_PLACE(Kernel, CUpti_ActivityKernel10, end);
OVERLANE_SAME_PLACE(Kernel, CUpti_ActivityKernel10, deviceId);
OVERLANE_SAME_PLACE(Kernel, CUpti_ActivityKernel10, contextId);
OVERLANE_SAME_PLACE(Kernel, CUpti_ActivityKernel10, streamId);
OVERLANE_SAME_PLACE(Kernel, CUpti_ActivityKernel10, correlationId);
OVERLANE_SAME_PLACE(Kernel, CUpti_ActivityKernel10, name);
OVERLANE_SAME_PLACE(Kernel, CUpti_ActivityKernel10, graphId);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, copyKind);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, srcKind);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, dstKind);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, start);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, deviceId);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, contextId);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, flags);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, bytes);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, end);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, streamId);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, correlationId);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, graphId);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, channelID);
OVERLANE_SAME_PLACE(Copy, CUpti_ActivityMemcpy6, channelType);
OVERLANE_SAME_PLACE(Sync, CUpti_ActivitySynchronization2, end);
OVERLANE_SAME_PLACE(Sync, CUpti_ActivitySynchronization2, correlationId);
OVERLANE_SAME_PLACE(Sync, CUpti_ActivitySynchronization2, contextId);
OVERLANE_SAME_PLACE(Sync, CUpti_ActivitySynchronization2, streamId);
OVERLANE_SAME_PLACE(Sync, CUpti_ActivitySynchronization2, cudaEventId);
OVERLANE_SAME_PLACE(Memory, CUpti_ActivityMemory4, correlationId);
OVERLANE_SAME_PLACE(Memory, CUpti_ActivityMemory4, bytes);
OVERLANE_SAME_PLACE(Memory, CUpti_ActivityMemory4, timestamp);
OVERLANE_SAME_PLACE(Memory, CUpti_ActivityMemory4, streamId);
OVERLANE_SAME_PLACE(Memory, CUpti_ActivityMemory4, isAsync);
OVERLANE_SAME_PLACE(Memory, CUpti_ActivityMemory4, memoryPoolConfig.memoryPoolType);
OVERLANE_SAME_PLACE(MarkerData, CUpti_ActivityMarkerData2, id);
OVERLANE_SAME_PLACE(MarkerData, CUpti_ActivityMarkerData2, payload);
OVERLANE_SAME_PLACE(MarkerData, CUpti_ActivityMarkerData2, color);
OVERLANE_SAME_PLACE(MarkerData, CUpti_ActivityMarkerData2, category);
OVERLANE_SAME_PLACE(Overhead, CUpti_ActivityOverhead3, objectId);
OVERLANE_SAME_PLACE(Overhead, CUpti_ActivityOverhead3, end);
OVERLANE_SAME_PLACE(Overhead, CUpti_ActivityOverhead3, correlationId);
OVERLANE_SAME_PLACE(CudaEvent, CUpti_ActivityCudaEvent2, contextId);
OVERLANE_SAME_PLACE(CudaEvent, CUpti_ActivityCudaEvent2, streamId);
OVERLANE_SAME_PLACE(CudaEvent, CUpti_ActivityCudaEvent2, eventId);
OVERLANE_SAME_PLACE(Context, CUpti_ActivityContext3, deviceId);
OVERLANE_SAME_PLACE(Context, CUpti_ActivityContext3, nullStreamId);
OVERLANE_SAME_PLACE(GraphTrace, CUpti_ActivityGraphTrace2, end);
OVERLANE_SAME_PLACE(GraphTrace, CUpti_ActivityGraphTrace2, deviceId);
OVERLANE_SAME_PLACE(GraphTrace, CUpti_ActivityGraphTrace2, streamId);
OVERLANE_SAME_PLACE(GraphTrace, CUpti_ActivityGraphTrace2, graphId);
#endif
#undef OVERLANE_SAME_PLACE

}  // namespace overlane::activity
