// What a GPU's name tells of its link to the host: what 16 lanes of its PCIe generation carry in one direction with
// headers taken off, for traces that do not say it, and whether pageable memory of the host is read over it as it is.
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

// Whether a GPU reads and writes pageable memory of its host by the host's page tables, by its name: the Grace modules,
// which NVLink-C2C joins to their GPU ("ATS: system allocated memory is addressable from the device via Address
// Translation Services", AddressingMode of cuda-core; cudaDevAttrPageableMemoryAccessUsesHostPageTables). What
// is known of staging was measured on PCIe, so pageable copies are not judged there.
bool readsPageableMemory(std::string_view gpuName);
// "the GPU reads pageable memory over NVLink-C2C": why not.
constexpr std::string_view kPageableNotJudged =
    "Pageable memory is not judged on this machine: the GPU reads it over NVLink-C2C.";

// Bytes per second; 0 for a GPU that is not in the list.
double linkBytesPerSecondOf(std::string_view gpuName);

}  // namespace overlane
