#include "core/recorder/gpu_uuid.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace overlane
{

bool parseGpuUuid(std::string_view text, std::uint8_t (&uuid)[16])
{
    const std::size_t dash = text.find('-');
    std::array<char, 33> digits{};
    std::size_t count = 0;
    for (const char letter : dash == std::string_view::npos ? std::string_view() : text.substr(dash + 1)) {
        if (letter == '-')
            continue;
        if (count == 32)
            return false;
        digits[count++] = letter;
    }
    if (count != 32)
        return false;
    std::array<std::uint8_t, 16> bytes{};
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const char* const first = digits.data() + 2 * at;
        const auto [end, error] = std::from_chars(first, first + 2, bytes[at], 16);
        if (error != std::errc{} || end != first + 2)
            return false;
    }
    std::copy(bytes.begin(), bytes.end(), uuid);
    return true;
}

}  // namespace overlane
