#include "core/runs/expression_scanner.h"

#include <cctype>
#include <charconv>
#include <cmath>

#include "core/base/units.h"

namespace overlane
{
namespace
{

struct UnitWord {
    std::string_view word;
    double factor;
    FigureUnit unit;
};
// Rates before sizes: the longest word wins.
constexpr UnitWord kUnitWords[] = {
    {"GB/s", 1, kRateUnit},   {"MB/s", 1e-3, kRateUnit}, {"TiB", kTiB, kSizeUnit}, {"GiB", kGiB, kSizeUnit},
    {"MiB", kMiB, kSizeUnit}, {"KiB", kKiB, kSizeUnit},  {"TB", 1e12, kSizeUnit},  {"GB", 1e9, kSizeUnit},
    {"MB", 1e6, kSizeUnit},   {"kB", 1e3, kSizeUnit},    {"ns", 1, kTimeUnit},     {"us", 1e3, kTimeUnit},
    {"ms", 1e6, kTimeUnit},   {"s", 1e9, kTimeUnit},     {"B", 1, kSizeUnit},      {"%", 0.01, kShareUnit},
};

bool isWordCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

std::string_view ExpressionScanner::rest()
{
    while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0)
        ++m_at;
    return m_text.substr(m_at);
}

bool ExpressionScanner::take(std::string_view sign)
{
    if (!rest().starts_with(sign))
        return false;
    m_at += sign.size();
    return true;
}

bool ExpressionScanner::takeWord(std::string_view word)
{
    const std::string_view left = rest();
    if (!left.starts_with(word) || (word.size() < left.size() && isWordCharacter(left[word.size()])))
        return false;
    m_at += word.size();
    return true;
}

std::string_view ExpressionScanner::word()
{
    const std::string_view left = rest();
    std::size_t length = 0;
    while (length < left.size() && isWordCharacter(left[length]))
        ++length;
    m_at += length;
    return left.substr(0, length);
}

std::optional<ExpressionScanner::Quantity> ExpressionScanner::quantity()
{
    const std::string_view left = rest();
    Quantity made;
    const auto [end, code] =
        std::from_chars(left.data(), left.data() + left.size(), made.value, std::chars_format::fixed);
    if (code != std::errc() || !std::isfinite(made.value))
        return std::nullopt;
    m_at += static_cast<std::size_t>(end - left.data());
    for (const UnitWord& unit : kUnitWords) {
        if (unit.word != "%" ? !takeWord(unit.word) : !take(unit.word))
            continue;
        made.value *= unit.factor;
        made.unit = unit.unit;
        break;
    }
    return made;
}

}  // namespace overlane
