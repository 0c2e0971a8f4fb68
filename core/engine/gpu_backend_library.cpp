#include "core/engine/gpu_backend_library.h"

#include <fmt/format.h>

#include "core/system/gpu_support.h"
#include "core/system/shared_library.h"

namespace overlane
{
namespace
{

Result<GpuBackend*> load()
{
    const GpuSupport support = detectGpuSupport();
    if (support.state != GpuSupport::State::Ready)
        return Error{support.sentence};
    const std::string path = gpuBackendPath().string();
    auto library = SharedLibrary::open(path);
    if (!library.ok())
        return Error{fmt::format("The CUDA engine cannot be loaded: {}.", library.error())};
    static const SharedLibrary kept = std::move(library).value();
    const auto factory = kept.function<GpuBackendFunction>(kGpuBackendFunction);
    GpuBackend* backend = factory ? factory(kGpuBackendVersion) : nullptr;
    if (backend == nullptr)
        return Error{fmt::format("{} belongs to another build of Overlane; build both together.", path)};
    return backend;
}

}  // namespace

Result<GpuBackend*> loadGpuBackend()
{
    static const Result<GpuBackend*> backend = load();
    return backend;
}

}  // namespace overlane
