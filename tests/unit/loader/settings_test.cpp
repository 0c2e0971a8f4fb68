#include "core/loader/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "core/devices/device_profile.h"
#include "core/loader/presets.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;

TEST(SettingsTest, TheKeysAreStable)
{
    std::set<std::string_view> keys;
    for (const Setting& setting : allSettings())
        keys.insert(setting.key);
    EXPECT_EQ(
        keys,
        (std::set<std::string_view>{
            "batches",        "batch_bytes", "tensors",      "workers",       "prefetch_factor",   "produce_us",
            "produce_spread", "pin",         "allocator",    "non_blocking",  "copy_stream",       "streams",
            "device_buffers", "compute_us",  "kernel",       "result_bytes",  "read_result_early", "sync_every_step",
            "files",          "file_bytes",  "ram_bytes",    "swap_bytes",    "other_bytes",       "seed",
            "samples",        "read_us",     "transform_us", "compute_flops", "run_ahead",         "cores",
            "worker_node",    "main_node",   "gpu_node"}));
    EXPECT_EQ(findSetting("no such key"), nullptr);
}

TEST(SettingsTest, EverySettingGoesToItsLimitsAndBackThroughText)
{
    for (const Setting& setting : allSettings()) {
        for (const double value : {setting.minimum, setting.maximum}) {
            Scenario scenario;
            setting.set(scenario, value);
            EXPECT_EQ(setting.get(scenario), value) << setting.key;
            Scenario again;
            const auto assigned = assignSetting(again, setting.key, settingText(setting, scenario));
            EXPECT_TRUE(assigned.ok()) << assigned.error();
            EXPECT_EQ(again, scenario) << setting.key << " " << settingText(setting, scenario);
        }
    }
}

TEST(SettingsTest, BytesTakeUnits)
{
    Scenario scenario;
    for (const auto& [text, bytes] : std::vector<std::pair<std::string, std::int64_t>>{{"48MiB", 48ll << 20},
                                                                                       {"48e6", 48'000'000},
                                                                                       {"1.5 GiB", 3ll << 29},
                                                                                       {"2GB", 2'000'000'000},
                                                                                       {"16G", 16ll << 30},
                                                                                       {"4096B", 4096}}) {
        ASSERT_TRUE(assignSetting(scenario, "batch_bytes", text).ok()) << text;
        EXPECT_EQ(scenario.batchBytes, bytes) << text;
    }
    EXPECT_EQ(settingText(*findSetting("batch_bytes"), Scenario()), "48MiB");
}

TEST(SettingsTest, BadValuesSayWhatIsAllowedAndChangeNothing)
{
    const std::vector<std::array<std::string, 3>> bad = {
        {"worker", "4", "did you mean 'workers'"},
        {"workers", "-1", "between 0 and 128"},
        {"workers", "2.5", "whole number"},
        {"workers", "four", "write a number"},
        {"workers", "", "write a number"},
        {"workers", "4x", "write a number"},
        {"workers", "1e999", "write a number"},
        {"batch_bytes", "nan", "write a number"},
        {"batch_bytes", "1PiB", "write a number"},
        {"batch_bytes", "17GiB", "16GiB"},
        {"produce_spread", "1.01", "between 0 and 1"},
        {"pin", "yes", "none, thread, consumer, ring, register"},
        {"non_blocking", "maybe", "true or false"},
    };
    for (const auto& [key, text, message] : bad) {
        Scenario scenario;
        const auto assigned = assignSetting(scenario, key, text);
        ASSERT_FALSE(assigned.ok()) << key << "=" << text;
        EXPECT_THAT(assigned.error(), HasSubstr(message));
        EXPECT_EQ(scenario, Scenario());
    }
}

TEST(SettingsTest, JsonRoundTripAndSubsets)
{
    for (const Preset& preset : allPresets()) {
        const auto read = scenarioFromJson(scenarioToJson(preset.scenario));
        ASSERT_TRUE(read.ok()) << read.error();
        EXPECT_EQ(read.value(), preset.scenario);
    }
    const auto subset =
        scenarioFromJson(R"({"workers": 7, "pin": "ring", "non_blocking": true, "batch_bytes": "1MiB"})");
    ASSERT_TRUE(subset.ok()) << subset.error();
    Scenario expected;
    expected.workers = 7;
    expected.pin = PinStrategy::Ring;
    expected.nonBlocking = true;
    expected.batchBytes = 1 << 20;
    EXPECT_EQ(subset.value(), expected);
}

TEST(SettingsTest, ScenarioFilesFromBeforeASettingStillRead)
{
    const auto read = scenarioFromJson(R"({"name": "old", "batches": 64, "batch_bytes": 50331648, "tensors": 2,
        "seed": 1, "workers": 4, "prefetch_factor": 2, "produce_us": 8000, "produce_spread": 0.1, "pin": "none",
        "allocator": "pool", "non_blocking": false, "copy_stream": "compute", "streams": 1, "device_buffers": 2,
        "compute_us": 6000, "kernel": "gemm", "result_bytes": 0, "read_result_early": false,
        "sync_every_step": false, "ram_bytes": 0, "swap_bytes": -1})");
    ASSERT_TRUE(read.ok()) << read.error();
    Scenario expected;
    expected.name = "old";
    expected.produceUs = 8000;
    expected.computeUs = 6000;
    EXPECT_EQ(read.value(), expected);
}

TEST(SettingsTest, WorkInFlopsNeedsAMatrixProduct)
{
    Scenario scenario;
    scenario.computeFlops = 1e12;
    EXPECT_TRUE(checkScenario(scenario).ok());
    for (const KernelKind kernel : {KernelKind::Memory, KernelKind::Spin}) {
        scenario.kernel = kernel;
        const auto checked = checkScenario(scenario);
        ASSERT_FALSE(checked.ok());
        EXPECT_THAT(checked.error(), HasSubstr("compute_us"));
    }
}

TEST(SettingsTest, NumaNodesAreThoseOfTheMachine)
{
    const DeviceProfile& one = *findDeviceProfile("h200");
    const DeviceProfile& two = *findDeviceProfile("a100_pcie4");
    for (const char* key : {"worker_node", "main_node", "gpu_node"}) {
        Scenario scenario;
        ASSERT_TRUE(assignSetting(scenario, key, "1").ok());
        EXPECT_TRUE(checkScenario(scenario).ok());
        EXPECT_TRUE(checkScenario(scenario, two).ok());
        const auto refused = checkScenario(scenario, one);
        ASSERT_FALSE(refused.ok());
        test::expectText(refused.error());
        ASSERT_TRUE(assignSetting(scenario, key, "2").ok());
        const auto beyond = checkScenario(scenario, two);
        ASSERT_FALSE(beyond.ok());
        test::expectText(beyond.error());
    }
}

TEST(SettingsTest, BadJsonIsRefused)
{
    for (const char* text : {"", "{", "[]", "3", R"({"workers": null})", R"({"workers": [1]})", R"({"workers": -3})",
                             R"({"name": 3})", R"({"colour": 1})", R"({"tensors": 256, "batches": 100000})"})
        EXPECT_FALSE(scenarioFromJson(text).ok()) << text;
}

TEST(SettingsTest, ScenariosSetByHandAreCheckedToo)
{
    Scenario scenario;
    EXPECT_TRUE(checkScenario(scenario).ok());
    scenario.deviceBuffers = 0;
    EXPECT_FALSE(checkScenario(scenario).ok());
    scenario = {};
    scenario.computeUs = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(checkScenario(scenario).ok());
}

TEST(PresetsTest, EachIsValidNamedAndForAKnownDevice)
{
    EXPECT_EQ(allPresets().front().scenario, Scenario());
    std::set<std::string_view> keys;
    for (const Preset& preset : allPresets()) {
        EXPECT_TRUE(checkScenario(preset.scenario).ok()) << preset.key;
        const DeviceProfile* device = findDeviceProfile(preset.device);
        ASSERT_NE(device, nullptr) << preset.key;
        EXPECT_TRUE(checkScenario(preset.scenario, *device).ok()) << preset.key;
        EXPECT_EQ(preset.scenario.name, preset.name);
        EXPECT_FALSE(preset.hint.empty());
        EXPECT_TRUE(keys.insert(preset.key).second);
    }
}

}  // namespace
}  // namespace overlane
