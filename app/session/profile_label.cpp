#include "app/session/profile_label.h"

#include "app/widgets/text.h"

namespace overlane
{

QString profileLabel(const DeviceProfile& profile, const std::optional<GpuSupport>& support)
{
    constexpr std::string_view kMarker = ", calibrated ";
    const std::size_t at = profile.name.find(kMarker);
    if (support && at != std::string::npos)
        for (const std::string& gpu : support->devices)
            if (profile.name.compare(0, at, gpu) == 0)
                return u"This machine, calibrated %1"_s.arg(text(profile.name.substr(at + kMarker.size())));
    return text(profile.name);
}

}  // namespace overlane
