// info, check and whatif say one step time of a trace; whatif, which replays fewer steps, says which and why.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>

#include "core/base/units.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using test::call;
using test::Outcome;
using testing::HasSubstr;
using Json = nlohmann::json;

std::vector<std::string> recordedTraces()
{
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(OVERLANE_SOURCE_DIR "/tests/data/traces"))
        if (entry.is_regular_file() && (entry.path().extension() == ".gz" || entry.path().extension() == ".sqlite"))
            files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

// In one line, however it is wrapped.
std::string joined(const std::string& text)
{
    return std::regex_replace(text, std::regex("\n *"), " ");
}

TEST(StepTime, IsOneNumberInAllCommands)
{
    int withSteps = 0;
    int replayed = 0;
    for (const std::string& file : recordedTraces()) {
        SCOPED_TRACE(file);
        const Json info = Json::parse(call({"info", "--json", file}).out);
        const auto stepNs = info.at("step_ns").get<std::int64_t>();
        const Json check =
            Json::parse(call({"check", "--json", "--fail-on", "step-time:1us", file}).out).at("files")[0];
        EXPECT_EQ(check.at("step_ns"), stepNs);
        if (stepNs == 0)
            continue;
        ++withSteps;
        EXPECT_EQ(check.at("results")[0].at("cost_ns"), stepNs);
        EXPECT_EQ(info.at("steps").at("mean_ns"), stepNs);
        if (info.at("verdict").at("per_step")) {
            EXPECT_EQ(info.at("verdict").at("now_ns"), stepNs);
        }

        const Outcome whatif = call({"whatif", "--json", file});
        if (whatif.code != kExitOk)
            continue;  // nothing to replay
        ++replayed;
        const Json replay = Json::parse(whatif.out).at("replay");
        EXPECT_EQ(replay.at("step_ns_average"), stepNs);
        const auto ofReplay = replay.at("step_ns_measured").get<std::int64_t>();
        const std::string text = joined(call({"whatif", file}).out);
        EXPECT_THAT(text, testing::StartsWith(fmt::format("The average step takes {}", formatDuration(stepNs))));
        if (formatDuration(ofReplay) != formatDuration(stepNs)) {
            EXPECT_THAT(text, HasSubstr(fmt::format(", which take {}: ", formatDuration(ofReplay))));
        }
    }
    EXPECT_GE(withSteps, 12);
    EXPECT_GE(replayed, 10);
}

TEST(StepTime, OfChosenStepsIsOneNumberToo)
{
    const std::string file = OVERLANE_SOURCE_DIR "/tests/data/traces/h200/w8_pin_nb_side_d16.pt.trace.json.gz";
    const Json check = Json::parse(call({"check", "--json", "--fail-on", "step-time:1us", "--steps", "2-5", file}).out);
    const auto stepNs = check.at("files")[0].at("step_ns").get<std::int64_t>();
    EXPECT_GT(stepNs, 0);
    const Json replay = Json::parse(call({"whatif", "--json", "--steps", "2-5", file}).out).at("replay");
    EXPECT_EQ(replay.at("step_ns_average"), stepNs);
    EXPECT_THAT(replay.at("left_out"), testing::IsEmpty());
}

TEST(StepTime, OfARunAndItsVerdictAreThoseOfItsSavedTrace)
{
    const test::TempDir dir;
    const std::string file = dir.path("run.overlane");
    const Json run = Json::parse(call({"run", "--json", "-o", file}).out);
    const Json info = Json::parse(call({"info", "--json", file}).out);
    EXPECT_EQ(run.at("verdict"), info.at("verdict"));
    EXPECT_EQ(run.at("h2d_busy_ns"), info.at("devices")[0].at("h2d_busy_ns")) << "of the whole run in both";
    EXPECT_THAT(joined(call({"run"}).out), HasSubstr(info.at("verdict").at("sentence").get<std::string>()));
}

}  // namespace
}  // namespace overlane
