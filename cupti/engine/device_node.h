// The NUMA node a PCI device hangs on, from /sys/bus/pci/devices/ADDRESS/numa_node; -1 where the
// system does not say (one node, or a virtual machine that hides it).
#pragma once

#include <string>

namespace overlane
{

int nodeOfPciDevice(const std::string& address, const std::string& system = "/sys");

}  // namespace overlane
