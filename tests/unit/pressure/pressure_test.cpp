#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/base/units.h"
#include "core/pressure/pressure_experiment.h"
#include "core/pressure/pressure_plan.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

PressureFacts willing()
{
    PressureFacts facts;
    facts.mayAdminister = true;
    facts.mayLock = true;
    facts.diskFreeBytes = 100 * kGiB;
    facts.ramBytes = 32 * kGiB;
    facts.availableBytes = 20 * kGiB;
    return facts;
}

TEST(PressurePlan, StepsGoFromNothingPinnedToNearlyFullSwap)
{
    const PressurePlan plan = withSteps({});
    ASSERT_GE(plan.pinnedBytes.size(), 4u);
    EXPECT_EQ(plan.pinnedBytes.front(), 0);
    EXPECT_THAT(pressureRefusals(plan, willing()), IsEmpty());
    EXPECT_EQ(expectedAt(plan, 0).swapBytes, 0);
    EXPECT_EQ(expectedAt(plan, 0).pageCacheBytes, plan.dataBytes);
    const PressureExpectation last = expectedAt(plan, plan.pinnedBytes.back());
    EXPECT_EQ(last.pageCacheBytes, 0);
    EXPECT_GT(last.swapBytes, 0);
    EXPECT_LT(last.swapBytes, plan.swapBytes);
    PressurePlan own;
    own.pinnedBytes = {0, 64 * kMiB};
    EXPECT_THAT(withSteps(own).pinnedBytes, SizeIs(2));
}

TEST(PressureRefusals, EachHasItsReason)
{
    const PressurePlan plan = withSteps({});
    const auto refusals = [&](auto change) {
        PressureFacts facts = willing();
        change(facts);
        return pressureRefusals(plan, facts);
    };
    EXPECT_THAT(refusals([](PressureFacts&) {}), IsEmpty());
    EXPECT_THAT(refusals([](PressureFacts& f) { f.mayAdminister = false; }), Contains(HasSubstr("root")));
    test::expectText(refusals([](PressureFacts& f) { f.mayLock = false; }));
    test::expectText(refusals([](PressureFacts& f) { f.noHierarchy = "No groups."; }));
    test::expectText(refusals([](PressureFacts& f) { f.folderProblem = "In memory."; }));
    EXPECT_THAT(refusals([](PressureFacts& f) { f.diskFreeBytes = 2 * kGiB; }), Contains(HasSubstr("--folder")));
    EXPECT_THAT(refusals([](PressureFacts& f) { f.availableBytes = 5 * kGiB; }), Contains(HasSubstr("available")));
    EXPECT_THAT(refusals([](PressureFacts& f) { f.onBattery = true; }), Contains(HasSubstr("battery")));
    EXPECT_THAT(refusals([](PressureFacts& f) { f.pressurePercent = 3; }), Contains(HasSubstr("quiet")));
    test::expectText(refusals([](PressureFacts& f) {
        f.pressurePercent = 0.5;
        f.swapUsedBytes = kGiB;
    }));
    // Swap that was filled long ago is nobody's trouble.
    EXPECT_THAT(refusals([](PressureFacts& f) { f.swapUsedBytes = kGiB; }), IsEmpty());
}

TEST(PressureRefusals, PlansThatCannotWorkAreRefusedWithTheNumbers)
{
    const auto refusals = [&](auto change) {
        PressurePlan plan;
        change(plan);
        return pressureRefusals(withSteps(plan), willing());
    };
    test::expectText(refusals([](PressurePlan& p) { p.limitBytes = 32 * kMiB; }));
    test::expectText(refusals([](PressurePlan& p) { p.workingSetBytes = 512 * kMiB; }));
    test::expectText(refusals([](PressurePlan& p) { p.pinnedBytes = {0, 500 * kMiB}; }));
    EXPECT_THAT(refusals([](PressurePlan& p) { p.pinnedBytes = {64 * kMiB, 0}; }), Contains(HasSubstr("ascend")));
    EXPECT_THAT(refusals([](PressurePlan& p) { p.secondsPerStep = 0; }), Contains(HasSubstr("seconds")));
    EXPECT_THAT(refusals([](PressurePlan& p) { p.batchBytes = 256 * kMiB; }), Contains(HasSubstr("batch")));
}

TEST(PressureFactsTest, AreReadFromTheSystem)
{
    const test::TempDir root;
    for (const char* folder : {"proc/self", "proc/pressure", "sys/class/power_supply/BAT0"})
        std::filesystem::create_directories(root.path() / folder);
    root.write("proc/self/status", "Name: x\nCapEff:\t0000000000200000\n");
    root.write("proc/self/mounts", "");
    root.write("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 600 kB\nSwapTotal: 50 kB\nSwapFree: 10 kB\n");
    root.write("proc/pressure/memory", "some avg10=2.50 avg60=0 avg300=0 total=1\n");
    root.write("sys/class/power_supply/BAT0/type", "Battery\n");
    root.write("sys/class/power_supply/BAT0/status", "Discharging\n");
    const PressureFacts facts = pressureFacts(withSteps({}), root.path().string() + '/');
    EXPECT_TRUE(facts.mayAdminister);
    EXPECT_TRUE(facts.onBattery);
    test::expectText(facts.noHierarchy);
    EXPECT_EQ(facts.availableBytes, 600 * 1024);
    EXPECT_EQ(facts.swapUsedBytes, 40 * 1024);
    EXPECT_DOUBLE_EQ(facts.pressurePercent, 2.5);
    root.write("proc/self/status", "Name: x\nCapEff:\t0000000000000000\n");
    root.write("sys/class/power_supply/BAT0/status", "Charging\n");
    const PressureFacts without = pressureFacts(withSteps({}), root.path().string() + '/');
    EXPECT_FALSE(without.mayAdminister);
    EXPECT_FALSE(without.onBattery);
}

// Makes a folder the one that relative paths start from, and goes back.
class StandIn
{
public:
    explicit StandIn(const std::filesystem::path& folder) : m_before(std::filesystem::current_path())
    {
        std::filesystem::current_path(folder);
    }
    ~StandIn() { std::filesystem::current_path(m_before); }
    StandIn(const StandIn&) = delete;
    StandIn& operator=(const StandIn&) = delete;

private:
    std::filesystem::path m_before;
};

// The folder as the system names it, however a person did.
TEST(PressureFactsTest, NameTheFolderAsTheSystemDoes)
{
    const test::TempDir root;
    std::filesystem::create_directories(root.path() / "with space");
    std::filesystem::create_symlink("with space", root.path() / "link");
    const StandIn here(root.path());
    const std::string real = std::filesystem::canonical(root.path() / "with space").string();
    for (const char* folder : {"with space", "link", "./link/../with space", "link/."}) {
        PressurePlan plan;
        plan.folder = folder;
        EXPECT_EQ(pressureFacts(plan).folder, real) << folder;
    }
    PressurePlan plan;
    plan.folder = "none";
    const PressureFacts facts = pressureFacts(plan);
    test::expectText(facts.folderProblem);
    EXPECT_THAT(pressureRefusals(withSteps(plan), facts), Contains(facts.folderProblem));
}

TEST(PressureTraces, AreNamedFromTheRoot)
{
    const CgroupHierarchy hierarchy{2, "/none"};
    for (const char* folder : {"", ".", "var/tmp"})
        EXPECT_FALSE(pressureTraces(hierarchy, folder).ok()) << folder;
    EXPECT_TRUE(pressureTraces(hierarchy, "/var/tmp").ok());
}

TEST(PressureTraces, AreNamedAfterTheProcessAndItsStart)
{
    const test::TempDir root;
    const CgroupHierarchy hierarchy{2, root.path().string()};
    const PressureTraces own = pressureTraces(hierarchy, root.path().string()).value();
    EXPECT_TRUE(own.group.starts_with("overlane-pressure-" + std::to_string(getpid()) + "-"));
    EXPECT_TRUE(own.swapFile.ends_with(own.group + ".swap"));
    std::filesystem::create_directories(root.path() / own.group);
    root.write(own.group + ".swap", "");
    EXPECT_THAT(leftTraces(hierarchy, root.path().string()), IsEmpty());  // its owner lives

    // The same number with another start is another process.
    const std::string other = "overlane-pressure-" + std::to_string(getpid()) + "-1";
    std::filesystem::create_directories(root.path() / other);
    root.write(other + ".swap", "");
    root.write("overlane-pressure-1-x.swap", "");
    root.write("unrelated.swap", "");
    const auto left = leftTraces(hierarchy, root.path().string());
    ASSERT_THAT(left, SizeIs(2));
    for (const PressureTraces& traces : left)
        EXPECT_TRUE(removeTraces(traces).ok());
    EXPECT_FALSE(std::filesystem::exists(root.path() / other));
    EXPECT_FALSE(std::filesystem::exists(root.path() / (other + ".swap")));
    EXPECT_TRUE(std::filesystem::exists(root.path() / "unrelated.swap"));
    EXPECT_TRUE(std::filesystem::exists(root.path() / own.group));
}

// The guardian cleans up when its owner is killed, which no owner can do for itself.
TEST(PressureGuardianTest, CleansUpAfterAnOwnerThatWasKilled)
{
    const test::TempDir root;
    const CgroupHierarchy hierarchy{2, root.path().string()};
    const PressureTraces traces{hierarchy, "overlane-pressure-0-0", root.path("overlane-pressure-0-0.swap")};
    std::filesystem::create_directories(root.path() / traces.group);
    root.write("overlane-pressure-0-0.swap", "");
    const pid_t owner = fork();
    if (owner == 0) {
        const auto guardian = PressureGuardian::start(traces);
        kill(getpid(), SIGKILL);
        _exit(guardian.ok() ? 0 : 1);
    }
    int status = 0;
    waitpid(owner, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    for (int waits = 0; waits < 500 && std::filesystem::exists(traces.swapFile); ++waits)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(std::filesystem::exists(traces.swapFile));
    EXPECT_FALSE(std::filesystem::exists(root.path() / traces.group));
}

TEST(PressureGuardianTest, FinishCleansUpEvenWithoutIt)
{
    const test::TempDir root;
    const PressureTraces traces{{2, root.path().string()}, "overlane-pressure-0-0", root.path("x.swap")};
    auto guardian = PressureGuardian::start(traces);
    ASSERT_TRUE(guardian.ok());
    EXPECT_TRUE(guardian.value().watches());
    kill(guardian.value().pid(), SIGKILL);
    for (int waits = 0; waits < 500 && guardian.value().watches(); ++waits)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(guardian.value().watches());
    std::filesystem::create_directories(root.path() / traces.group);
    root.write("x.swap", "");
    EXPECT_TRUE(guardian.value().finish().ok());
    EXPECT_FALSE(std::filesystem::exists(traces.swapFile));
    EXPECT_FALSE(std::filesystem::exists(root.path() / traces.group));
}

// The real thing, only where somebody asks for it: it needs root, and a swap file for some seconds.
TEST(PressureExperimentTest, LockedMemoryPushesOrdinaryMemoryIntoItsSwap)
{
    if (std::getenv("OVERLANE_PRESSURE_TEST") == nullptr)
        GTEST_SKIP() << "set OVERLANE_PRESSURE_TEST to run it (as root)";
    PressurePlan plan;
    plan.limitBytes = 192 * kMiB;
    plan.swapBytes = 128 * kMiB;
    plan.workingSetBytes = 80 * kMiB;
    plan.dataBytes = 48 * kMiB;
    plan.pinnedBytes = {0, 128 * kMiB};
    plan.secondsPerStep = 1;
    // As a person may name it: from where one stands, through a link, with a space.
    const test::TempDir root;
    std::filesystem::create_directories(root.path() / "with space");
    std::filesystem::create_symlink("with space", root.path() / "link");
    const StandIn here(root.path());
    plan.folder = "link";
    const PressureFacts facts = pressureFacts(plan);
    ASSERT_THAT(pressureRefusals(plan, facts), IsEmpty());
    auto started = PressureExperiment::start(plan, facts);
    ASSERT_TRUE(started.ok()) << started.error();
    while (started.value().poll())
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const auto report = started.value().finish();
    ASSERT_TRUE(report.ok()) << report.error();
    EXPECT_EQ(report.value().ended, "");
    ASSERT_THAT(report.value().steps, SizeIs(2));
    EXPECT_EQ(report.value().steps[0].usage.swapBytes, 0);
    EXPECT_GT(report.value().steps[1].usage.swapBytes, 8 * kMiB);
    EXPECT_GE(report.value().steps[1].usage.lockedBytes, 128 * kMiB);
    EXPECT_GT(report.value().steps[0].batches, 0);
    EXPECT_THAT(leftTraces(facts.hierarchy, facts.folder), IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(pressureTraces(facts.hierarchy, facts.folder).value().swapFile));
}

// Where memory that is not the experiment's goes to its swap file, it stops.
TEST(PressureExperimentTest, OthersMemoryInItsSwapFileStopsIt)
{
    if (std::getenv("OVERLANE_PRESSURE_TEST") == nullptr)
        GTEST_SKIP() << "set OVERLANE_PRESSURE_TEST to run it (as root)";
    PressurePlan plan;
    plan.limitBytes = 128 * kMiB;
    plan.swapBytes = 192 * kMiB;
    plan.workingSetBytes = 32 * kMiB;
    plan.dataBytes = 16 * kMiB;
    plan.pinnedBytes = {0};
    plan.secondsPerStep = 60;
    const test::TempDir root;
    std::filesystem::create_directories(root.path() / "with space");
    const StandIn here(root.path());
    plan.folder = "with space";
    PressureFacts facts = pressureFacts(plan);
    facts.pressurePercent = 0;  // what the test before has left
    ASSERT_THAT(pressureRefusals(plan, facts), IsEmpty());
    auto started = PressureExperiment::start(plan, facts);
    ASSERT_TRUE(started.ok()) << started.error();
    const std::size_t bytes = 96 * kMiB;
    void* const others = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(others, MAP_FAILED);
    std::memset(others, 1, bytes);
    for (bool out = false; started.value().poll();) {
        if (!std::exchange(out, true)) {
            EXPECT_EQ(madvise(others, bytes, MADV_PAGEOUT), 0);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    const auto report = started.value().finish();
    munmap(others, bytes);
    ASSERT_TRUE(report.ok()) << report.error();
    test::expectText(report.value().ended);
}

}  // namespace
}  // namespace overlane
