#include "core/system/numa_topology.h"

#include <gmock/gmock.h>

#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

TEST(NumberList, ReadsAndWritesWhatTheKernelWrites)
{
    EXPECT_THAT(parseNumberList("0-3,8"), ElementsAre(0, 1, 2, 3, 8));
    EXPECT_THAT(parseNumberList("5\n"), ElementsAre(5));
    EXPECT_THAT(parseNumberList(""), IsEmpty());
    EXPECT_THAT(parseNumberList("1,x,3"), ElementsAre(1));
    EXPECT_THAT(parseNumberList("4-2"), IsEmpty());
    EXPECT_EQ(numberListText({0, 1, 2, 3, 8}), "0-3,8");
    EXPECT_EQ(numberListText({7}), "7");
    EXPECT_EQ(numberListText({}), "");
}

// Two sockets with a GPU on the second, as /sys and /proc show them.
class TwoSockets : public testing::Test
{
protected:
    TwoSockets()
    {
        put("sys/devices/system/node/online", "0-1\n");
        node(0, "0-1,4-5", "10 21", 1000);
        node(1, "2-3,6-7", "21 10", 2000);
        for (int processor = 0; processor < 8; ++processor) {
            const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/";
            put(folder + "physical_package_id", std::to_string(processor % 4 / 2));
            put(folder + "core_id", std::to_string(processor % 2));
        }
        gpu("0000:81:00.0", "0x10de", 1);
        put("proc/self/status", "Cpus_allowed_list:\t0-7\nMems_allowed_list:\t0-1\n");
    }

    void put(const std::string& name, const std::string& text) const
    {
        std::filesystem::create_directories((m_root.path() / name).parent_path());
        m_root.write(name, text);
    }
    void node(int id, const std::string& processors, const std::string& distances, int kilobytes) const
    {
        const std::string number = std::to_string(id);
        const std::string folder = "sys/devices/system/node/node" + number + '/';
        put(folder + "cpulist", processors + "\n");
        put(folder + "distance", distances + "\n");
        put(folder + "meminfo", "Node " + number + " MemTotal:       " + std::to_string(kilobytes) + " kB\nNode " +
                                    number + " MemFree:  7 kB\n");
    }
    void gpu(const std::string& address, const std::string& vendor, int onNode) const
    {
        const std::string folder = "sys/bus/pci/devices/" + address + '/';
        put(folder + "class", "0x030200\n");
        put(folder + "vendor", vendor + "\n");
        put(folder + "numa_node", std::to_string(onNode) + "\n");
        put(folder + "current_link_width", "8\n");
        put(folder + "max_link_width", "16\n");
        put(folder + "current_link_speed", "32.0 GT/s PCIe\n");
    }
    NumaTopology read() const { return readNumaTopology(m_root.path().string() + '/'); }

    test::TempDir m_root;
};

TEST_F(TwoSockets, NodesHaveTheirProcessorsMemoryAndDistances)
{
    const NumaTopology topology = read();
    ASSERT_EQ(topology.nodes.size(), 2u);
    EXPECT_THAT(topology.nodes[1].processors, ElementsAre(2, 3, 6, 7));
    EXPECT_EQ(topology.nodes[1].cores, 2);  // 6 and 7 are the second threads of 2 and 3
    EXPECT_EQ(topology.nodes[1].socket, 1);
    EXPECT_EQ(topology.nodes[1].totalBytes, 2000 * 1024);
    EXPECT_EQ(topology.nodes[0].freeBytes, 7 * 1024);
    EXPECT_EQ(topology.distance(0, 1), 21);
    EXPECT_EQ(topology.distance(1, 1), 10);
    EXPECT_EQ(topology.distance(1, 2), -1);
}

TEST_F(TwoSockets, GpusHaveTheirNodeLinkAndTheDriversName)
{
    put("proc/driver/nvidia/gpus/0000:81:00.0/information", "Model: \t\t NVIDIA H200\nIRQ: 1\n");
    put("sys/bus/pci/devices/0000:01:00.0/class", "0x020000\n");  // a network card
    put("sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n");
    put("sys/bus/pci/devices/0000:02:00.0/class", "0x030000\n");  // a server's own display
    put("sys/bus/pci/devices/0000:02:00.0/vendor", "0x1a03\n");
    const NumaTopology topology = read();
    ASSERT_EQ(topology.gpus.size(), 1u);
    EXPECT_EQ(topology.gpus[0].name, "NVIDIA H200");
    EXPECT_EQ(topology.gpus[0].node, 1);
    EXPECT_EQ(topology.gpus[0].linkWidth, 8);
    EXPECT_EQ(topology.gpus[0].widestLink, 16);
    EXPECT_EQ(topology.gpus[0].linkSpeed, "32.0 GT/s PCIe");
}

TEST_F(TwoSockets, TheBindingIsThatOfTheGpusNode)
{
    const NumaBinding binding = numaBinding(read(), 0);
    EXPECT_EQ(binding.commandLine, "numactl --cpunodebind=1 --membind=1 python train.py");
    test::expectText(binding.sentence);
}

TEST_F(TwoSockets, OneOfSeveralGpusIsNamedInPciOrder)
{
    gpu("0000:41:00.0", "0x10de", 0);
    const NumaTopology topology = read();
    ASSERT_EQ(topology.gpus.size(), 2u);
    EXPECT_EQ(topology.gpus[1].address, "0000:81:00.0");
    EXPECT_EQ(numaBinding(topology, 1).commandLine,
              "CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=1 numactl --cpunodebind=1 --membind=1 python "
              "train.py");
}

TEST_F(TwoSockets, WhatTheProcessMayNotUseIsNotBoundTo)
{
    put("proc/self/status", "Cpus_allowed_list:\t0-1\nMems_allowed_list:\t0-1\n");
    const NumaBinding binding = numaBinding(read(), 0);
    EXPECT_EQ(binding.processorNode, 0);
    EXPECT_EQ(binding.memoryNode, 1);
    test::expectText(binding.sentence);
    put("proc/self/status", "Cpus_allowed_list:\t99\nMems_allowed_list:\t0-1\n");
    EXPECT_EQ(numaBinding(read(), 0).commandLine, "");
}

TEST_F(TwoSockets, MemoryWithoutProcessorsIsLeftToItsNeighbor)
{
    put("sys/devices/system/node/online", "0-2\n");
    node(0, "0-1,4-5", "10 21 40", 1000);
    node(1, "2-3,6-7", "21 10 15", 2000);
    node(2, "", "40 15 10", 9000);  // as a device's own memory
    gpu("0000:81:00.0", "0x10de", 2);
    EXPECT_EQ(numaBinding(read(), 0).commandLine, "numactl --cpunodebind=1 --membind=1 python train.py");
}

TEST_F(TwoSockets, AnUnknownNodeIsSaid)
{
    gpu("0000:81:00.0", "0x10de", -1);
    const NumaBinding binding = numaBinding(read(), 0);
    EXPECT_EQ(binding.commandLine, "");
    test::expectText(binding.sentence);
    test::expectText(numaBinding(read(), std::nullopt).sentence);
}

TEST(OneNode, EvenASystemThatSaysNothingHasOne)
{
    const test::TempDir root;
    std::filesystem::create_directories(root.path() / "proc");
    std::filesystem::create_directories(root.path() / "sys/devices/system/cpu");
    root.write("proc/meminfo", "MemTotal: 64 kB\nMemFree: 32 kB\n");
    root.write("sys/devices/system/cpu/online", "0-3\n");
    const NumaTopology topology = readNumaTopology(root.path().string() + '/');
    ASSERT_EQ(topology.nodes.size(), 1u);
    EXPECT_EQ(topology.nodes[0].totalBytes, 64 * 1024);
    EXPECT_EQ(topology.nodes[0].processors.size(), 4u);
    EXPECT_EQ(topology.nodes[0].cores, 4);
    EXPECT_EQ(numaBinding(topology, std::nullopt).commandLine, "");
    test::expectText(numaBinding(topology, std::nullopt).sentence);
}

TEST(OneNode, ThisMachineCanBeRead)
{
    const NumaTopology topology = readNumaTopology();
    EXPECT_GE(topology.nodes.size(), 1u);
    EXPECT_GT(topology.nodes[0].totalBytes, 0);
    EXPECT_FALSE(topology.nodes[0].processors.empty());
}

}  // namespace
}  // namespace overlane
