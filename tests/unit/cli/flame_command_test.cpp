// flame, called as a function: the table both ways round, folded stacks, JSON, and the mistakes.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/temporary_folder.h"
#include "core/base/text_file.h"
#include "core/cli/cli.h"
#include "tests/support/expect_text.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using test::call;
using test::expectFailure;
using test::expectNarrow;
using test::Outcome;

const std::string kCalledTrace = OVERLANE_SOURCE_DIR "/tests/data/traces/h200/w8_page_nb_side_d16.pt.trace.json.gz";

// Nanoseconds behind the last space of each line.
std::int64_t sumOfStacks(const std::string& text)
{
    std::istringstream lines(text);
    std::int64_t sum = 0;
    for (std::string line; std::getline(lines, line);)
        sum += std::stoll(line.substr(line.rfind(' ') + 1));
    return sum;
}

TEST(FlameCommandTest, PrintsTheHeaviestCallsUnderTheirCallers)
{
    const Outcome outcome = call({"flame", "--top", "12", kCalledTrace});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    expectNarrow(outcome.out);
    test::expectText(outcome.out);
}

TEST(FlameCommandTest, BottomUpListsNamesWithTheirCallers)
{
    const Outcome outcome = call({"flame", "--bottom-up", "--top", "12", kCalledTrace});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    expectNarrow(outcome.out);
    test::expectText(outcome.out);
}

TEST(FlameCommandTest, FoldedStacksAndJsonSumToTheSame)
{
    const Outcome folded = call({"flame", "--folded", kCalledTrace});
    ASSERT_EQ(folded.code, kExitOk) << folded.err;
    const Outcome json = call({"flame", "--json", kCalledTrace});
    ASSERT_EQ(json.code, kExitOk) << json.err;
    const auto tree = nlohmann::json::parse(json.out);
    EXPECT_EQ(tree["source"], "events");
    EXPECT_EQ(tree["nodes"][0]["total_ns"], sumOfStacks(folded.out));
    std::int64_t selfNs = 0;
    for (const auto& node : tree["nodes"])
        selfNs += node["self_ns"].get<std::int64_t>();
    EXPECT_EQ(tree["nodes"][0]["total_ns"], selfNs);
    EXPECT_TRUE(tree["nodes"][0]["parent"].is_null());
    EXPECT_NE(folded.out.find("\nProfilerStep;aten::to;aten::_to_copy;aten::copy_;cudaMemcpyAsync "),
              std::string::npos);
    const Outcome upside = call({"flame", "--folded", "--bottom-up", kCalledTrace});
    EXPECT_EQ(sumOfStacks(upside.out), sumOfStacks(folded.out));
    EXPECT_NE(upside.out.find("cudaMemcpyAsync;aten::copy_;aten::_to_copy;aten::to;ProfilerStep "), std::string::npos);
}

TEST(FlameCommandTest, WritesFoldedStacksToAFile)
{
    const auto folder = TemporaryFolder::make("flame").value();
    const std::string file = folder.file("main.folded");
    const Outcome outcome = call({"flame", "-o", file, kCalledTrace});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    EXPECT_EQ(readTextFile(file).value(), call({"flame", "--folded", kCalledTrace}).out);
}

TEST(FlameCommandTest, OfOneThreadAndByThread)
{
    const Outcome all = call({"flame", "--folded", "--by-thread", kCalledTrace});
    const std::string thread = all.out.substr(0, all.out.find(';'));
    const Outcome one = call({"flame", "--folded", "--thread", thread, kCalledTrace});
    ASSERT_EQ(one.code, kExitOk) << one.err;
    EXPECT_LT(sumOfStacks(one.out), sumOfStacks(all.out));
    EXPECT_GT(sumOfStacks(one.out), 0);
    expectFailure(call({"flame", "--thread", "no such", kCalledTrace}), kExitFailed, "no such");
}

TEST(FlameCommandTest, WhereNoStackWasSampledThatIsSaid)
{
    const Outcome outcome = call({"flame", "--samples", kCalledTrace});
    EXPECT_EQ(outcome.code, kExitOk);
    test::expectText(outcome.out);
    expectFailure(call({"flame", "--json", "-o", "x", kCalledTrace}), kExitUsage, "-o");
    expectFailure(call({"flame", "no_such_file.json"}), kExitFailed, "no_such_file.json");
}

}  // namespace
}  // namespace overlane
