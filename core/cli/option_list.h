// OptionList: what the command line of one command takes, each option and file with the place that its value goes to.
// Option: one of them, for what is said of it besides.
//
// Hides the parser (CLI11), whose headers take several times as long to compile as most commands. The places must
// live until the command line is parsed; Options no longer than their list. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI
{
class App;
class Option;
}  // namespace CLI

namespace overlane
{

class Option
{
public:
    // Empty where a text may be taken, else what is wrong with it.
    using Check = std::function<std::string(const std::string&)>;
    // What "2K" of a size is.
    enum class Kilo { Is1000, Is1024 };
    enum class Zero { IsNone, IsSize };

    const Option& type(std::string name) const;  // "FILE"; else INT, TEXT and so on
    const Option& required() const;
    const Option& showDefault() const;
    const Option& hidden() const;  // of the help
    const Option& one() const;     // a list takes one value each time its option is given
    const Option& excludes(const Option& other) const;
    const Option& within(std::int64_t least, std::int64_t most) const;
    const Option& within(int least, int most) const { return within(std::int64_t{least}, std::int64_t{most}); }
    const Option& within(double least, double most) const;
    const Option& positive() const;
    const Option& notNegative() const;
    const Option& oneOf(const std::vector<std::string>& names) const;
    const Option& existingFile() const;
    const Option& check(Check check, std::string type) const;
    const Option& bytes(Kilo kilo, Zero zero = Zero::IsNone) const;  // "2G", "512MiB", "1.5GB"
    const Option& seconds(double least, double most) const;          // "90s", "5m", "1h"

private:
    friend class OptionList;
    explicit Option(CLI::Option& parser) : m_parser(&parser) {}

    CLI::Option* m_parser;
};

class OptionList
{
public:
    explicit OptionList(CLI::App& parser) : m_parser(parser) {}

    // "--name", "-o,--output", or "FILE" for what stands without a name.
    Option add(std::string names, std::string& place, std::string words = {});
    Option add(std::string names, int& place, std::string words = {});
    Option add(std::string names, unsigned& place, std::string words = {});
    Option add(std::string names, std::int64_t& place, std::string words = {});
    Option add(std::string names, std::uint64_t& place, std::string words = {});
    Option add(std::string names, double& place, std::string words = {});
    Option add(std::string names, std::vector<std::string>& place, std::string words = {});
    Option add(std::string names, std::vector<std::int64_t>& place, std::string words = {});
    // "!--no-name" sets the place to false.
    Option flag(std::string names, bool& place, std::string words = {});

private:
    CLI::App& m_parser;
};

}  // namespace overlane
