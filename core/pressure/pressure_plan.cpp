#include "core/pressure/pressure_plan.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include "core/base/text_file.h"
#include "core/base/units.h"
#include "core/simulation/memory_model.h"
#include "core/system/memory_status.h"
#include "core/system/swap_file.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr std::int64_t kSmallestLimit = 128 * kMiB;
constexpr std::int64_t kDiskReserve = 2 * kGiB;
constexpr double kReserveShare = 0.15;
// Of the swap: the kernel needs room to move pages.
constexpr double kSwapFilled = 0.85;
constexpr int kSteps = 7;
constexpr int kCapSysAdmin = 21;
constexpr int kCapIpcLock = 14;
constexpr double kQuietPercent = 1;
constexpr double kLongestStep = 60;

bool hasCapability(const std::string& status, int number)
{
    const std::size_t at = status.find("CapEff:");
    if (at == std::string::npos)
        return false;
    return (std::stoull(status.substr(at + 7), nullptr, 16) >> number & 1) != 0;
}

bool onBattery(const std::string& root)
{
    std::error_code error;
    for (auto at = fs::directory_iterator(root + "sys/class/power_supply", error);
         !error && at != fs::directory_iterator(); at.increment(error))
        if (textOfFile(at->path().string() + "/type").starts_with("Battery") &&
            textOfFile(at->path().string() + "/status").starts_with("Discharging"))
            return true;
    return false;
}

std::int64_t mostPinned(const PressurePlan& plan)
{
    const auto swap = static_cast<std::int64_t>(kSwapFilled * static_cast<double>(plan.swapBytes));
    return plan.limitBytes + std::min(swap, plan.workingSetBytes * 3 / 4) - plan.workingSetBytes -
           kPressureOverheadBytes;
}

std::int64_t needed(const PressurePlan& plan)
{
    return plan.pinnedBytes.empty() ? 0 : plan.pinnedBytes.back();
}

class Refusals
{
public:
    Refusals(const PressurePlan& plan, const PressureFacts& facts) : m_plan(plan), m_facts(facts) {}

    std::vector<std::string> all()
    {
        rights();
        sizes();
        others();
        return m_list;
    }

private:
    void refuseIf(bool wrong, std::string sentence)
    {
        if (wrong)
            m_list.push_back(std::move(sentence));
    }

    void rights()
    {
        refuseIf(!m_facts.mayAdminister,
                 "A swap file and a control group need the rights of root (CAP_SYS_ADMIN): start it with sudo.");
        refuseIf(!m_facts.mayLock, "This process may not lock enough memory: start it as root, or raise `ulimit -l`.");
        refuseIf(!m_facts.noHierarchy.empty(), m_facts.noHierarchy);
        refuseIf(!m_facts.folderProblem.empty(), m_facts.folderProblem);
    }

    void sizes()
    {
        refuseIf(m_plan.limitBytes < kSmallestLimit,
                 fmt::format("A limit of {} is too little for the experiment itself; give it {} or more.",
                             formatBytes(m_plan.limitBytes), formatBytes(kSmallestLimit)));
        refuseIf(m_plan.batchBytes <= 0 || m_plan.batchBytes > m_plan.workingSetBytes ||
                     m_plan.batchBytes > m_plan.dataBytes,
                 "A batch must fit in the working set and in the data.");
        refuseIf(m_plan.workingSetBytes > m_plan.limitBytes - 2 * kPressureOverheadBytes,
                 fmt::format("A working set of {} does not fit in {}, so that there is nothing to compare with.",
                             formatBytes(m_plan.workingSetBytes), formatBytes(m_plan.limitBytes)));
        refuseIf(needed(m_plan) > mostPinned(m_plan),
                 fmt::format("{} pinned next to a working set of {} are more than {} of RAM and {} of swap hold with "
                             "room to move: the kernel would end the experiment. At most {} can be pinned.",
                             formatBytes(needed(m_plan)), formatBytes(m_plan.workingSetBytes),
                             formatBytes(m_plan.limitBytes), formatBytes(m_plan.swapBytes),
                             formatBytes(std::max<std::int64_t>(0, mostPinned(m_plan)))));
        refuseIf(!std::is_sorted(m_plan.pinnedBytes.begin(), m_plan.pinnedBytes.end()) ||
                     (!m_plan.pinnedBytes.empty() && m_plan.pinnedBytes.front() < 0),
                 "The pinned sizes must ascend from 0 or more.");
        refuseIf(!(m_plan.secondsPerStep > 0 && m_plan.secondsPerStep <= kLongestStep),
                 fmt::format("A step takes more than 0 and at most {} seconds.", kLongestStep));
    }

    void others()
    {
        const std::int64_t reserve = pressureReserveBytes(m_facts.ramBytes);
        refuseIf(
            m_facts.availableBytes < m_plan.limitBytes + reserve,
            fmt::format("Only {} of memory are available: {} for the experiment would leave others less than "
                        "{}. Close programs, or lower --limit.",
                        formatBytes(m_facts.availableBytes), formatBytes(m_plan.limitBytes), formatBytes(reserve)));
        refuseIf(m_facts.pressurePercent >= kQuietPercent,
                 fmt::format("Programs are waiting for memory already ({:.1f} % of the last ten seconds); try again "
                             "when the machine is quiet.",
                             m_facts.pressurePercent));
        refuseIf(m_facts.swapUsedBytes > 0 && m_facts.pressurePercent > 0,
                 fmt::format("{} are in swap and programs wait for memory; the experiment's swap file would be filled "
                             "by them.",
                             formatBytes(m_facts.swapUsedBytes)));
        refuseIf(m_facts.diskFreeBytes < m_plan.swapBytes + m_plan.dataBytes + kDiskReserve,
                 fmt::format("{} has {} free: the swap file and the data need {}, and {} must be left. Name another "
                             "folder with --folder.",
                             m_plan.folder, formatBytes(m_facts.diskFreeBytes),
                             formatBytes(m_plan.swapBytes + m_plan.dataBytes), formatBytes(kDiskReserve)));
        refuseIf(m_facts.onBattery, "The machine runs on its battery; connect it to power first.");
    }

    const PressurePlan& m_plan;
    const PressureFacts& m_facts;
    std::vector<std::string> m_list;
};

}  // namespace

PressurePlan withSteps(PressurePlan plan)
{
    if (!plan.pinnedBytes.empty())
        return plan;
    const std::int64_t most = std::max<std::int64_t>(0, mostPinned(plan)) / kMiB * kMiB;
    for (int step = 0; step < kSteps; ++step)
        plan.pinnedBytes.push_back(most * step / (kSteps - 1) / kMiB * kMiB);
    return plan;
}

PressureExpectation expectedAt(const PressurePlan& plan, std::int64_t pinnedBytes)
{
    DeviceProfile group;
    group.datasetBytes = plan.dataBytes;
    group.storageBytesPerSecond = 1;
    group.swapBytesPerSecond = 1;
    MemoryModel model(group, {plan.limitBytes - kPressureOverheadBytes, plan.swapBytes});
    model.allocate(0, plan.workingSetBytes);
    model.allocate(0, pinnedBytes);
    model.lock(0, pinnedBytes);
    return {model.pageCacheBytes(), model.swapUsedBytes()};
}

PressureFacts pressureFacts(const PressurePlan& plan, const std::string& root)
{
    PressureFacts facts;
    const std::string status = textOfFile(root + "proc/self/status");
    facts.mayAdminister = hasCapability(status, kCapSysAdmin);
    rlimit locked{};
    facts.mayLock = hasCapability(status, kCapIpcLock) ||
                    (getrlimit(RLIMIT_MEMLOCK, &locked) == 0 &&
                     (locked.rlim_cur == RLIM_INFINITY || static_cast<std::int64_t>(locked.rlim_cur) >= needed(plan)));
    facts.onBattery = onBattery(root);
    const auto hierarchy = findMemoryHierarchy(root);
    if (hierarchy.ok())
        facts.hierarchy = hierarchy.value();
    else
        facts.noHierarchy = hierarchy.error();
    std::error_code problem;
    facts.folder = std::filesystem::canonical(plan.folder, problem).string();
    facts.folderProblem = problem ? fmt::format("{} cannot be used ({}).", plan.folder, problem.message())
                                  : swapFileProblem(facts.folder);
    struct statvfs disk {
    };
    if (statvfs(facts.folder.c_str(), &disk) == 0)
        facts.diskFreeBytes = static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize);
    const MachineMemory memory = parseMachineMemory(textOfFile(root + "proc/meminfo"));
    facts.ramBytes = memory.totalBytes;
    facts.availableBytes = memory.availableBytes;
    facts.swapUsedBytes = memory.swapUsedBytes;
    facts.pressurePercent = parseMemoryPressure(textOfFile(root + "proc/pressure/memory")).somePercent;
    return facts;
}

std::int64_t pressureReserveBytes(std::int64_t ramBytes)
{
    return std::max(kGiB, static_cast<std::int64_t>(kReserveShare * static_cast<double>(ramBytes)));
}

std::vector<std::string> pressureRefusals(const PressurePlan& plan, const PressureFacts& facts)
{
    return Refusals(plan, facts).all();
}

std::string pressurePromise(const PressurePlan& plan, const PressureFacts& facts)
{
    const double seconds = plan.secondsPerStep * static_cast<double>(plan.pinnedBytes.size());
    return fmt::format(
        "For about {:.0f} s, a process of its own may use {} of RAM in a control group (version {}, below {}) and {} "
        "of a swap file in {}, which no other process's memory goes to unless the whole machine is under memory "
        "pressure; then, or when less than {} are available, it stops. The drive is busy until then. Afterwards, also "
        "if this program is killed, the process, the group and the file are removed.",
        seconds, formatBytes(plan.limitBytes), facts.hierarchy.version, facts.hierarchy.folder,
        formatBytes(plan.swapBytes), facts.folder, formatBytes(pressureReserveBytes(facts.ramBytes)));
}

}  // namespace overlane
