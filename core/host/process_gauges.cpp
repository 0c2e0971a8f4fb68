#include "core/host/process_gauges.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "core/host/memory_status.h"

namespace overlane
{
namespace
{

enum Gauge { Resident, Shared, Swapped, Processes };

void addChildren(std::string_view list, std::vector<pid_t>& tree)
{
    const char* at = list.data();
    const char* const end = list.data() + list.size();
    for (pid_t child = 0; at < end; ++at) {
        const auto [next, error] = std::from_chars(at, end, child);
        if (error == std::errc{} && std::find(tree.begin(), tree.end(), child) == tree.end())
            tree.push_back(child);
        at = std::max(at, next);
    }
}

}  // namespace

std::vector<pid_t> processTree(pid_t root)
{
    std::vector<pid_t> tree = {root};
    for (std::size_t at = 0; at < tree.size(); ++at) {
        std::error_code error;
        const std::filesystem::path tasks = "/proc/" + std::to_string(tree[at]) + "/task";
        for (auto task = std::filesystem::directory_iterator(tasks, error);
             !error && task != std::filesystem::directory_iterator(); task.increment(error)) {
            ProcFile children((task->path() / "children").string());
            addChildren(children.read(), tree);
        }
    }
    return tree;
}

ProcessGauges::ProcessGauges(pid_t rootProcess)
    : m_root(rootProcess),
      m_gauges{{"Process memory", GaugeUnit::Bytes, {}},
               {"Shared memory", GaugeUnit::Bytes, {}},
               {"Process memory swapped out", GaugeUnit::Bytes, {}},
               {"Processes", GaugeUnit::Count, {}}},
      m_values(m_gauges.size(), 0)
{
}

std::span<const double> ProcessGauges::sample(std::int64_t)
{
    const std::vector<pid_t> tree = processTree(m_root);
    std::erase_if(m_status,
                  [&](const auto& known) { return std::find(tree.begin(), tree.end(), known.first) == tree.end(); });
    std::fill(m_values.begin(), m_values.end(), 0);
    for (const pid_t process : tree) {
        ProcFile& status = m_status.try_emplace(process, "/proc/" + std::to_string(process) + "/status").first->second;
        const ProcessMemory memory = parseProcessMemory(status.read());
        m_values[Resident] += static_cast<double>(memory.residentBytes);
        // Shared pages are counted in each process that maps them; the largest view is nearest to the truth.
        m_values[Shared] = std::max(m_values[Shared], static_cast<double>(memory.sharedBytes));
        m_values[Swapped] += static_cast<double>(memory.swappedBytes);
        m_values[Processes] += status.exists();
    }
    return m_values;
}

std::vector<pid_t> ProcessGauges::processes() const
{
    std::vector<pid_t> known = {m_root};
    for (const auto& [process, status] : m_status)
        if (process != m_root && status.exists())
            known.push_back(process);
    return known;
}

}  // namespace overlane
