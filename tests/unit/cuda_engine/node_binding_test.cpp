// NUMA placement, on a machine that a folder describes.
#include "cupti/engine/node_binding.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

class NodeBindingTest : public testing::Test
{
protected:
    std::string system() const { return m_folder.path("sys"); }
    void describe(const std::string& file, const std::string& text)
    {
        const std::filesystem::path path = system() + file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    }
    test::TempDir m_folder;
};

TEST_F(NodeBindingTest, NodesAreCounted)
{
    EXPECT_EQ(numaNodeCount(system()), 1);  // a system that says nothing
    describe("/devices/system/node/online", "0-1");
    EXPECT_EQ(numaNodeCount(system()), 2);
    describe("/devices/system/node/online", "0-3,6");
    EXPECT_EQ(numaNodeCount(system()), 5);
}

TEST_F(NodeBindingTest, AThreadRunsWhereItIsPut)
{
    cpu_set_t allowed;
    ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
    int last = -1;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor)
        if (CPU_ISSET(processor, &allowed))
            last = processor;
    describe("/devices/system/node/node0/cpulist", std::to_string(last));
    std::thread([&] {
        const Result<void> bound = bindThreadToNode(0, system());
        // Some sandboxes have no memory policy; the processors are set before it is asked for.
        if (!bound.ok()) {
            test::expectText(bound.error());
        }
        cpu_set_t now;
        ASSERT_EQ(sched_getaffinity(0, sizeof(now), &now), 0);
        EXPECT_EQ(CPU_COUNT(&now), 1);
        EXPECT_TRUE(CPU_ISSET(last, &now));
    }).join();
}

TEST_F(NodeBindingTest, ANodeThatIsNotThereIsNamed)
{
    describe("/devices/system/node/node0/cpulist", "0");
    const Result<void> bound = bindThreadToNode(3, system());
    ASSERT_FALSE(bound.ok());
    test::expectText(bound.error());
    EXPECT_TRUE(bindThreadToNode(-1, system()).ok());
}

}  // namespace
}  // namespace overlane
