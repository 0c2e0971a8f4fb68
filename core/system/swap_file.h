// A file that serves as swap for a while: made, switched on, switched off and removed.
//
// Made with all its blocks (a swap file may have no holes), signed as swap (the header of mkswap(8):
// include/linux/swap.h, union swap_header, version 1) and switched on with swapon(2), which needs
// CAP_SYS_ADMIN. Functions of the path alone, so that a clean-up needs to know no more. Any thread. Bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace overlane
{

// A row of /proc/swaps.
struct SwapArea {
    std::string path;
    std::int64_t totalBytes = 0;
    std::int64_t usedBytes = 0;
};
std::vector<SwapArea> parseSwapAreas(std::string_view swaps);
std::vector<SwapArea> swapAreas();

// Why a swap file cannot be in this folder; empty where it can. Network, memory and copy-on-write
// file systems cannot hold one.
std::string swapFileProblem(const std::string& folder);

// Makes the file and switches it on before all other swap, so that nothing of ours goes elsewhere.
Result<void> startSwapFile(const std::string& path, std::int64_t bytes);
// A file itself, no link to one, that belongs to this user: the folder may be open to everybody.
bool isOwnFile(const std::string& path);
// Switches it off, where it is on, and removes the file, where there is one. Leaves alone what isOwnFile()
// denies.
Result<void> endSwapFile(const std::string& path);

}  // namespace overlane
