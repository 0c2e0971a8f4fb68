#include "core/cli/option_list.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

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

const Option& Option::bytes(Kilo kilo) const
{
    m_parser->transform(CLI::AsSizeValue(kilo == Kilo::Is1000));
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
