#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/text_file.h"
#include "core/system/machine_gauges.h"
#include "core/system/nvml_gauges.h"
#include "core/system/proc_text.h"
#include "core/system/process_gauges.h"

namespace overlane
{
namespace
{

using testing::Contains;
using testing::ElementsAre;

TEST(ProcText, FindsAKeyAtTheStartOfALineOnly)
{
    const char* text = "SwapCached:  7 kB\nCached:  42 kB\nActive(anon): 1\n";
    EXPECT_EQ(numberAfter(text, "Cached:"), 42);
    EXPECT_EQ(numberAfter(text, "Active:"), std::nullopt);
    EXPECT_EQ(numberAfter("pswpin_more 3\npswpin 5\n", "pswpin"), 5);
    EXPECT_EQ(numberAfter("MemTotal: much\n", "MemTotal:"), std::nullopt);
    EXPECT_EQ(numberAfter("", "MemTotal:"), std::nullopt);
}

TEST(ProcText, ReadsWhatItCan)
{
    EXPECT_FALSE(textOfFile("/proc/self/stat").empty());
    // Opened, then not to be read: the start of a process's memory, a folder.
    for (const char* path : {"/proc/self/mem", "/proc", "/does/not/exist", "/dev/null"})
        EXPECT_EQ(textOfFile(path), "") << path;
}

TEST(MemoryStatus, ReadsWhatTheKernelWrites)
{
    const MachineMemory memory = parseMachineMemory(
        "MemTotal:  16000 kB\nMemFree: 1 kB\nMemAvailable: 9000 kB\nCached: 500 kB\nSwapTotal: 800 kB\n"
        "SwapFree: 300 kB\n");
    EXPECT_EQ(memory.totalBytes, 16000 * 1024);
    EXPECT_EQ(memory.availableBytes, 9000 * 1024);
    EXPECT_EQ(memory.cachedBytes, 500 * 1024);
    EXPECT_EQ(memory.swapUsedBytes, 500 * 1024);

    const MemoryPressure pressure = parseMemoryPressure(
        "some avg10=1.25 avg60=0.00 avg300=0.00 total=4000\nfull avg10=0.50 avg60=0.00 avg300=0.00 total=90\n");
    EXPECT_DOUBLE_EQ(pressure.somePercent, 1.25);
    EXPECT_DOUBLE_EQ(pressure.fullPercent, 0.5);
    EXPECT_EQ(pressure.someTotalUs, 4000);
    EXPECT_EQ(parseMemoryPressure("").someTotalUs, 0);

    const ProcessMemory process =
        parseProcessMemory("Name:\tx\nVmRSS:\t   300 kB\nRssFile: 20 kB\nRssShmem: 30 kB\nVmSwap:\t 7 kB\n");
    EXPECT_EQ(process.residentBytes, 300 * 1024);
    EXPECT_EQ(process.sharedBytes, 50 * 1024);
    EXPECT_EQ(process.swappedBytes, 7 * 1024);
}

// A /proc whose counters can be moved.
class FakeProc : public testing::Test
{
protected:
    FakeProc() { std::filesystem::create_directories(m_root + "/proc/pressure"); }
    ~FakeProc() override { std::filesystem::remove_all(m_root); }

    void write(const std::string& name, const std::string& text) { std::ofstream(m_root + "/proc/" + name) << text; }
    double gauge(MachineGauges& gauges, std::span<const double> values, const std::string& name)
    {
        for (std::size_t at = 0; at < gauges.gauges().size(); ++at)
            if (gauges.gauges()[at].name == name)
                return values[at];
        ADD_FAILURE() << "no gauge " << name;
        return -1;
    }

    std::string m_root = testing::TempDir() + "overlane_proc_" + std::to_string(getpid());
};

TEST_F(FakeProc, TurnsCountsIntoRates)
{
    write("meminfo", "MemAvailable: 9000 kB\n");
    write("vmstat", "pgmajfault 100\npswpin 10\npswpout 20\n");
    write("pressure/memory", "some avg10=0.00 total=1000\nfull avg10=0.00 total=0\n");
    MachineGauges gauges(m_root + "/");
    auto values = gauges.sample(1'000'000'000);
    EXPECT_EQ(gauge(gauges, values, "Available RAM"), 9000 * 1024);
    EXPECT_EQ(gauge(gauges, values, "Swap traffic"), 0);

    write("vmstat", "pgmajfault 106\npswpin 15\npswpout 35\n");
    write("pressure/memory", "some avg10=0.00 total=501000\nfull avg10=0.00 total=0\n");
    values = gauges.sample(3'000'000'000);
    EXPECT_DOUBLE_EQ(gauge(gauges, values, "Swap traffic"), 20.0 * static_cast<double>(sysconf(_SC_PAGESIZE)) / 2);
    EXPECT_DOUBLE_EQ(gauge(gauges, values, "Major faults per second"), 3);
    EXPECT_DOUBLE_EQ(gauge(gauges, values, "Memory pressure (some)"), 25);
}

TEST_F(FakeProc, AMachineWithoutTheFilesReadsAsZero)
{
    MachineGauges gauges(m_root + "/nothing/");
    for (const double value : gauges.sample(1))
        EXPECT_EQ(value, 0);
}

TEST(ProcessGauges, SumsTheTreeAndForgetsWhoLeft)
{
    constexpr std::size_t kBytes = 32u << 20;
    int ready[2], leave[2];
    ASSERT_EQ(pipe(ready), 0);
    ASSERT_EQ(pipe(leave), 0);
    ProcessGauges gauges(getpid());
    std::int64_t nowNs = 1;
    const double before = gauges.sample(nowNs)[0];

    const pid_t child = fork();
    if (child == 0) {
        auto* memory =
            static_cast<char*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        for (std::size_t at = 0; at < kBytes; at += 4096)
            memory[at] = 1;
        char byte = 0;
        _exit(write(ready[1], &byte, 1) == 1 && read(leave[0], &byte, 1) == 1 ? 0 : 1);
    }
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    EXPECT_GE(gauges.sample(nowNs += ProcessGauges::kLookNs)[0], before + kBytes);
    EXPECT_THAT(gauges.processes(), Contains(child));

    ASSERT_EQ(write(leave[1], &byte, 1), 1);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    EXPECT_LT(gauges.sample(nowNs += ProcessGauges::kReadNs)[0], before + kBytes);
    EXPECT_THAT(gauges.processes(), ElementsAre(getpid()));
}

// A /proc of processes with threads, and how many of its files and folders are opened.
class ProcessTree : public FakeProc
{
protected:
    void SetUp() override { ASSERT_GE(m_watch, 0); }
    ~ProcessTree() override { close(m_watch); }

    void add(pid_t process, pid_t parent, int threads, std::int64_t residentKiB = 1, char state = 'S')
    {
        const std::string name = std::to_string(process);
        std::filesystem::create_directories(m_root + "/proc/" + name + "/task");
        write(name + "/stat", name + " (a) b) " + state + ' ' + std::to_string(parent) + " 1 1 0\n");
        write(name + "/status",
              std::string("Name:\tx\nState:\t") + state + " (x)\nVmRSS:\t" + std::to_string(residentKiB) + " kB\n");
        for (int thread = 0; thread < threads; ++thread) {
            const std::string task = name + "/task/" + std::to_string(process + thread);
            std::filesystem::create_directories(m_root + "/proc/" + task);
            write(task + "/children", "");
        }
    }
    void remove(pid_t process) { std::filesystem::remove_all(m_root + "/proc/" + std::to_string(process)); }
    // Opened by what is done.
    int opened(const std::function<void()>& what)
    {
        inotify_add_watch(m_watch, (m_root + "/proc").c_str(), IN_OPEN);
        for (const auto& entry : std::filesystem::recursive_directory_iterator(m_root + "/proc"))
            if (entry.is_directory())
                inotify_add_watch(m_watch, entry.path().c_str(), IN_OPEN);
        events();
        what();
        return events();
    }
    int events() const
    {
        int count = 0;
        alignas(inotify_event) char buffer[65'536];
        for (ssize_t got = 0; (got = ::read(m_watch, buffer, sizeof(buffer))) > 0;)
            for (ssize_t at = 0; at < got; ++count)
                at += static_cast<ssize_t>(sizeof(inotify_event)) +
                      static_cast<ssize_t>(reinterpret_cast<const inotify_event*>(buffer + at)->len);
        return count;
    }

    int m_watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
};

TEST_F(ProcessTree, ALookCostsTheSameWhateverTheNumberOfThreads)
{
    constexpr int kProcesses = 8;
    const auto cost = [&](int threads) {
        for (int process = 0; process < kProcesses; ++process)
            add(1'000 * (process + 1), process == 0 ? 1 : 1'000, threads);
        ProcessGauges gauges(1'000, m_root + "/");
        gauges.sample(1);
        const int whole = opened([&] { gauges.sample(1 + ProcessGauges::kLookNs); });
        EXPECT_EQ(gauges.processes().size(), std::size_t{kProcesses});
        const int memory = opened([&] { gauges.sample(1 + ProcessGauges::kLookNs + ProcessGauges::kReadNs); });
        const int between = opened([&] { gauges.sample(2 + ProcessGauges::kLookNs + ProcessGauges::kReadNs); });
        EXPECT_EQ(memory, kProcesses);
        EXPECT_EQ(between, 0);
        return whole;
    };
    const int few = cost(1);
    EXPECT_LE(few, kProcesses + 4) << "their memory, and the folder";
    EXPECT_EQ(cost(50), few);
}

TEST_F(ProcessTree, ManyProcessesAreReadInTurn)
{
    constexpr int kProcesses = 200;
    for (int process = 0; process < kProcesses; ++process)
        add(100 + process, process == 0 ? 1 : 100, 1, 10);
    ProcessGauges gauges(100, m_root + "/");
    std::int64_t nowNs = 1;
    gauges.sample(nowNs);
    EXPECT_EQ(opened([&] { gauges.sample(nowNs += ProcessGauges::kReadNs); }), ProcessGauges::kMostReads);
    for (int reads = 0; reads < kProcesses / ProcessGauges::kMostReads; ++reads)
        gauges.sample(nowNs += ProcessGauges::kReadNs);
    EXPECT_EQ(gauges.sample(nowNs)[0], kProcesses * 10.0 * 1024);
    EXPECT_EQ(gauges.sample(nowNs)[3], kProcesses);
}

TEST_F(ProcessTree, IsFollowedAsProcessesComeAndGo)
{
    add(1, 0, 1);
    add(100, 1, 3, 10);
    add(50, 1, 1, 1'000);  // of somebody else
    ProcessGauges gauges(100, m_root + "/");
    std::int64_t nowNs = 1;
    const auto after = [&](std::int64_t stepNs) { return gauges.sample(nowNs += stepNs)[0] / 1024; };
    EXPECT_EQ(after(0), 10);
    add(103, 102, 1, 5);  // its parent is new too, and has a higher number than its own child's child
    add(102, 100, 1, 7);
    add(90, 103, 1, 3);
    EXPECT_EQ(after(ProcessGauges::kReadNs), 10) << "looked for once a second";
    EXPECT_EQ(after(ProcessGauges::kLookNs), 25);
    EXPECT_THAT(gauges.processes(), ElementsAre(100, 90, 102, 103));
    remove(102);
    add(103, 1, 1, 5);  // its parent ended
    EXPECT_EQ(after(ProcessGauges::kLookNs), 18) << "the others stay";
    add(103, 1, 1, 0, 'Z');
    after(ProcessGauges::kReadNs);
    EXPECT_THAT(gauges.processes(), ElementsAre(100, 90)) << "one that ended is none";
}

TEST(NvmlGauges, HasOneValuePerGaugeWithOrWithoutADriver)
{
    NvmlGauges gauges;
    EXPECT_EQ(gauges.sample(0).size(), gauges.gauges().size());
}

}  // namespace
}  // namespace overlane
