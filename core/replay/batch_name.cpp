#include "core/replay/batch_name.h"

#include <charconv>

namespace overlane
{

std::int64_t batchNumber(std::string_view name)
{
    constexpr std::string_view kWord = "batch ";
    const std::size_t at = name.rfind(kWord);
    if (at == std::string_view::npos)
        return -1;
    const std::string_view digits = name.substr(at + kWord.size());
    std::int64_t number = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() ? number : -1;
}

}  // namespace overlane
