// overlane convert --steps: a part of a trace, cut at its steps.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/analysis/steps.h"
#include "core/cli/cli.h"
#include "core/io/format.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;
using Json = nlohmann::json;

const std::string kRecorded = OVERLANE_SOURCE_DIR "/tests/data/traces/h200/w8_pin_nb_side_d16.pt.trace.json.gz";

int convert(const std::vector<std::string>& arguments, std::string& error)
{
    std::vector<std::string> all{"convert"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::ostringstream out, err;
    const int code = runCli(all, out, err);
    error = err.str();
    return code;
}

Trace readBack(const std::string& file)
{
    Progress progress;
    Result<Trace> trace = readTrace(file, progress);
    EXPECT_TRUE(trace.ok());
    return std::move(trace).value();
}

TEST(ConvertSteps, KeepsWhatHappensInThemAndNothingElse)
{
    const test::TempDir folder;
    const std::string file = folder.path("part.overlane");
    std::string error;
    ASSERT_EQ(convert({"--steps", "3-5", kRecorded, file}, error), kExitOk) << error;
    const Trace whole = readBack(kRecorded);
    const Trace part = readBack(file);
    const std::vector<Step> steps = findSteps(whole);
    ASSERT_GT(steps.size(), 6u);
    const Interval range{steps[3].interval.startNs, steps[5].interval.endNs};
    EXPECT_LE(part.span().endNs, range.lengthNs());
    std::size_t expected = 0;
    std::size_t found = 0;
    for (std::uint32_t index = 0; index < whole.eventCount(); ++index) {
        const Interval at = whole.interval(EventIndex(index));
        expected +=
            whole.kind(EventIndex(index)) == EventKind::Kernel && at.startNs < range.endNs && at.endNs > range.startNs;
    }
    for (std::uint32_t index = 0; index < part.eventCount(); ++index)
        found += part.kind(EventIndex(index)) == EventKind::Kernel;
    EXPECT_GT(expected, 0u);
    EXPECT_EQ(found, expected);
    EXPECT_EQ(part.metadata().properties.at("part"), "steps 3 to 5 of " + std::to_string(steps.size()));
}

TEST(ConvertSteps, OneStepMayBeNamedAlone)
{
    const test::TempDir folder;
    const std::string file = folder.path("part.overlane");
    std::string error;
    ASSERT_EQ(convert({"--steps", "4", kRecorded, file}, error), kExitOk) << error;
    test::expectText(readBack(file).metadata().properties.at("part"));
}

TEST(ConvertSteps, MistakesAreToldAndNothingIsWritten)
{
    const test::TempDir folder;
    const std::string file = folder.path("part.overlane");
    std::string error;
    for (const char* steps : {"5-3", "a-b", "-2", "3-", "3-5x", ""}) {
        EXPECT_EQ(convert({"--steps", steps, kRecorded, file}, error), kExitUsage) << steps;
        EXPECT_THAT(error, HasSubstr("--steps")) << steps;
    }
    EXPECT_EQ(convert({"--steps", "0-100000", kRecorded, file}, error), kExitFailed);
    test::expectText(error);
    const std::string none = folder.write(
        "none.json", R"({"traceEvents": [{"ph": "X", "name": "work", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]})");
    EXPECT_EQ(convert({"--steps", "0-1", none, file}, error), kExitFailed);
    test::expectText(error);
    EXPECT_FALSE(std::ifstream(file).good());
}

}  // namespace
}  // namespace overlane
