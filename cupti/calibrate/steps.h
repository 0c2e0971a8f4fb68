// The steps of a calibration, each about one kind of figure; calibrate.cpp calls them in order.
//
// Each throws ProbeFailure where a call fails and ProbeCancelled where it is cancelled, having freed what it
// took. The device is current; one thread. What the probes mean: core/devices/probes.h.
#pragma once

#include "cupti/calibrate/probe_run.h"

namespace overlane
{

void probePageableMemory(ProbeRun& run);  // malloc, first touch, freeing, private and shared
void probePinnedMemory(ProbeRun& run);    // cudaHostAlloc, cudaHostRegister and back, a pool
void probeCopies(ProbeRun& run);          // by size, direction, memory and cache
void probeLink(ProbeRun& run);            // trains of copies, both directions, two streams, within the device
void probeStaging(ProbeRun& run);         // which pageable copies return before earlier work
void probeCalls(ProbeRun& run);           // launches, events, waits, running ahead
void probeOrder(ProbeRun& run);           // copy after kernel, kernels side by side
void probeKernels(ProbeRun& run);         // beside copies, matrix products
void probeHostRates(ProbeRun& run);       // memcpy and writing, alone and by threads
void probeThreads(ProbeRun& run);         // fresh pages by threads, hand-over
void probeNodes(ProbeRun& run);           // pairs of NUMA nodes, and the GPU from each

}  // namespace overlane
