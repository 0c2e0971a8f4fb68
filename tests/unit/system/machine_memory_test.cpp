#include "core/system/machine_memory.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include "core/base/units.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(MemoryParts, AddUpToTheRam)
{
    const MemoryParts parts = parseMemoryParts(
        "MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 400 kB\nBuffers: 10 kB\nCached: 390 kB\nMlocked: 20 kB\n"
        "AnonPages: 300 kB\nShmem: 90 kB\nSwapTotal: 50 kB\nSwapFree: 20 kB\n");
    EXPECT_EQ(parts.pageCacheBytes, 310 * 1024);  // shared memory is in Cached, but cannot be dropped
    EXPECT_EQ(parts.kernelBytes, 200 * 1024);
    EXPECT_EQ(parts.processBytes + parts.sharedBytes + parts.kernelBytes + parts.pageCacheBytes + parts.freeBytes,
              parts.totalBytes);
    EXPECT_EQ(parts.lockedBytes, 20 * 1024);
    EXPECT_EQ(parts.swapUsedBytes, 30 * 1024);
}

TEST(MemoryParts, CountersOfTwoMomentsStillAddUp)
{
    const MemoryParts parts =
        parseMemoryParts("MemTotal: 1000 kB\nMemFree: 500 kB\nCached: 400 kB\nAnonPages: 150 kB\nShmem: 0 kB\n");
    EXPECT_EQ(parts.kernelBytes, 0);
    EXPECT_EQ(parts.processBytes + parts.sharedBytes + parts.kernelBytes + parts.pageCacheBytes + parts.freeBytes,
              parts.totalBytes);
}

MachineMemoryView healthy()
{
    MachineMemoryView view;
    view.parts.totalBytes = 32 * kGiB;
    view.parts.availableBytes = 20 * kGiB;
    view.parts.swapTotalBytes = 8 * kGiB;
    return view;
}

std::vector<std::string> keys(const MachineMemoryView& view)
{
    std::vector<std::string> found;
    for (const MemoryWarning& warning : memoryWarnings(view))
        found.push_back(warning.key);
    return found;
}

TEST(MemoryWarnings, AHealthyMachineHasNone)
{
    EXPECT_THAT(memoryWarnings(healthy()), IsEmpty());
    MachineMemoryView noted = healthy();
    noted.pressureSomePercent = 0.5;  // falling, and little
    noted.pressureMinutePercent = 2;
    EXPECT_THAT(memoryWarnings(noted), IsEmpty());
}

TEST(MemoryWarnings, SwapInUseIsASeedAndTrafficAnAlarm)
{
    MachineMemoryView view = healthy();
    view.parts.swapUsedBytes = kGiB;
    ASSERT_THAT(keys(view), ElementsAre("swap_used"));
    EXPECT_EQ(memoryWarnings(view)[0].level, WarningLevel::Note);
    view.swapBytesPerSecond = 12e6;
    ASSERT_THAT(keys(view), ElementsAre("swap_traffic"));
    EXPECT_EQ(memoryWarnings(view)[0].level, WarningLevel::Alarm);
    test::expectText(memoryWarnings(view)[0].what);
    EXPECT_THAT(memoryWarnings(view)[0].doThis, HasSubstr("prefetch_factor"));
    view.parts.swapUsedBytes = 7 * kGiB;
    EXPECT_THAT(keys(view), ElementsAre("swap_traffic", "swap_full"));
}

TEST(MemoryWarnings, PressureThatRisesIsOneBeforeItHurts)
{
    MachineMemoryView view = healthy();
    view.pressureSomePercent = 0.5;
    view.pressureMinutePercent = 0.1;
    ASSERT_THAT(keys(view), ElementsAre("pressure"));
    EXPECT_EQ(memoryWarnings(view)[0].level, WarningLevel::Warning);
    EXPECT_THAT(memoryWarnings(view)[0].what, HasSubstr("rising"));
    view.pressureSomePercent = 30;
    view.pressureMinutePercent = 40;
    ASSERT_THAT(keys(view), ElementsAre("pressure"));
    EXPECT_EQ(memoryWarnings(view)[0].level, WarningLevel::Alarm);
}

TEST(MemoryWarnings, LittleLeftIsWorseWithoutSwap)
{
    MachineMemoryView view = healthy();
    view.parts.availableBytes = 2 * kGiB;
    ASSERT_THAT(keys(view), ElementsAre("available"));
    EXPECT_EQ(memoryWarnings(view)[0].level, WarningLevel::Warning);
    view.parts.swapTotalBytes = 0;
    EXPECT_EQ(memoryWarnings(view)[0].level, WarningLevel::Alarm);
    test::expectText(memoryWarnings(view)[0].what);
}

TEST(MemoryWarnings, FilesReadAgainAreTold)
{
    MachineMemoryView view = healthy();
    view.majorFaultsPerSecond = 500;
    EXPECT_THAT(keys(view), ElementsAre("major_faults"));
}

TEST(MemoryWatch, MakesRatesOfTwoReadings)
{
    const test::TempDir root;
    std::filesystem::create_directories(root.path() / "proc/pressure");
    root.write("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 900 kB\n");
    root.write("proc/vmstat", "pswpin 10\npswpout 20\npgmajfault 5\n");
    MemoryWatch watch(root.path().string() + '/');
    EXPECT_EQ(watch.read(kSecond).swapBytesPerSecond, 0);
    EXPECT_FALSE(watch.read(kSecond).hasPressure);
    root.write("proc/vmstat", "pswpin 30\npswpout 40\npgmajfault 25\n");
    root.write("proc/pressure/memory", "");
    const MachineMemoryView view = watch.read(3 * kSecond);
    EXPECT_DOUBLE_EQ(view.swapBytesPerSecond, 20.0 * static_cast<double>(sysconf(_SC_PAGESIZE)));
    EXPECT_DOUBLE_EQ(view.majorFaultsPerSecond, 10);
}

TEST(MemoryWatch, ReadsThePressureOfAMinuteAsWell)
{
    const test::TempDir root;
    std::filesystem::create_directories(root.path() / "proc/pressure");
    root.write("proc/pressure/memory",
               "some avg10=1.25 avg60=0.50 avg300=0.00 total=4000\nfull avg10=0.75 avg60=0.00 avg300=0.00 total=90\n");
    MemoryWatch watch(root.path().string() + '/');
    const MachineMemoryView view = watch.read(kSecond);
    EXPECT_TRUE(view.hasPressure);
    EXPECT_DOUBLE_EQ(view.pressureSomePercent, 1.25);
    EXPECT_DOUBLE_EQ(view.pressureMinutePercent, 0.5);
    EXPECT_DOUBLE_EQ(view.pressureFullPercent, 0.75);
}

}  // namespace
}  // namespace overlane
