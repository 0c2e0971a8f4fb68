// The CUPTI that a recording would take on this machine, found in the same order as in the recorded program.
//
// Loads the library and asks it for its version alone. Any thread. CUPTI API reference: cuptiGetVersion.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace overlane
{

struct FoundCupti {
    std::string path;
    std::uint32_t apiVersion = 0;  // 24 for CUDA 12.6; 0: unknown
};
// The first of the candidates that loads; the Error is the linker's reason for the first of them.
Result<FoundCupti> findCupti(const std::vector<std::string>& candidates);

}  // namespace overlane
