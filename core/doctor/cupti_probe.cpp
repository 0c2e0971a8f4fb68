#include "core/doctor/cupti_probe.h"

#include <dlfcn.h>

#include "core/system/shared_library.h"

namespace overlane
{

Result<FoundCupti> findCupti(const std::vector<std::string>& candidates)
{
    std::string firstReason;
    for (const std::string& candidate : candidates) {
        auto library = SharedLibrary::open(candidate);
        if (!library.ok()) {
            if (firstReason.empty())
                firstReason = library.error();
            continue;
        }
        auto* const version = library.value().function<int(std::uint32_t*)>("cuptiGetVersion");
        if (version == nullptr)
            continue;
        FoundCupti found{candidate, 0};
        if (version(&found.apiVersion) != 0)
            found.apiVersion = 0;
        Dl_info info = {};
        if (dladdr(reinterpret_cast<const void*>(version), &info) != 0 && info.dli_fname != nullptr)
            found.path = info.dli_fname;
        library.value().stay();  // CUPTI allocates when it is loaded
        return found;
    }
    return Error{firstReason.empty() ? "no library of that name" : firstReason};
}

}  // namespace overlane
