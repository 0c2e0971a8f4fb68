#include "core/spool/cupti_search.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupti/collector/cupti_library.h"
#include "cupti/collector/gpu_inventory.h"
#include "cupti/collector/kernel_windows.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

std::ptrdiff_t place(const std::vector<std::string>& list, const std::string& name)
{
    return std::find(list.begin(), list.end(), name) - list.begin();
}

TEST(CuptiSearch, LooksWhereUsersHaveIt)
{
    CuptiSearch search;
    search.named = "/mine/libcupti.so";
    search.besideProgram = "/opt/overlane/lib";
    search.toolkits = {"/opt/cuda-13", "/usr/local/cuda"};
    search.loadedObjects = {"/lib/libc.so.6", "/venv/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so",
                            "/venv/lib/python3.12/site-packages/torch/lib/libc10.so"};
    search.driverMajor = 13;
    const std::vector<std::string> list = cuptiCandidates(search);
    EXPECT_EQ(list.front(), "/mine/libcupti.so");
    EXPECT_EQ(list[1], "libcupti.so.13");
    for (const char* path :
         {"/opt/overlane/lib/libcupti.so.13", "/opt/cuda-13/extras/CUPTI/lib64/libcupti.so.13",
          "/usr/local/cuda/lib64/libcupti.so.13", "/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcupti.so.13",
          "/venv/lib/python3.12/site-packages/nvidia/cuda_cupti/lib/libcupti.so.12"})
        EXPECT_THAT(list, Contains(path));
    EXPECT_LT(place(list, "/usr/local/cuda/lib64/libcupti.so.13"), place(list, "libcupti.so.12"));
    EXPECT_EQ(std::count(list.begin(), list.end(), "/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcupti.so.13"),
              1);
}

TEST(CuptiSearch, LooksBesideTheWheelThatOverlaneIs)
{
    const test::TempDir environment;
    const std::string site = environment.path("lib/python3.12/site-packages");
    std::filesystem::create_directories(site);
    std::filesystem::create_directories(environment.path("lib/overlane"));
    std::filesystem::create_directories(environment.path("lib/python3.11"));
    EXPECT_THAT(packageFolders(environment.path("lib/overlane")), ElementsAre(site));
    EXPECT_THAT(packageFolders(environment.path("lib")), IsEmpty());
    EXPECT_THAT(packageFolders("/nowhere/lib/overlane"), IsEmpty());
    EXPECT_THAT(packageFolders(""), IsEmpty());

    CuptiSearch search;
    search.loadedObjects = {"/other/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so"};
    search.packages = {site};
    search.driverMajor = 13;
    const std::vector<std::string> list = cuptiCandidates(search);
    EXPECT_THAT(list, Contains(site + "/nvidia/cu13/lib/libcupti.so.13"));
    EXPECT_LT(place(list, "/other/lib/python3.12/site-packages/nvidia/cu13/lib/libcupti.so.13"),
              place(list, site + "/nvidia/cu13/lib/libcupti.so.13"));
}

TEST(CuptiSearch, LeavesOutWhatIsNewerThanTheDriver)
{
    CuptiSearch search;
    search.driverMajor = 12;
    const std::vector<std::string> list = cuptiCandidates(search);
    EXPECT_EQ(list.front(), "libcupti.so.12");
    EXPECT_THAT(list, Not(Contains("libcupti.so.13")));
    search.driverMajor = 99;
    EXPECT_EQ(cuptiCandidates(search).front(), "libcupti.so.13");
}

TEST(CuptiSearch, KnowsCuptiByItsName)
{
    EXPECT_TRUE(isCuptiLibrary("/usr/lib/libcupti.so.13"));
    EXPECT_TRUE(isCuptiLibrary("libcupti.so"));
    EXPECT_FALSE(isCuptiLibrary("/usr/lib/libcuptiutil.so"));
    EXPECT_FALSE(isCuptiLibrary("/libcupti.so/libc.so.6"));
}

TEST(CuptiLibrary, SaysWhichFunctionALibraryLacks)
{
    CuptiLibrary library;
    EXPECT_FALSE(library.load({"libm.so.6"}));
    EXPECT_FALSE(library.missing().empty());
    CuptiLibrary none;
    EXPECT_FALSE(none.load({"/nowhere/libcupti.so.13"}));
    EXPECT_TRUE(none.missing().empty());
    EXPECT_NE(none.error().find("/nowhere/libcupti.so.13"), std::string::npos);
}

TEST(DriverMajor, FollowsTheReleaseInTheFileName)
{
    EXPECT_EQ(driverMajorOf("/usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04"), 13);
    EXPECT_EQ(driverMajorOf("/usr/lib/libcuda.so.610.10"), 13);
    EXPECT_EQ(driverMajorOf("/usr/lib/libcuda.so.575.51.03"), 12);
    EXPECT_EQ(driverMajorOf("/usr/lib/libcuda.so.470.57.02"), 0);
    EXPECT_EQ(driverMajorOf("/usr/lib/libcuda.so.1"), 0);
    EXPECT_EQ(driverMajorOf(""), 0);
}

TEST(LinkRate, FollowsTheGenerationsOfPcie)
{
    EXPECT_NEAR(linkRate("32.0 GT/s PCIe", "16"), 63.0e9, 0.1e9);
    EXPECT_NEAR(linkRate("16.0 GT/s PCIe", "16"), 31.5e9, 0.1e9);
    EXPECT_NEAR(linkRate("5.0 GT/s PCIe", "8"), 4.0e9, 0.01e9);
    EXPECT_NEAR(linkRate("64.0 GT/s PCIe", "16"), 121e9, 1e9);
    EXPECT_EQ(linkRate("Unknown", "16"), 0);
    EXPECT_EQ(linkRate("32.0 GT/s PCIe", ""), 0);
    EXPECT_EQ(linkRate("32.0 GT/s PCIe", "255"), 0);
}

TEST(KernelWindows, OpenAtTheStartOfEachPeriod)
{
    KernelWindows windows;
    windows.start(1'000);
    EXPECT_TRUE(windows.isOpen(1'000));
    EXPECT_EQ(windows.nextChangeNs(1'000), 1'000 + KernelWindows::kOpenNs);
    EXPECT_FALSE(windows.isOpen(1'000 + KernelWindows::kOpenNs));
    EXPECT_EQ(windows.nextChangeNs(1'000 + KernelWindows::kOpenNs), 1'000 + KernelWindows::kPeriodNs);
    EXPECT_TRUE(windows.isOpen(1'000 + 5 * KernelWindows::kPeriodNs));
}

}  // namespace
}  // namespace overlane
