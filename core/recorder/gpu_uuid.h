// A GPU's UUID from the driver's text, "GPU-715f7b3a-5f16-d91c-563a-e9480197a7b4", to its 16 bytes. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace overlane
{

// False, and nothing written, for text of another form.
bool parseGpuUuid(std::string_view text, std::uint8_t (&uuid)[16]);

}  // namespace overlane
