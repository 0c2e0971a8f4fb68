#include "core/system/cgroup.h"

#include <gmock/gmock.h>

#include "core/system/swap_file.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A system whose control groups are plain files.
class FakeCgroups : public testing::Test
{
protected:
    void put(const std::string& name, const std::string& text) const
    {
        std::filesystem::create_directories((m_root.path() / name).parent_path());
        m_root.write(name, text);
    }
    void mounts(const std::string& lines) const { put("proc/self/mounts", lines); }
    Result<CgroupHierarchy> find() const { return findMemoryHierarchy(m_root.path().string() + '/'); }
    std::string read(const std::string& name) const { return test::readFile(m_root.path() / name); }

    test::TempDir m_root;
};

TEST_F(FakeCgroups, Version2IsFoundWhereItHasMemory)
{
    mounts("cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n");
    put("sys/fs/cgroup/cgroup.controllers", "cpu io memory pids\n");
    put("sys/fs/cgroup/cgroup.subtree_control", "cpu memory\n");
    const auto found = find();
    ASSERT_TRUE(found.ok()) << found.error();
    EXPECT_EQ(found.value().version, 2);
    EXPECT_EQ(found.value().folder, m_root.path("sys/fs/cgroup"));
}

TEST_F(FakeCgroups, Version2WithoutMemoryForGroupsIsRefusedWithTheWayOut)
{
    mounts("cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
    put("sys/fs/cgroup/cgroup.controllers", "memory\n");
    put("sys/fs/cgroup/cgroup.subtree_control", "\n");
    ASSERT_FALSE(find().ok());
    test::expectText(find().error());
}

TEST_F(FakeCgroups, Version1IsFoundBesideAnEmptyVersion2)
{
    mounts(
        "tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n"
        "cgroup /sys/fs/cgroup/memory cgroup rw,relatime,memory 0 0\n"
        "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n");
    put("sys/fs/cgroup/unified/cgroup.controllers", "");
    std::filesystem::create_directories(m_root.path() / "sys/fs/cgroup/memory");
    ASSERT_FALSE(find().ok());
    EXPECT_THAT(find().error(), HasSubstr("swapaccount"));
    put("sys/fs/cgroup/memory/memory.memsw.limit_in_bytes", "1\n");
    ASSERT_TRUE(find().ok()) << find().error();
    EXPECT_EQ(find().value().version, 1);
}

TEST_F(FakeCgroups, WithoutControlGroupsItIsSaid)
{
    mounts("proc /proc proc rw 0 0\n");
    ASSERT_FALSE(find().ok());
    test::expectText(find().error());
}

TEST_F(FakeCgroups, Version2IsLimitedAndReadByItsDocumentedFiles)
{
    const CgroupHierarchy hierarchy{2, m_root.path().string()};
    const auto group = MemoryGroup::create(hierarchy, "overlane-x", {1000, 500});
    ASSERT_TRUE(group.ok()) << group.error();
    EXPECT_EQ(read("overlane-x/memory.max"), "1000");
    EXPECT_EQ(read("overlane-x/memory.swap.max"), "500");
    EXPECT_EQ(read("overlane-x/memory.oom.group"), "1");
    ASSERT_TRUE(group.value().add(42).ok());
    EXPECT_EQ(read("overlane-x/cgroup.procs"), "42");
    put("overlane-x/memory.current", "900\n");
    put("overlane-x/memory.swap.current", "300\n");
    put("overlane-x/memory.events", "low 0\nmax 9\noom 2\noom_kill 1\n");
    put("overlane-x/memory.pressure", "some avg10=12.50 avg60=1.00 avg300=0.00 total=5\nfull avg10=3.00 total=2\n");
    put("overlane-x/memory.stat",
        "anon 400\nfile 250\nshmem 50\nunevictable 128\npgmajfault 7\nworkingset_refault_anon 3\n"
        "workingset_refault_file 4\n");
    const MemoryGroupUsage usage = group.value().read();
    EXPECT_EQ(usage.usedBytes, 900);
    EXPECT_EQ(usage.swapBytes, 300);
    EXPECT_EQ(usage.processBytes, 400);
    EXPECT_EQ(usage.pageCacheBytes, 200);
    EXPECT_EQ(usage.lockedBytes, 128);
    EXPECT_EQ(usage.majorFaults, 7);
    EXPECT_EQ(usage.refaultedPages, 7);
    EXPECT_EQ(usage.killed, 1);
    EXPECT_DOUBLE_EQ(usage.pressurePercent, 12.5);
    EXPECT_THAT(memoryGroupNames(hierarchy, "overlane-"), ElementsAre("overlane-x"));
    EXPECT_THAT(memoryGroupNames(hierarchy, "other-"), IsEmpty());
}

TEST_F(FakeCgroups, Version1CountsSwapTogetherWithMemory)
{
    const auto group = MemoryGroup::create({1, m_root.path().string()}, "overlane-y", {1000, 500});
    ASSERT_TRUE(group.ok()) << group.error();
    EXPECT_EQ(read("overlane-y/memory.limit_in_bytes"), "1000");
    EXPECT_EQ(read("overlane-y/memory.memsw.limit_in_bytes"), "1500");
    put("overlane-y/memory.usage_in_bytes", "950\n");
    put("overlane-y/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
    put("overlane-y/memory.stat",
        "cache 300\nrss 600\nshmem 100\nswap 77\nunevictable 200\npgmajfault 5\nworkingset_refault_file 8\n"
        "total_cache 9999\n");
    const MemoryGroupUsage usage = group.value().read();
    EXPECT_EQ(usage.usedBytes, 950);
    EXPECT_EQ(usage.processBytes, 600);
    EXPECT_EQ(usage.pageCacheBytes, 200);
    EXPECT_EQ(usage.swapBytes, 77);
    EXPECT_EQ(usage.lockedBytes, 200);
    EXPECT_EQ(usage.refaultedPages, 8);
    EXPECT_EQ(usage.killed, 2);
    EXPECT_LT(usage.pressurePercent, 0);
}

TEST_F(FakeCgroups, AGroupOfThatNameOrNoRightsAreErrors)
{
    const CgroupHierarchy hierarchy{2, m_root.path().string()};
    std::filesystem::create_directories(m_root.path() / "taken");
    EXPECT_FALSE(MemoryGroup::create(hierarchy, "taken", {1, 1}).ok());
    EXPECT_FALSE(MemoryGroup::create({2, m_root.path("nowhere")}, "new", {1, 1}).ok());
}

TEST_F(FakeCgroups, AnEmptyGroupIsRemovedAndAMissingOneIsNone)
{
    const CgroupHierarchy hierarchy{2, m_root.path().string()};
    std::filesystem::create_directories(m_root.path() / "gone");
    EXPECT_TRUE(removeMemoryGroup(hierarchy, "gone").ok());
    EXPECT_FALSE(std::filesystem::exists(m_root.path() / "gone"));
    EXPECT_TRUE(removeMemoryGroup(hierarchy, "gone").ok());
}

TEST(SwapAreas, AreReadFromTheKernelsTable)
{
    const auto areas = parseSwapAreas(
        "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n/dev/sda2   partition\t8388604\t1024\t-2\n"
        "/var/tmp/x.swap   file\t262140\t0\t32767\n"
        "/var/a\\040b\\134c\\011d/\\0x.swap file\t4092\t8\t32767\n");
    ASSERT_EQ(areas.size(), 3u);
    EXPECT_EQ(areas[0].path, "/dev/sda2");
    EXPECT_EQ(areas[0].usedBytes, 1024 * 1024);
    EXPECT_EQ(areas[1].totalBytes, 262140ll * 1024);
    EXPECT_EQ(areas[2].path, "/var/a b\\c\td/\\0x.swap");
    EXPECT_EQ(areas[2].usedBytes, 8 * 1024);
    EXPECT_THAT(parseSwapAreas("Filename Type Size Used Priority\n"), IsEmpty());
    EXPECT_THAT(parseSwapAreas(""), IsEmpty());
}

TEST(SwapFile, CannotLieInMemory)
{
    test::expectText(swapFileProblem("/dev/shm"));
    test::expectText(swapFileProblem("/no/such/folder"));
    test::expectText(swapFileProblem("/proc"));
}

TEST(SwapFile, ALinkThatSomebodyLaidIsLeftAlone)
{
    const test::TempDir root;
    const std::string file = root.write("precious", "x");
    std::filesystem::create_symlink(file, root.path("trap.swap"));
    EXPECT_FALSE(isOwnFile(root.path("trap.swap")));
    EXPECT_TRUE(endSwapFile(root.path("trap.swap")).ok());
    EXPECT_TRUE(std::filesystem::is_symlink(root.path("trap.swap")));
    EXPECT_TRUE(isOwnFile(file));
}

TEST(SwapFile, OneThatIsNotThereNeedsNoEnd)
{
    EXPECT_TRUE(endSwapFile("/no/such/file.swap").ok());
}

}  // namespace
}  // namespace overlane
