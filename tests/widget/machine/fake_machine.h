// FakeMachine: /proc and /sys of a machine with two sockets and two GPUs, whose memory can be changed.
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/temp_dir.h"

namespace overlane::test
{

class FakeMachine
{
public:
    FakeMachine()
    {
        put("sys/devices/system/node/online", "0-1\n");
        node(0, "0-31,64-95", "10 32");
        node(1, "32-63,96-127", "32 10");
        gpu("0000:41:00.0", 0, 16);
        gpu("0000:c1:00.0", 1, 8);
        put("proc/self/status", "Cpus_allowed_list:\t0-127\nMems_allowed_list:\t0-1\n");
        put("proc/vmstat", "pswpin 0\npswpout 0\npgmajfault 0\n");
        healthy();
    }

    std::string root() const { return m_root.path().string() + '/'; }

    void healthy() const
    {
        memory(200'000'000, 60'000'000, 0);
        pressure("some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 total=0\n");
    }
    void swapping() const
    {
        memory(4'000'000, 1'000'000, 3'000'000);
        pressure("some avg10=24.00 avg60=3.00 avg300=0.00 total=9\nfull avg10=4.00 avg60=0.00 total=2\n");
    }

private:
    void put(const std::string& name, const std::string& text) const
    {
        std::filesystem::create_directories((m_root.path() / name).parent_path());
        m_root.write(name, text);
    }
    void node(int id, const std::string& processors, const std::string& distances) const
    {
        const std::string number = std::to_string(id);
        const std::string folder = "sys/devices/system/node/node" + number + '/';
        put(folder + "cpulist", processors);
        put(folder + "distance", distances);
        put(folder + "meminfo",
            "Node " + number + " MemTotal: 131072000 kB\nNode " + number + " MemFree: 40000000 kB\n");
    }
    void gpu(const std::string& address, int onNode, int width) const
    {
        const std::string folder = "sys/bus/pci/devices/" + address + '/';
        put(folder + "class", "0x030200");
        put(folder + "vendor", "0x10de");
        put(folder + "numa_node", std::to_string(onNode));
        put(folder + "current_link_width", std::to_string(width));
        put(folder + "max_link_width", "16");
        put(folder + "current_link_speed", "32.0 GT/s PCIe");
        put("proc/driver/nvidia/gpus/" + address + "/information", "Model: \t\t NVIDIA H200\n");
    }
    void memory(int availableKb, int freeKb, int swapUsedKb) const
    {
        const auto kb = [](int number) { return std::to_string(number) + " kB\n"; };
        put("proc/meminfo", "MemTotal: " + kb(262'144'000) + "MemFree: " + kb(freeKb) +
                                "MemAvailable: " + kb(availableKb) + "Buffers: " + kb(1'000'000) +
                                "Cached: " + kb(150'000'000) + "AnonPages: " + kb(30'000'000) +
                                "Shmem: " + kb(12'000'000) + "Mlocked: " + kb(2'000'000) +
                                "SwapTotal: " + kb(8'000'000) + "SwapFree: " + kb(8'000'000 - swapUsedKb));
    }
    void pressure(const std::string& text) const { put("proc/pressure/memory", text); }

    TempDir m_root;
};

}  // namespace overlane::test
