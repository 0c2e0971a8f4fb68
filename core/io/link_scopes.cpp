#include "core/io/link_scopes.h"

#include <unordered_map>

namespace overlane
{

std::vector<std::uint32_t> processesFromLinks(const Trace& trace)
{
    const EventColumns& columns = trace.columns();
    std::vector<std::uint32_t> processes(trace.eventCount(), kUnlinkedCallProcess);
    std::unordered_map<std::uint32_t, std::uint32_t> callsSoFar;
    for (std::size_t at = 0; at < processes.size(); ++at)
        if (columns.link[at].valid() && !isDeviceWork(columns.kind[at]))
            processes[at] = ++callsSoFar[columns.correlation[at]];
    for (std::size_t at = 0; at < processes.size(); ++at)
        if (isDeviceWork(columns.kind[at]) && columns.correlation[at] != 0)
            processes[at] = columns.link[at].valid() ? processes[columns.link[at].index()] : kUnlinkedWorkProcess;
    return processes;
}

std::vector<std::uint32_t> neededProcesses(const Trace& trace)
{
    struct Uses {
        std::uint32_t hostEvents = 0;
        std::uint32_t linkedWork = 0;
        std::uint32_t unlinkedWork = 0;
        bool areClear() const
        {
            const bool one = hostEvents == 1 && unlinkedWork == 0;
            return one || hostEvents == 0 || linkedWork + unlinkedWork == 0;
        }
    };
    const EventColumns& columns = trace.columns();
    std::unordered_map<std::uint32_t, Uses> uses;
    for (std::size_t at = 0; at < trace.eventCount(); ++at) {
        if (columns.correlation[at] == 0)
            continue;
        Uses& of = uses[columns.correlation[at]];
        if (!isDeviceWork(columns.kind[at]))
            ++of.hostEvents;
        else
            ++(columns.link[at].valid() ? of.linkedWork : of.unlinkedWork);
    }
    std::vector<std::uint32_t> processes = processesFromLinks(trace);
    for (std::size_t at = 0; at < processes.size(); ++at)
        if (columns.correlation[at] == 0 || uses[columns.correlation[at]].areClear())
            processes[at] = 1;
    return processes;
}

}  // namespace overlane
