// What the kernel tells of a PCI device, in /sys/bus/pci/devices/ADDRESS (Documentation/ABI/testing/sysfs-bus-pci).
//
// Any thread. Addresses as CUDA writes them ("0000:4A:00.0"); `system` is where the kernel describes the machine.
#pragma once

#include <string>

namespace overlane
{

// The first line of a file of the device; empty where there is none.
std::string pciDeviceLine(const std::string& address, const std::string& file, const std::string& system = "/sys");
// The NUMA node that the device hangs on; -1 where the system does not say (one node, or a virtual machine that hides
// it).
int nodeOfPciDevice(const std::string& address, const std::string& system = "/sys");

}  // namespace overlane
