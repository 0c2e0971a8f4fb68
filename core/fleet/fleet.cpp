#include "core/fleet/fleet.h"

namespace overlane
{
namespace
{

const std::string& nameAt(const std::vector<std::string>& names, FleetPlace place)
{
    static const std::string kNone;
    return place < names.size() ? names[place] : kNone;
}

}  // namespace

double FleetRun::lostNs(std::optional<FleetPlace> cause) const
{
    double ns = 0;
    for (const FleetLoss& loss : losses)
        if (!cause || loss.cause == *cause)
            ns += static_cast<double>(loss.ns);
    return ns;
}

const std::string& Fleet::groupOf(const FleetRun& run) const
{
    return nameAt(groups, run.group);
}

const std::string& Fleet::versionOf(const FleetRun& run) const
{
    return nameAt(versions, run.version);
}

}  // namespace overlane
