#include "core/doctor/surroundings.h"

#include <filesystem>
#include <gmock/gmock.h>

#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

// A machine whose /proc, /sys and /dev are plain files.
class SurroundingsTest : public testing::Test
{
protected:
    void put(const std::string& name, const std::string& text = {}) const
    {
        std::filesystem::create_directories((m_root.path() / name).parent_path());
        m_root.write(name, text);
    }
    std::string root() const { return m_root.path().string() + '/'; }
    Surroundings read(const Variables& variables = {}) const { return readSurroundings(root(), variables); }

    test::TempDir m_root;
};

TEST_F(SurroundingsTest, AnEmptyMachineHasNothing)
{
    const Surroundings around = read();
    EXPECT_EQ(around.driverVersion, "");
    EXPECT_FALSE(around.hasDeviceFiles);
    EXPECT_FALSE(around.countersRestricted);
    EXPECT_EQ(around.container, "");
    EXPECT_FALSE(around.isWsl);
    EXPECT_FALSE(around.usesMps);
    EXPECT_THAT(around.otherProfilers, IsEmpty());
    EXPECT_FALSE(around.pinLimitBytes);
    EXPECT_FALSE(around.groupLimitBytes);
    EXPECT_EQ(around.display, "");
    EXPECT_FALSE(around.hasFonts);
}

TEST_F(SurroundingsTest, TheKernelsDriverHasAVersionAndARestriction)
{
    put("proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu Feb 22 01:44:30 UTC 2024\n"
        "GCC version:  gcc version 12.2.0\n");
    put("proc/driver/nvidia/params", "EnableMSI: 1\nRmProfilingAdminOnly: 1\n");
    put("dev/nvidiactl");
    EXPECT_EQ(read().driverVersion, "550.54.14");
    EXPECT_EQ(read().countersRestricted, true);
    EXPECT_TRUE(read().hasDeviceFiles);
    put("proc/driver/nvidia/params", "RmProfilingAdminOnly: 0\n");
    EXPECT_EQ(read().countersRestricted, false);
    put("proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.82.07  Release Build\n");
    EXPECT_EQ(read().driverVersion, "580.82.07");
}

TEST_F(SurroundingsTest, ContainersAreTakenFromGroupsFilesAndVariables)
{
    put("proc/self/cgroup", "0::/user.slice\n");
    EXPECT_EQ(read().container, "");
    put("run/.containerenv");
    EXPECT_EQ(read().container, "Podman");
    put(".dockerenv");
    EXPECT_EQ(read().container, "Docker");
    put("proc/self/cgroup", "4:memory:/kubepods/burstable/pod1\n");
    EXPECT_EQ(read().container, "Kubernetes");
    put("proc/self/cgroup", "0::/machine.slice/libpod-7.scope\n");
    EXPECT_EQ(read().container, "Podman");
    EXPECT_EQ(read({{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}}).container, "Kubernetes");
}

TEST_F(SurroundingsTest, WslHasItsOwnKernelAndDevice)
{
    put("proc/sys/kernel/osrelease", "5.15.153.1-microsoft-standard-WSL2\n");
    put("dev/dxg");
    EXPECT_TRUE(read().isWsl);
    EXPECT_TRUE(read().hasDeviceFiles);
    put("proc/sys/kernel/osrelease", "6.1.0-35-amd64\n");
    EXPECT_FALSE(read().isWsl);
}

TEST_F(SurroundingsTest, MpsIsUsedWhereItsDaemonHasMadeItsPipes)
{
    const Variables elsewhere = {{"CUDA_MPS_PIPE_DIRECTORY", root() + "pipes"}};
    EXPECT_FALSE(read(elsewhere).usesMps) << "a variable alone starts no daemon";
    put("pipes/control");
    EXPECT_TRUE(read(elsewhere).usesMps);
    EXPECT_EQ(read(elsewhere).mpsFolder, root() + "pipes");
    EXPECT_FALSE(read().usesMps);
    put("tmp/nvidia-mps/control");
    EXPECT_TRUE(read().usesMps);
}

TEST_F(SurroundingsTest, OtherProfilersAreSeenAndOverlanesOwnIsNone)
{
    EXPECT_EQ(read({{"CUDA_INJECTION64_PATH", "/opt/other/libtool.so"}}).otherInjection, "/opt/other/libtool.so");
    EXPECT_EQ(read({{"CUDA_INJECTION64_PATH", "/opt/overlane/liboverlane-inject.so"}}).otherInjection, "");
    const Surroundings nsys = read({{"CUDA_INJECTION64_PATH", "/opt/nsys/libToolsInjection64.so"},
                                    {"NSYS_PROFILING_SESSION_ID", "77"},
                                    {"LD_PRELOAD", "/usr/lib/libjemalloc.so"}});
    EXPECT_THAT(nsys.otherProfilers,
                ElementsAre("CUDA_INJECTION64_PATH=/opt/nsys/libToolsInjection64.so", "NSYS_PROFILING_SESSION_ID=77"));
    EXPECT_EQ(nsys.otherInjection, "");
}

TEST_F(SurroundingsTest, LimitsAreThoseOfTheProcessAndItsTightestGroup)
{
    constexpr const char* kLimits = "Limit                     Soft Limit           Hard Limit           Units\n";
    put("proc/self/limits",
        std::string(kLimits) + "Max locked memory         65536                unlimited   bytes\n");
    EXPECT_EQ(read().pinLimitBytes, 65536);
    put("proc/self/limits",
        std::string(kLimits) + "Max locked memory         unlimited            unlimited   bytes\n");
    EXPECT_FALSE(read().pinLimitBytes);

    put("proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
    put("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
    put("proc/self/cgroup", "0::/jobs/7\n");
    put("sys/fs/cgroup/jobs/7/memory.max", "max\n");
    EXPECT_FALSE(read().groupLimitBytes);
    put("sys/fs/cgroup/jobs/memory.max", "8589934592\n");
    EXPECT_EQ(read().groupLimitBytes, std::int64_t{8} << 30);
    put("proc/sys/kernel/yama/ptrace_scope", "2\n");
    EXPECT_EQ(read().ptraceScope, 2);
}

TEST_F(SurroundingsTest, TheWindowHasADisplayAndFonts)
{
    EXPECT_EQ(read({{"DISPLAY", ":0"}}).display, "DISPLAY=:0");
    EXPECT_EQ(read({{"DISPLAY", ":0"}, {"WAYLAND_DISPLAY", "wayland-0"}}).display, "WAYLAND_DISPLAY=wayland-0");
    EXPECT_EQ(read({{"DISPLAY", ""}}).display, "");
    EXPECT_EQ(read({{"QT_QPA_PLATFORM", "offscreen"}}).display, "QT_QPA_PLATFORM=offscreen");
    put("usr/share/fonts/truetype/README", "none yet");
    EXPECT_FALSE(read().hasFonts);
    put("home/ada/.local/share/fonts/own.otf");
    EXPECT_TRUE(read({{"HOME", root() + "home/ada"}}).hasFonts);
    put("usr/share/fonts/truetype/dejavu/DejaVuSans.ttf");
    EXPECT_TRUE(read().hasFonts);
}

TEST_F(SurroundingsTest, FontsOfTheWindowLieBesideItsFolder)
{
    put("prefix/bin/overlane-ui");
    std::filesystem::create_symlink("prefix/bin/overlane-ui", m_root.path() / "overlane-ui");
    EXPECT_FALSE(bringsFonts(root() + "overlane-ui"));
    std::filesystem::create_directories(m_root.path() / "prefix/share/overlane/fonts");
    EXPECT_FALSE(bringsFonts(root() + "overlane-ui"));
    put("prefix/share/overlane/fonts/DejaVuSans.ttf");
    EXPECT_TRUE(bringsFonts(root() + "overlane-ui"));
    EXPECT_FALSE(bringsFonts(""));
}

TEST_F(SurroundingsTest, ADisplayHasASocket)
{
    EXPECT_EQ(read({{"DISPLAY", ":1.0"}}).missingSocket, "/tmp/.X11-unix/X1");
    EXPECT_EQ(read({{"DISPLAY", "localhost:10.0"}}).missingSocket, "");
    put("tmp/.X11-unix/X1");
    EXPECT_EQ(read({{"DISPLAY", ":1.0"}}).missingSocket, "");
    EXPECT_EQ(read({{"DISPLAY", ":2"}}).missingSocket, "/tmp/.X11-unix/X2");
    put("proc/net/unix", "0000000000000000: 00000002 00000000 00010000 0001 01 7 @/tmp/.X11-unix/X2\n");
    EXPECT_EQ(read({{"DISPLAY", ":2"}}).missingSocket, "");

    EXPECT_EQ(read({{"WAYLAND_DISPLAY", "wayland-0"}}).missingSocket, "XDG_RUNTIME_DIR, which is not set");
    Variables session{{"WAYLAND_DISPLAY", "wayland-0"}, {"XDG_RUNTIME_DIR", "/run/user/7"}};
    EXPECT_EQ(read(session).missingSocket, "/run/user/7/wayland-0");
    session["DISPLAY"] = ":1";
    EXPECT_EQ(read(session).display, "DISPLAY=:1");
    EXPECT_EQ(read(session).missingSocket, "");
    session["DISPLAY"] = ":3";
    EXPECT_EQ(read(session).missingSocket, "/run/user/7/wayland-0");
    put("run/user/7/wayland-0");
    EXPECT_EQ(read(session).display, "WAYLAND_DISPLAY=wayland-0");
    EXPECT_EQ(read(session).missingSocket, "");
    EXPECT_EQ(read({{"WAYLAND_DISPLAY", "/run/user/7/wayland-0"}}).missingSocket, "");
}

}  // namespace
}  // namespace overlane
