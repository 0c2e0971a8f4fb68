#include "core/system/pci_device.h"

#include <algorithm>
#include <cctype>

#include "core/base/text_file.h"
#include "core/system/numa_topology.h"

namespace overlane
{

std::string pciDeviceLine(const std::string& address, const std::string& file, const std::string& system)
{
    std::string folder = address;  // CUDA writes capitals, the system does not
    std::transform(folder.begin(), folder.end(), folder.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    const std::string text = textOfFile(system + "/bus/pci/devices/" + folder + "/" + file);
    return text.substr(0, text.find('\n'));
}

int nodeOfPciDevice(const std::string& address, const std::string& system)
{
    const std::vector<int> node = parseNumberList(pciDeviceLine(address, "numa_node", system));  // "-1" is none
    return node.empty() ? -1 : node.front();
}

}  // namespace overlane
