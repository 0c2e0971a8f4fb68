#include "core/system/available_memory.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <limits>

#include "core/base/units.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

// A system whose memory and control groups are plain files.
class AvailableMemoryTest : public testing::Test
{
protected:
    void put(const std::string& name, const std::string& text) const
    {
        std::filesystem::create_directories((m_root.path() / name).parent_path());
        m_root.write(name, text);
    }
    void machineHas(std::int64_t mib) const
    {
        put("proc/meminfo", "MemTotal: 99999999 kB\nMemAvailable: " + std::to_string(mib * 1024) + " kB\n");
    }
    void version2(const std::string& own) const
    {
        put("proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
        put("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
        put("proc/self/cgroup", "0::" + own + "\n");
    }
    void group2(const std::string& name, const std::string& limit, std::int64_t usedMiB, std::int64_t cacheMiB) const
    {
        put("sys/fs/cgroup" + name + "/memory.max", limit + "\n");
        put("sys/fs/cgroup" + name + "/memory.current", std::to_string(usedMiB * kMiB) + "\n");
        put("sys/fs/cgroup" + name + "/memory.stat",
            "anon 1\nfile 2\ninactive_file " + std::to_string(cacheMiB * kMiB) + "\n");
    }
    std::int64_t mib() const { return availableMemoryBytes(m_root.path().string() + '/') / kMiB; }

    test::TempDir m_root;
};

TEST_F(AvailableMemoryTest, WithoutGroupsItIsTheMachines)
{
    EXPECT_EQ(availableMemoryBytes(m_root.path().string() + '/'), std::numeric_limits<std::int64_t>::max());
    machineHas(8000);
    EXPECT_EQ(mib(), 8000);
}

TEST_F(AvailableMemoryTest, TheTightestGroupAboveTheProcessDecides)
{
    machineHas(8000);
    version2("/jobs/7");
    group2("/jobs/7", "max", 100, 0);
    EXPECT_EQ(mib(), 8000);
    group2("/jobs", std::to_string(1000 * kMiB), 600, 50);
    EXPECT_EQ(mib(), 450);
    group2("/jobs/7", std::to_string(300 * kMiB), 100, 0);
    EXPECT_EQ(mib(), 200);
    group2("/jobs/7", std::to_string(300 * kMiB), 400, 0);
    EXPECT_EQ(mib(), 0);
}

TEST_F(AvailableMemoryTest, AContainerThatIsToldItsHostsPathLooksAtItsTop)
{
    machineHas(8000);
    version2("/kubepods/pod1/abc");
    group2("", std::to_string(512 * kMiB), 12, 0);
    EXPECT_EQ(mib(), 500);
}

TEST_F(AvailableMemoryTest, Version1IsReadToo)
{
    machineHas(8000);
    put("proc/self/mounts",
        "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\ncgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n");
    put("proc/self/cgroup", "5:cpu,cpuacct:/other\n4:memory:/slurm/job_9\n0::/x\n");
    put("sys/fs/cgroup/memory/slurm/job_9/memory.limit_in_bytes", std::to_string(2000 * kMiB));
    put("sys/fs/cgroup/memory/slurm/job_9/memory.usage_in_bytes", std::to_string(1500 * kMiB));
    put("sys/fs/cgroup/memory/slurm/job_9/memory.stat",
        "cache 5\ninactive_file 1\ntotal_inactive_file " + std::to_string(100 * kMiB) + "\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "1");
    EXPECT_EQ(mib(), 600);
}

}  // namespace
}  // namespace overlane
