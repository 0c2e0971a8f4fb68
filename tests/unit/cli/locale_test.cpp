// Numbers of files and of the command line are the same under every locale: what commands answer under
// one that writes decimals with a comma, they answer under C.
#include <gtest/gtest.h>
#include <sstream>

#include "tests/support/comma_locale.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using test::call;
using test::Outcome;

// Without the line that tells how long it took.
std::string untimed(const std::string& text)
{
    std::istringstream lines(text);
    std::string rest;
    for (std::string line; std::getline(lines, line);)
        if (line.find("\"took_ns\"") == std::string::npos)
            rest += line + "\n";
    return rest;
}

TEST(LocaleTest, ImportSweepAndLessonsAnswerTheSameWithACommaForDecimals)
{
    const test::TempDir folder;
    const std::string trace = folder.write("gauges.json", R"({"traceEvents": [
        {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1.5, "dur": 20.25},
        {"ph": "C", "name": "level", "pid": 1, "ts": 2.5, "args": {"a": 0.5, "b": 1.25e1}},
        {"ph": "C", "name": "level", "pid": 1, "ts": 3.5, "args": {"a": 0.75, "b": -2.5}}]})");
    const std::vector<std::vector<std::string>> commands{
        {"info", trace},
        {"info", "--json", trace},
        {"sweep", "--over", "produce_spread=0..1.5:4", "--set", "batches=24", "--set", "compute_us=800.5", "--json"},
        {"run", "--set", "batches=24", "--set", "compute_us=1234.5", "--json"},
        {"lessons", "check", "--only", "two_copies", "--json"},
        {"check", trace, "--fail-on", "step-time:1.5ms"},
        {"run", "--help"}};
    std::vector<Outcome> expected;
    expected.reserve(commands.size());
    for (const auto& arguments : commands)
        expected.push_back(call(arguments));
    test::expectText(expected.front().out);

    const test::CommaLocale comma;
    if (!comma.active())
        GTEST_SKIP() << "localedef is missing; cmake/install_packages.sh installs it";
    for (std::size_t at = 0; at < commands.size(); ++at) {
        const Outcome outcome = call(commands[at]);
        EXPECT_EQ(untimed(outcome.out), untimed(expected[at].out)) << commands[at].front();
        EXPECT_EQ(outcome.err, expected[at].err) << commands[at].front();
        EXPECT_EQ(outcome.code, expected[at].code) << commands[at].front();
    }
}

}  // namespace
}  // namespace overlane
