#include "core/system/pci_device.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "core/system/pcie_link.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

class PciDeviceTest : public testing::Test
{
protected:
    std::string system() const { return m_folder.path("sys"); }
    void describe(const std::string& address, const std::string& file, const std::string& text)
    {
        const std::filesystem::path path = system() + "/bus/pci/devices/" + address + "/" + file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    }
    test::TempDir m_folder;
};

TEST_F(PciDeviceTest, TheNodeOfAGpuIsFoundByItsAddress)
{
    describe("0000:4a:00.0", "numa_node", "1");
    describe("0000:5b:00.0", "numa_node", "-1");
    EXPECT_EQ(nodeOfPciDevice("0000:4A:00.0", system()), 1);
    EXPECT_EQ(nodeOfPciDevice("0000:5b:00.0", system()), -1);
    EXPECT_EQ(nodeOfPciDevice("0000:99:00.0", system()), -1);
}

TEST_F(PciDeviceTest, TheLinkOfAGpuIsReadWhereItIsKnown)
{
    describe("0000:4a:00.0", "current_link_speed", "2.5 GT/s PCIe");
    describe("0000:4a:00.0", "current_link_width", "16");
    describe("0000:4a:00.0", "max_link_speed", "32.0 GT/s PCIe");
    describe("0000:4a:00.0", "max_link_width", "255");
    EXPECT_EQ(pcieLinkOfSystem("0000:4A:00.0", system()), (PcieLink{1, 16, 5, 0}));
    EXPECT_EQ(pcieLinkOfSystem("0000:99:00.0", system()), PcieLink{});
}

}  // namespace
}  // namespace overlane
