#include "cupti/collector/peer_copies.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace overlane
{

bool isOfXla(const std::vector<std::string>& loadedObjects)
{
    // xla_cuda_plugin.so, xla_extension.so, libexla.so, _XLAC.so; pjrt_c_api_gpu_plugin.so; libtensorflow_cc.so.2
    constexpr std::array<std::string_view, 4> kParts = {"xla", "pjrt", "tensorflow", "reactantextra"};
    return std::any_of(loadedObjects.begin(), loadedObjects.end(), [&](const std::string& path) {
        std::string name = path.substr(path.rfind('/') + 1);
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
        return std::any_of(kParts.begin(), kParts.end(),
                           [&](std::string_view part) { return name.find(part) != std::string::npos; });
    });
}

}  // namespace overlane
