// The command line, called as a function: reports, exit codes and the sentence for each mistake.
#include "core/cli/cli.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/cli/command.h"
#include "core/devices/device_profile.h"
#include "core/loader/presets.h"
#include "core/loader/settings.h"
#include "tests/support/expect_text.h"
#include "tests/support/golden.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using test::call;
using test::expectFailure;
using test::expectNarrow;
using test::Outcome;
using test::TempDir;
using testing::AnyOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Json = nlohmann::json;

const std::string kSmall = OVERLANE_SOURCE_DIR "/tests/data/cli/small.json";

TEST(CliTest, HelpTeachesAndVersionAnswers)
{
    EXPECT_EQ(call({"--help"}).code, kExitOk);
    EXPECT_THAT(call({"--help"}).out, HasSubstr("pageable"));
    EXPECT_THAT(call({"--version"}).out, StartsWith("overlane "));
    const std::string help = call({"run", "--help"}).out;
    for (const char* word : {"simulated", "prefetch_factor", "pinned_side_stream", "h200", "MiB"})
        EXPECT_THAT(help, HasSubstr(word));
    EXPECT_THAT(call({"info", "--help"}).out, HasSubstr("kineto"));
    EXPECT_THAT(call({"convert", "--help"}).out, HasSubstr(".overlane"));
}

TEST(CliTest, EveryHelpStandsAloneAndFitsATerminal)
{
    test::expectText(call({"--help"}).out);
    for (const char* command : {"run", "info", "convert"}) {
        const std::string help = call({command, "--help"}).out;
        EXPECT_THAT(help, HasSubstr("Examples:\n  overlane " + std::string(command)));
        test::expectText(help);
        EXPECT_THAT(help, Not(HasSubstr("Words:"))) << "the program's own help is not repeated";
        expectNarrow(help);
    }
    expectNarrow(call({"--help"}).out);
}

TEST(CliTest, RunHelpGivesEverySettingWithItsDefaultAndLimits)
{
    const std::string help = call({"run", "--help"}).out;
    for (const Setting& setting : allSettings())
        EXPECT_THAT(help, HasSubstr("\n    " + std::string(setting.key) + "="));
    EXPECT_THAT(help, HasSubstr("pin=none"));
    test::expectText(help);
    EXPECT_THAT(help, ContainsRegex("batch_bytes=48MiB +[0-9].*B to [0-9]+GiB"));
}

TEST(CliTest, RunListsPresetsAndDevices)
{
    const std::string text = call({"run", "--list"}).out;
    const Json json = Json::parse(call({"run", "--list", "--json"}).out);
    for (const Preset& preset : allPresets())
        EXPECT_THAT(text, HasSubstr("  " + std::string(preset.key) + " (on "));
    for (const DeviceProfile& device : allDeviceProfiles())
        EXPECT_THAT(text, HasSubstr(device.name));
    EXPECT_EQ(json.at("presets").size(), allPresets().size());
    EXPECT_EQ(json.at("devices").size(), allDeviceProfiles().size());
    EXPECT_EQ(json.at("settings").size(), allSettings().size());
    expectNarrow(text);
}

TEST(CliTest, ADeviceShowsItsFiguresWithTheirSources)
{
    for (const DeviceProfile& device : allDeviceProfiles()) {
        const std::string text = call({"run", "--list", "--device", device.key}).out;
        const Json json = Json::parse(call({"run", "--list", "--json", "--device", device.key}).out);
        EXPECT_EQ(json.at("figures").at("ram_bytes").at("value"), device.ramBytes);
        EXPECT_EQ(json.at("figures").size() + json.at("tables").size(), device.sources.size());
        for (const auto& [figure, source] : device.sources)
            EXPECT_THAT(text, HasSubstr("  " + figure));
        EXPECT_THAT(text, HasSubstr("estimate: "));
        expectNarrow(text);
    }
    expectFailure(call({"run", "--list", "--device", "h20"}), kExitUsage, "did you mean 'h200'?");
}

TEST(CliTest, NoCommandTellsWhatToDo)
{
    const Outcome outcome = call({});
    EXPECT_EQ(outcome.code, kExitUsage);
    for (const char* part : {"overlane run", "overlane info FILE", "overlane convert", "--help"})
        EXPECT_THAT(outcome.out, HasSubstr(part));
    // Each with its name set off from what it does, and none of those that no person calls.
    for (const Command* command : allCommands()) {
        const std::string start(command->description.substr(0, 12));
        EXPECT_THAT(outcome.out, start.empty() ? testing::Matcher<std::string>(Not(HasSubstr(command->name)))
                                               : ContainsRegex(fmt::format("overlane {}  +{}", command->name, start)));
    }
    expectNarrow(outcome.out);
}

// A stream that takes some bytes and then no more, as a disk that fills up.
class FullAfter : public std::streambuf
{
public:
    explicit FullAfter(int bytes) : m_left(bytes) {}

protected:
    int_type overflow(int_type byte) override { return m_left-- > 0 ? byte : traits_type::eof(); }

private:
    int m_left;
};

TEST(CliTest, WhateverCannotBeWrittenIsSaidAndFails)
{
    std::vector<std::vector<std::string>> calls = {{"--help"}, {"--version"}, {"run", "--list"}, {"info", kSmall}};
    for (const Command* command : allCommands())
        calls.push_back({std::string(command->name), "--help"});
    for (const auto& arguments : calls) {
        FullAfter buffer(10);
        std::ostream out(&buffer);
        std::ostringstream err;
        EXPECT_EQ(runCli(arguments, out, err), kExitFailed) << arguments.front();
        test::expectText(err.str());
    }
    // What was wrong already stays so.
    FullAfter buffer(10);
    std::ostream out(&buffer);
    std::ostringstream err;
    EXPECT_EQ(runCli({}, out, err), kExitUsage);
    test::expectText(err.str());
}

TEST(CliTest, UnknownCommandsAndOptionsGetTheNearest)
{
    expectFailure(call({"inof", "x.json"}), kExitUsage, "did you mean 'info'? The commands are: ");
    EXPECT_THAT(call({"inof"}).err, Not(HasSubstr("gpu-run")));
    EXPECT_THAT(call({"gpu-rum"}).err, Not(HasSubstr("gpu-run")));
    expectFailure(call({kSmall}), kExitUsage, "overlane info '" + kSmall + "'");
    expectFailure(call({"run", "--preset=pageable_blocking", "--sett", "a=1"}), kExitUsage, "did you mean '--set'?");
    expectFailure(call({"info", kSmall, "--jsn"}), kExitUsage, "did you mean '--json'?");
    expectFailure(call({"info", kSmall, kSmall}), kExitUsage, "overlane info --help");
    expectFailure(call({"info"}), kExitUsage, "FILE is required; `overlane info --help`");
}

TEST(CliTest, WrongUsageIsCodeTwo)
{
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"bogus"}, {"info"}, {"convert", "only_one"}, {"run", "--bogus"}, {"run", "--set"}})
        EXPECT_EQ(call(arguments).code, kExitUsage);
}

TEST(CliTest, RunPrintsEveryKeyAsItsKindOfNumber)
{
    const Outcome outcome = call({"run", "--json", "--set", "batches=4"});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    const Json json = Json::parse(outcome.out);
    for (const char* key : {"wall_ns", "batches", "h2d_busy_ns", "d2h_busy_ns", "kernel_busy_ns", "h2d_hidden_ns",
                            "exposed_copy_ns", "ideal_ns", "host_blocked_ns", "pinned_peak_bytes", "swap_peak_bytes"})
        EXPECT_TRUE(json.at(key).is_number_integer()) << key;
    EXPECT_TRUE(json.at("overlap_share").is_number_float());
    EXPECT_TRUE(json.at("distance").is_number_float());
    EXPECT_EQ(json["batches"], 4);
    EXPECT_GT(json["wall_ns"], 0);
    EXPECT_EQ(json["exposed_copy_ns"],
              json["h2d_busy_ns"].get<std::int64_t>() - json["h2d_hidden_ns"].get<std::int64_t>());
}

TEST(CliTest, SettingsChangeTheRunInTheOrderGiven)
{
    const Outcome outcome =
        call({"run", "--json", "--preset", "pinned_side_stream", "--set", "batches=9", "--set", "batches=3"});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(json["batches"], 3);
    EXPECT_GT(json["pinned_peak_bytes"], 0);
}

TEST(CliTest, RunIsDeterministicAndReadsAsBefore)
{
    const std::vector<std::string> arguments{"run", "--set", "batches=4"};
    const Outcome outcome = call(arguments);
    EXPECT_EQ(outcome.out, call(arguments).out);
    test::expectText(outcome.out);
}

TEST(CliTest, TheVerdictComesBeforeTheFigures)
{
    for (const Preset& preset : allPresets()) {
        const std::string text = call({"run", "--preset", std::string(preset.key), "--set", "batches=6"}).out;
        const Json json =
            Json::parse(call({"run", "--preset", std::string(preset.key), "--set", "batches=6", "--json"}).out);
        const std::string sentence = json.at("verdict").at("sentence");
        const std::size_t at = text.find("\n" + sentence.substr(0, 12));
        EXPECT_LT(at, text.find("\n\n")) << text;
        expectNarrow(text);
    }
}

TEST(CliTest, UnknownNamesGetTheNearestAndTheList)
{
    expectFailure(call({"run", "--device", "h20"}), kExitUsage, "did you mean 'h200'? The devices are: h200");
    expectFailure(call({"run", "--preset", "pinned_side_strem"}), kExitUsage, "did you mean 'pinned_side_stream'?");
    expectFailure(call({"run", "--set", "worker=3"}), kExitUsage, "'workers'");
}

TEST(CliTest, SettingsOutOfRangeSayWhatIsAllowed)
{
    expectFailure(call({"run", "--set", "batches=0"}), kExitUsage, "batches");
    expectFailure(call({"run", "--set", "workers=-1"}), kExitUsage, "workers");
    expectFailure(call({"run", "--set", "produce_us=nan"}), kExitUsage, "produce_us");
    expectFailure(call({"run", "--set", "batch_bytes=99999999999999999999"}), kExitUsage, "batch_bytes");
    expectFailure(call({"run", "--set", "pin=maybe"}), kExitUsage, "pin");
    expectFailure(call({"run", "--set", "workers"}), kExitUsage, "--set key=value");
}

TEST(CliTest, InfoMatchesItsGoldenTexts)
{
    test::expectGolden("cli/info_small.json", call({"info", "--json", kSmall}).out);
    test::expectGolden("cli/info_small.txt", call({"info", kSmall}).out);
}

TEST(CliTest, ConvertKeepsWhatInfoSays)
{
    const TempDir dir;
    const std::string converted = dir.path("small.overlane");
    const Outcome outcome = call({"convert", "--json", kSmall, converted});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out).at("out"), converted);
    const Json before = Json::parse(call({"info", "--json", kSmall}).out);
    const Json after = Json::parse(call({"info", "--json", converted}).out);
    for (const char* key : {"events", "source_events", "skipped", "span_ns", "devices"})
        EXPECT_EQ(after.at(key), before.at(key)) << key;
}

TEST(CliTest, ASavedRunOpensWithTheSameNumbers)
{
    const TempDir dir;
    const std::string file = dir.path("run.overlane");
    const Outcome run = call({"run", "--json", "--set", "batches=5", "-o", file});
    ASSERT_EQ(run.code, kExitOk) << run.err;
    const Json device = Json::parse(call({"info", "--json", file}).out).at("devices").at(0);
    const Json json = Json::parse(run.out);
    for (const char* key : {"h2d_busy_ns", "d2h_busy_ns", "kernel_busy_ns", "h2d_hidden_ns"})
        EXPECT_EQ(device.at(key), json.at(key)) << key;
    EXPECT_EQ(device.at("h2d"), 10);
}

TEST(CliTest, ACutFileKeepsWhatCanBeKeptOrSaysWhy)
{
    const TempDir dir;
    const std::string whole = test::readFile(kSmall);
    for (std::size_t size = 1; size < whole.size(); size += 97) {
        const Outcome outcome =
            call({"info", "--json", dir.write("cut.json", std::string_view(whole).substr(0, size))});
        EXPECT_THAT(outcome.code, AnyOf(kExitDamaged, kExitFailed)) << size;
        EXPECT_THAT(outcome.err, HasSubstr("cut.json")) << size;
        if (outcome.code == kExitDamaged) {
            EXPECT_FALSE(Json::parse(outcome.out).at("skipped").empty()) << size;
        }
    }
}

TEST(CliTest, ACutFileIsNamedAsCutBesideTheEventThatBrokeOff)
{
    const TempDir dir;
    const std::string whole = test::readFile(kSmall);
    const std::string cut = dir.write("cut.json", std::string_view(whole).substr(0, whole.find("cudaMemcpyAsync")));
    const Outcome outcome = call({"info", cut});
    EXPECT_EQ(outcome.code, kExitDamaged);
    test::expectText(outcome.err);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    test::expectText(outcome.out);
}

TEST(CliTest, AnUnwritablePlaceFailsAndLeavesTheOldFile)
{
    const TempDir dir;
    expectFailure(call({"convert", kSmall, dir.path("no_such_folder/x.overlane")}), kExitFailed, "no_such_folder");
    const std::string old = dir.write("old.unknown", "old");
    EXPECT_EQ(call({"convert", kSmall, old}).code, kExitUsage);
    EXPECT_EQ(test::readFile(old), "old");
}

}  // namespace
}  // namespace overlane
