#include "core/system/usable_processors.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

// A system whose control groups are plain files.
class UsableProcessorsTest : public testing::Test
{
protected:
    void put(const std::string& name, const std::string& text) const
    {
        std::filesystem::create_directories((m_root.path() / name).parent_path());
        m_root.write(name, text);
    }
    std::string root() const { return m_root.path().string() + '/'; }
    std::optional<double> quota() const { return processorQuota(root()); }

    test::TempDir m_root;
};

TEST_F(UsableProcessorsTest, WithoutGroupsAllThatItMayRunOn)
{
    EXPECT_FALSE(quota());
    EXPECT_GE(usableProcessors(root()), 1);
}

TEST_F(UsableProcessorsTest, TheTightestGroupAboveTheProcessDecides)
{
    put("proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
    put("sys/fs/cgroup/cgroup.controllers", "cpuset cpu memory\n");
    put("proc/self/cgroup", "0::/jobs/7\n");
    put("sys/fs/cgroup/jobs/7/cpu.max", "max 100000\n");
    EXPECT_FALSE(quota());
    put("sys/fs/cgroup/jobs/cpu.max", "150000 100000\n");
    EXPECT_EQ(quota(), 1.5);
    put("sys/fs/cgroup/jobs/7/cpu.max", "20000 50000\n");
    EXPECT_EQ(quota(), 0.4);
    EXPECT_EQ(usableProcessors(root()), 1) << "one at least";
}

TEST_F(UsableProcessorsTest, AContainerSeesItsGroupAsTheTop)
{
    put("proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
    put("sys/fs/cgroup/cgroup.controllers", "cpu\n");
    put("proc/self/cgroup", "0::/docker/0123\n");
    put("sys/fs/cgroup/cpu.max", "100000 100000\n");
    EXPECT_EQ(quota(), 1.0);
    EXPECT_EQ(usableProcessors(root()), 1);
}

TEST_F(UsableProcessorsTest, TheFirstVersionHasTwoFiles)
{
    put("proc/self/mounts", "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\n");
    put("proc/self/cgroup", "5:memory:/other\n4:cpu,cpuacct:/slurm/job_1\n");
    put("sys/fs/cgroup/cpu,cpuacct/slurm/job_1/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu,cpuacct/slurm/job_1/cpu.cfs_period_us", "100000\n");
    EXPECT_FALSE(quota());
    put("sys/fs/cgroup/cpu,cpuacct/slurm/job_1/cpu.cfs_quota_us", "400000\n");
    EXPECT_EQ(quota(), 4.0);
    put("sys/fs/cgroup/cpu,cpuacct/slurm/job_1/cpu.cfs_period_us", "0\n");
    EXPECT_FALSE(quota()) << "no period is no limit";
}

}  // namespace
}  // namespace overlane
