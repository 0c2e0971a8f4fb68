// Finds and loads the backend of a real GPU, once per program; it stays loaded until the end.
//
// Any thread. The Error says which state this machine is in: no driver, no GPU, no backend, or one
// of another build.
#pragma once

#include "core/base/result.h"
#include "core/engine/gpu_backend.h"

namespace overlane
{

Result<GpuBackend*> loadGpuBackend();

}  // namespace overlane
