#include "cupti/engine/device_node.h"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace overlane
{

int nodeOfPciDevice(const std::string& address, const std::string& system)
{
    std::string folder = address;  // CUDA writes capitals, the system does not
    std::transform(folder.begin(), folder.end(), folder.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    std::ifstream file(system + "/bus/pci/devices/" + folder + "/numa_node");
    int node = -1;
    return file >> node ? node : -1;
}

}  // namespace overlane
