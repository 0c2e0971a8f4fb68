// What a GPU's name tells of its link to the host: what 16 lanes of its PCIe generation carry in one direction with
// headers taken off, for traces that do not say it.
//
// Sources: PCI Express base specification (8, 16 and 32 GT/s, 128b/130b) for the rates, NVIDIA's data
// sheets for the generation of each GPU. A maximum: a laptop or a slot with fewer lanes has less.
#pragma once

#include <string_view>

namespace overlane
{

// What a link carries beside headers and acknowledgements, of the rate that the system says: 55 of 63 GB/s
// on PCIe 5 with 16 lanes.
constexpr double kPayloadShare = 0.87;

// Bytes per second; 0 for a GPU that is not in the list.
double linkBytesPerSecondOf(std::string_view gpuName);

// Whether a GPU's name holds a model as a word: "A10" is in "NVIDIA A10" and in "NVIDIA A10-24Q", not in "NVIDIA RTX
// A1000".
bool isModel(std::string_view gpuName, std::string_view model);

}  // namespace overlane
