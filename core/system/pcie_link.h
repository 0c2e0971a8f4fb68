// The PCIe link of a GPU: generation and width, now and at most.
//
// From /sys/bus/pci/devices/ADDRESS (PCI driver ABI, Documentation/ABI/testing/sysfs-bus-pci) and, where that says
// nothing, as in many virtual machines, from NVML (NVML API reference). Links slow down when idle: ask while copies
// run. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace overlane
{

struct PcieLink {
    int generation = 0;  // 0: unknown
    int width = 0;
    int largestGeneration = 0;  // that the GPU and its slot allow together
    int largestWidth = 0;
    friend bool operator==(const PcieLink&, const PcieLink&) = default;
};

// `address` as CUDA writes it ("0000:41:00.0"); `system` is where the kernel describes the machine.
PcieLink pcieLinkOfSystem(const std::string& address, const std::string& system = "/sys");
PcieLink pcieLinkOfNvml(const std::string& address);
// The system's answer with what only NVML knows filled in.
PcieLink pcieLink(const std::string& address);

// "32.0 GT/s PCIe" -> 5; 0 for what it is not.
int pcieGeneration(std::string_view speed);
// What one direction of such a link carries at most, bytes per second: the lanes' bits less their coding
// (PCI Express Base Specification: 8b/10b up to generation 2, 128b/130b from 3), packet headers not counted.
double pcieBytesPerSecond(int generation, int width);

}  // namespace overlane
