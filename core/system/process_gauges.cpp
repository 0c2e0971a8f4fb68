#include "core/system/process_gauges.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <unordered_map>

namespace overlane
{
namespace
{

enum ProcessGauge { Resident, Shared, Swapped, Processes };

// New processes of the machine whose parents one look asks for.
constexpr int kMostNew = 256;

// Numbers among the names of a folder, ascending.
std::vector<pid_t> numbersIn(const std::string& folder)
{
    std::vector<pid_t> numbers;
    const std::unique_ptr<DIR, int (*)(DIR*)> opened(::opendir(folder.c_str()), ::closedir);
    while (const dirent* entry = opened ? ::readdir(opened.get()) : nullptr) {
        const std::string_view name = entry->d_name;
        pid_t number = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (error == std::errc{} && end == name.data() + name.size())
            numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

}  // namespace

ProcessGauges::ProcessGauges(pid_t rootProcess, std::string root)
    : m_root(rootProcess),
      m_proc(std::move(root) + "proc/"),
      m_gauges{{"Process memory", GaugeUnit::Bytes, {}},
               {"Shared memory", GaugeUnit::Bytes, {}},
               {"Process memory swapped out", GaugeUnit::Bytes, {}},
               {"Processes", GaugeUnit::Count, {}}},
      m_values(m_gauges.size(), 0),
      m_tree{{rootProcess, {}}}
{
}

// Empty for a process that is gone; valid until the next one.
std::string_view ProcessGauges::read(pid_t process, const char* file)
{
    const int opened = ::open((m_proc + std::to_string(process) + file).c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0)
        return {};
    const ssize_t got = ::read(opened, m_text.data(), m_text.size());
    ::close(opened);
    return {m_text.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

// "PID (NAME) STATE PARENT ...", see proc(5); 0 where it is not known.
pid_t ProcessGauges::parentOf(pid_t process)
{
    const std::string_view stat = read(process, "/stat");
    const auto name = stat.rfind(')');
    constexpr std::size_t kToParent = 4;  // ") S "
    pid_t parent = 0;
    if (name != std::string_view::npos && stat.size() > name + kToParent)
        std::from_chars(stat.data() + name + kToParent, stat.data() + stat.size(), parent);
    return parent;
}

void ProcessGauges::look()
{
    const std::vector<pid_t> present = numbersIn(m_proc);
    std::unordered_set<pid_t> known;
    known.reserve(present.size());
    std::unordered_multimap<pid_t, pid_t> children;
    std::vector<pid_t> found;
    int asked = 0;
    for (const pid_t process : present) {
        if (!m_known.contains(process)) {
            if (m_looked && ++asked > kMostNew)
                continue;  // the next look's
            const pid_t parent = parentOf(process);
            children.emplace(parent, process);
            if (m_tree.contains(parent))
                found.push_back(process);
        }
        known.insert(process);
    }
    m_known = std::move(known);
    m_looked = true;
    std::erase_if(m_tree, [&](const auto& entry) {
        return entry.first != m_root && !std::binary_search(present.begin(), present.end(), entry.first);
    });
    while (!found.empty()) {
        const pid_t process = found.back();
        found.pop_back();
        if (!m_tree.try_emplace(process).second)
            continue;
        const auto [first, last] = children.equal_range(process);
        for (auto child = first; child != last; ++child)
            found.push_back(child->second);
    }
}

void ProcessGauges::readSome()
{
    for (int reads = 0; reads < kMostReads && reads < static_cast<int>(m_tree.size()); ++reads) {
        auto next = m_tree.upper_bound(m_lastRead);
        if (next == m_tree.end())
            next = m_tree.begin();
        m_lastRead = next->first;
        errno = 0;
        const std::string_view status = read(next->first, "/status");
        if (!status.empty())
            next->second = {parseProcessMemory(status), status.find("\nState:\tZ") == std::string_view::npos};
        else if (errno == ENOENT || errno == ESRCH)
            next->second = {{}, false};
    }
    std::erase_if(m_tree, [&](const auto& entry) { return entry.first != m_root && !entry.second.alive; });
    std::fill(m_values.begin(), m_values.end(), 0);
    for (const auto& [process, entry] : m_tree) {
        m_values[Resident] += static_cast<double>(entry.memory.residentBytes);
        // Shared pages are counted in each process that maps them; the largest view is nearest to the truth.
        m_values[Shared] = std::max(m_values[Shared], static_cast<double>(entry.memory.sharedBytes));
        m_values[Swapped] += static_cast<double>(entry.memory.swappedBytes);
        m_values[Processes] += entry.alive;
    }
}

std::span<const double> ProcessGauges::sample(std::int64_t timeNs)
{
    const bool first = !m_looked;
    if (first || timeNs - m_lookedNs >= kLookNs) {
        m_lookedNs = timeNs;
        look();
    }
    if (first || timeNs - m_readNs >= kReadNs) {
        m_readNs = timeNs;
        readSome();
    }
    return m_values;
}

std::vector<pid_t> ProcessGauges::processes() const
{
    std::vector<pid_t> known = {m_root};
    for (const auto& [process, entry] : m_tree)
        if (process != m_root)
            known.push_back(process);
    return known;
}

}  // namespace overlane
