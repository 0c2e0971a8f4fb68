// Copy roles: what each copy between host and device carries, from records alone.
//
// Ranges around the call say it where they do. Else the shape of an iteration does:
//   batch       one or two bursts of copies per iteration; right behind a wait for the loader for sure, and further
//               bursts of the iteration that are like that one: micro-batches
//   parameter   the same sizes in every iteration, in bursts between the launches (a layer each)
//   activation  to the host in some order while kernels are launched, later in the same iteration back
//   gradient    to the host between launches where parameters come from there, or where the same size comes back in
//               the optimizer's step, or all come back once the host has done its part: updated parameters
//   optimizer state  to the device and to the host again within the optimizer's step, in small pieces behind all
//               other work of the iteration, or part by part in turn
//   KV cache    sizes that grow by the same amount from token to token, or between their coming in and going back
//   result      small copies to the host, or one or two bursts of others per iteration
// What came before the first iteration, and is much, are parameters. Nothing that fits more than one of these is
// named. Linear in the copies of a device but for sorting; cancellable. Pure; any thread.
#pragma once

#include <span>
#include <vector>

#include "core/analysis/device_activity.h"
#include "core/analysis/host_activity.h"
#include "core/analysis/steps.h"
#include "core/base/work_meter.h"
#include "core/trace/trace.h"

namespace overlane
{

void assignRoles(const Trace& trace, const HostActivity& host, const StepSequence& steps,
                 std::vector<DeviceActivity>& devices, const WorkMeter& work = {});
// By other iterations, too: what these tell with more confidence.
void addRoles(const Trace& trace, const HostActivity& host, const StepSequence& steps,
              std::vector<DeviceActivity>& devices, const WorkMeter& work = {});

// What most of the exposed time of some copies of one direction carries, or of all their time where none is exposed;
// Unknown where it is no half of it.
CopyRole mainRole(std::span<const CopyRecord> copies);

}  // namespace overlane
