#include "core/cli/version_text.h"

#include <fmt/format.h>

#include "core/base/built_with.h"
#include "core/recorder/native_code.h"
#include "core/recorder/pytorch_hook.h"
#include "core/spool/record_environment.h"
#include "core/system/gpu_support.h"

namespace overlane
{
namespace
{

std::string& versionCommit()
{
    static std::string commit;
    return commit;
}

std::string_view yesOrNo(bool built)
{
    return built ? "yes" : "no";
}

}  // namespace

void setVersionCommit(std::string_view commit)
{
    versionCommit() = commit;
}

std::string versionName()
{
    return versionCommit().empty() ? OVERLANE_VERSION : fmt::format("{} {}", OVERLANE_VERSION, versionCommit());
}

std::string versionText()
{
    return fmt::format(
        "{}\n"
        "Built in: recording (CUPTI) {}, runs on a GPU (CUDA engine) {},\n"
        "stacks of compiled programs (libdw) {}, PyTorch hook {}.\n"
        "{}",
        builtWith("overlane", OVERLANE_VERSION, versionCommit()),
        yesOrNo(!companionPath(record_environment::kInjectLibrary).empty()), yesOrNo(!gpuBackendPath().empty()),
        yesOrNo(NativeCode::isAvailable()), yesOrNo(!pytorchHookFolder().empty()), detectGpuSupport().sentence);
}

}  // namespace overlane
