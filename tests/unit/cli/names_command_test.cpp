// names, called as a function: the tables, the same rows as JSON and as comma-separated values, and the mistakes.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

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
using Json = nlohmann::json;

const std::string kNamedTrace = OVERLANE_SOURCE_DIR "/tests/data/traces/h200/w8_page_nb_side_d16.pt.trace.json.gz";

TEST(NamesCommandTest, PrintsATableForEachGroup)
{
    const Outcome outcome = call({"names", "--top", "3", kNamedTrace});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    expectNarrow(outcome.out);
    test::expectText(outcome.out);
}

TEST(NamesCommandTest, JsonHasEveryRowInNanoseconds)
{
    const Outcome outcome = call({"names", "--json", kNamedTrace});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    const Json json = Json::parse(outcome.out);
    ASSERT_EQ(json["copies"].size(), 3U) << "two sizes, and fills";
    const Json& copy = json["copies"][0];
    EXPECT_EQ(copy["count"], 8);
    EXPECT_GT(copy["exposed_ns"].get<std::int64_t>(), 0);
    EXPECT_LE(copy["exposed_ns"].get<std::int64_t>(), copy["total_ns"].get<std::int64_t>());
    EXPECT_EQ(copy["bytes"], 8 * (std::int64_t{48} << 20));
    EXPECT_GT(json["kernels"].size(), 15U) << "more than the text shows";
    double share = 0;
    for (const Json& row : json["host-work"])
        share += row["share"].get<double>();
    EXPECT_NEAR(share, 1, 1e-6);
    EXPECT_TRUE(json["functions"].empty());
}

TEST(NamesCommandTest, CommaSeparatedValuesAreOfOneGroup)
{
    const Outcome outcome = call({"names", "--of", "kernels", "--csv", kNamedTrace});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    std::istringstream lines(outcome.out);
    std::string head;
    std::getline(lines, head);
    EXPECT_EQ(head, "name,share,count,total_ns,mean_ns,median_ns,p95_ns,longest_ns");
    int rows = 0;
    for (std::string line; std::getline(lines, line); ++rows)
        EXPECT_GE(std::count(line.begin(), line.end(), ','), 7) << line;
    EXPECT_GT(rows, 15);
    expectFailure(call({"names", "--csv", kNamedTrace}), kExitUsage, "--of");
    expectFailure(call({"names", "--of", "nothing", kNamedTrace}), kExitUsage, "nothing");
    expectFailure(call({"names", "no_such_file.json"}), kExitFailed, "no_such_file.json");
}

TEST(NamesCommandTest, WhereNothingIsOfAKindThatIsSaid)
{
    const Outcome outcome = call({"names", "--of", "functions", kNamedTrace});
    EXPECT_EQ(outcome.code, kExitOk);
    test::expectText(outcome.out);
}

}  // namespace
}  // namespace overlane
