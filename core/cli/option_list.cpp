#include "core/cli/option_list.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>

#include "core/base/number_text.h"

namespace overlane
{
namespace
{

// A range holds "nan" for inside.
CLI::Validator isNumber()
{
    const auto check = [](const std::string& text) {
        return std::isnan(std::strtod(text.c_str(), nullptr)) ? "Value " + text + " is no number" : std::string();
    };
    return {check, ""};
}

// "2G", "512 MiB", "1.5gb": its bytes; none where the text is no size that a computer could have.
std::optional<double> bytesOf(std::string_view text, double kilo)
{
    constexpr std::string_view kPrefixes = "kmgtpe";
    constexpr double kMost = 9e18;  // a signed number of 64 bits holds
    const std::optional<double> number = takeReal(text);
    while (text.starts_with(' '))
        text.remove_prefix(1);
    std::string unit(text);
    for (char& letter : unit)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    double factor = 1;
    if (!unit.empty() && unit != "b") {
        const std::size_t power = kPrefixes.find(unit.front());
        const std::string_view rest = std::string_view(unit).substr(1);
        if (power == std::string_view::npos || (!rest.empty() && rest != "b" && rest != "i" && rest != "ib"))
            return std::nullopt;
        factor = std::pow(rest.starts_with('i') ? 1024.0 : kilo, static_cast<double>(power + 1));
    }
    // A product that is no number is above no limit.
    if (!number || !(*number * factor >= 0 && *number * factor <= kMost))
        return std::nullopt;
    return std::floor(*number * factor);
}

}  // namespace

const Option& Option::type(std::string name) const
{
    m_parser->type_name(std::move(name));
    return *this;
}

const Option& Option::required() const
{
    m_parser->required();
    return *this;
}

const Option& Option::showDefault() const
{
    m_parser->capture_default_str();
    return *this;
}

const Option& Option::hidden() const
{
    m_parser->group("");
    return *this;
}

const Option& Option::one() const
{
    m_parser->allow_extra_args(false);
    return *this;
}

const Option& Option::excludes(const Option& other) const
{
    m_parser->excludes(other.m_parser);
    return *this;
}

const Option& Option::within(std::int64_t least, std::int64_t most) const
{
    m_parser->check(CLI::Range(least, most));
    return *this;
}

const Option& Option::within(double least, double most) const
{
    m_parser->check(isNumber());
    m_parser->check(CLI::Range(least, most));
    return *this;
}

const Option& Option::positive() const
{
    m_parser->check(CLI::PositiveNumber);
    return *this;
}

const Option& Option::notNegative() const
{
    m_parser->check(CLI::NonNegativeNumber);
    return *this;
}

const Option& Option::oneOf(const std::vector<std::string>& names) const
{
    m_parser->check(CLI::IsMember(names));
    return *this;
}

const Option& Option::existingFile() const
{
    m_parser->check(CLI::ExistingFile);
    return *this;
}

const Option& Option::check(Check check, std::string type) const
{
    m_parser->check(CLI::Validator(std::move(check), std::move(type)));
    return *this;
}

const Option& Option::bytes(Kilo kilo, Zero zero) const
{
    const auto change = [kilo, zero](std::string& text) {
        const std::optional<double> bytes = bytesOf(text, kilo == Kilo::Is1000 ? 1000 : 1024);
        if (!bytes || (*bytes == 0 && zero == Zero::IsNone))
            return fmt::format("'{}' is no size; write one {}, such as 512MiB or 2G", text,
                               zero == Zero::IsNone ? "above 0" : "of 0 or more");
        text = fmt::format("{:.0f}", *bytes);
        return std::string();
    };
    m_parser->transform(CLI::Validator(change, ""));
    return *this;
}

const Option& Option::seconds(double least, double most) const
{
    const std::map<std::string, double> units = {{"s", 1}, {"m", 60}, {"h", 3600}};
    m_parser->transform(CLI::AsNumberWithUnit(units, CLI::AsNumberWithUnit::CASE_SENSITIVE, "TIME").description(""));
    m_parser->check(isNumber());
    m_parser->check(CLI::Range(least, most).description(""));
    return *this;
}

Option OptionList::add(std::string names, std::string& place, std::string words)
{
    return Option(*m_parser.add_option(std::move(names), place, std::move(words)));
}

Option OptionList::add(std::string names, int& place, std::string words)
{
    return Option(*m_parser.add_option(std::move(names), place, std::move(words)));
}

Option OptionList::add(std::string names, unsigned& place, std::string words)
{
    return Option(*m_parser.add_option(std::move(names), place, std::move(words)));
}

Option OptionList::add(std::string names, std::int64_t& place, std::string words)
{
    return Option(*m_parser.add_option(std::move(names), place, std::move(words)));
}

Option OptionList::add(std::string names, std::uint64_t& place, std::string words)
{
    return Option(*m_parser.add_option(std::move(names), place, std::move(words)));
}

Option OptionList::add(std::string names, double& place, std::string words)
{
    return Option(*m_parser.add_option(std::move(names), place, std::move(words)));
}

Option OptionList::add(std::string names, std::vector<std::string>& place, std::string words)
{
    return Option(*m_parser.add_option(std::move(names), place, std::move(words)));
}

Option OptionList::add(std::string names, std::vector<std::int64_t>& place, std::string words)
{
    return Option(*m_parser.add_option(std::move(names), place, std::move(words)));
}

Option OptionList::flag(std::string names, bool& place, std::string words)
{
    return Option(*m_parser.add_flag(std::move(names), place, std::move(words)));
}

}  // namespace overlane
