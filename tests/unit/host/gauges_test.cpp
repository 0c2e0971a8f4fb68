#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/host/machine_gauges.h"
#include "core/host/nvml_gauges.h"
#include "core/host/proc_text.h"
#include "core/host/process_gauges.h"

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
    EXPECT_EQ(pressure.fullTotalUs, 90);
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
    const double before = gauges.sample(0)[0];

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
    EXPECT_THAT(processTree(getpid()), Contains(child));
    EXPECT_GE(gauges.sample(0)[0], before + kBytes);
    EXPECT_THAT(gauges.processes(), Contains(child));

    ASSERT_EQ(write(leave[1], &byte, 1), 1);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    EXPECT_LT(gauges.sample(0)[0], before + kBytes);
    EXPECT_THAT(gauges.processes(), ElementsAre(getpid()));
}

TEST(NvmlGauges, HasOneValuePerGaugeWithOrWithoutADriver)
{
    NvmlGauges gauges;
    EXPECT_EQ(gauges.sample(0).size(), gauges.gauges().size());
}

}  // namespace
}  // namespace overlane
