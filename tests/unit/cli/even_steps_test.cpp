// The median of an even number of steps is one figure, whichever command says it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/units.h"
#include "core/content/html.h"
#include "core/io/format.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"
#include "tests/unit/compare/training_trace.h"

namespace overlane
{
namespace
{

using test::call;
using testing::HasSubstr;
using Json = nlohmann::json;

std::string written(const test::TempDir& folder, const char* name, std::vector<std::int64_t> copyNs)
{
    test::TrainingRun run;
    run.copyNs = std::move(copyNs);
    std::string path = folder.path(name);
    Progress progress;
    EXPECT_TRUE(writeTrace(test::trainingTrace(run), path, progress).ok());
    return path;
}

TEST(EvenSteps, HaveOneMedianInInfoReportAndComparison)
{
    const test::TempDir folder;
    // Steps last 530 us more than their copies; the middle two are those of 330,001 and 470,000 ns.
    constexpr std::int64_t kMedianNs = 930'001;  // 930,000.5, to the nearest
    const std::string a =
        written(folder, "a.overlane", {300'000, 500'000, 310'000, 490'000, 320'000, 480'000, 330'001, 470'000});
    const std::string b = written(folder, "b.overlane", {400'000, 402'000, 404'000, 406'000, 408'000, 410'000});

    const Json info = Json::parse(call({"info", "--json", a}).out).at("steps");
    EXPECT_EQ(info.at("count"), 8);
    EXPECT_EQ(info.at("median_ns"), kMedianNs);

    const Json times = Json::parse(call({"compare", "--json", a, b}).out).at("step_time_ns");
    EXPECT_EQ(times.at("a").at("count"), 8);
    EXPECT_EQ(times.at("a").at("median"), kMedianNs);
    EXPECT_EQ(times.at("b").at("median"), 935'000);

    ASSERT_EQ(call({"report", a, "-o", folder.path("a.html")}).code, kExitOk);
    EXPECT_THAT(test::readFile(folder.path("a.html")),
                HasSubstr(withWholeNumbers("Median " + formatDuration(kMedianNs))));
}

}  // namespace
}  // namespace overlane
