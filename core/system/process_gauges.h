// ProcessGauges: memory of the processes of a tree, summed: resident, shared and swapped out.
//
// What a look costs does not grow with the threads of a process, nor without bound with their number:
// new processes are looked for once a second, by the names in /proc and the parents of those that are
// new there; memory is read ten times a second, of some processes at a time, in turn where there are
// many. A process that outlives its parent stays in the tree. Holds no descriptor. One thread.
#pragma once

#include <array>
#include <map>
#include <string_view>
#include <sys/types.h>
#include <unordered_set>

#include "core/system/gauge.h"
#include "core/system/memory_status.h"

namespace overlane
{

class ProcessGauges final : public GaugeSource
{
public:
    static constexpr std::int64_t kLookNs = 1'000'000'000;
    static constexpr std::int64_t kReadNs = 100'000'000;
    static constexpr int kMostReads = 32;  // of one sample

    // `root` is where proc/ lies.
    explicit ProcessGauges(pid_t rootProcess, std::string root = "/");

    const std::vector<GaugeInfo>& gauges() const override { return m_gauges; }
    std::span<const double> sample(std::int64_t timeNs) override;

    // As far as known, the root first.
    std::vector<pid_t> processes() const;

private:
    struct Process {
        ProcessMemory memory;
        bool alive = true;  // not one that ended and waits for its parent
    };

    void look();
    void readSome();
    pid_t parentOf(pid_t process);
    std::string_view read(pid_t process, const char* file);

    pid_t m_root;
    std::string m_proc;
    std::vector<GaugeInfo> m_gauges;
    std::vector<double> m_values;
    std::map<pid_t, Process> m_tree;
    std::unordered_set<pid_t> m_known;  // every process of the machine at the last look
    pid_t m_lastRead = 0;
    bool m_looked = false;
    std::int64_t m_lookedNs = 0;
    std::int64_t m_readNs = 0;
    std::array<char, 8192> m_text{};
};

}  // namespace overlane
