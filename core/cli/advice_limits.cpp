#include "core/cli/advice_limits.h"

#include <fmt/format.h>
#include <string_view>

#include "core/loader/settings.h"

namespace overlane
{
namespace
{

// A size as --set takes it.
Result<std::int64_t> sizeOf(std::string_view option, const std::string& text)
{
    if (text.empty())
        return std::int64_t{0};
    Scenario scratch;
    if (!assignSetting(scratch, "ram_bytes", text).ok() || scratch.ramBytes <= 0)
        return Error{fmt::format("{} cannot be '{}'; write a size such as 16G or 512MiB.", option, text)};
    return scratch.ramBytes;
}

}  // namespace

Result<AdvisorLimits> advisorLimits(const std::string& ram, const std::string& pinned, std::int64_t cores)
{
    ASSIGN_OR_RETURN(const std::int64_t ramBytes, sizeOf("--ram", ram));
    ASSIGN_OR_RETURN(const std::int64_t pinnedBytes, sizeOf("--pinned-limit", pinned));
    return AdvisorLimits{ramBytes, pinnedBytes, cores};
}

}  // namespace overlane
