// Any text as a scenario file: what is accepted must survive writing, and a short run of it.
#include <algorithm>
#include <cstdlib>

#include "core/loader/presets.h"
#include "core/loader/run.h"
#include "core/loader/settings.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    auto scenario = overlane::scenarioFromJson(std::string_view(reinterpret_cast<const char*>(data), size));
    if (!scenario.ok()) {
        if (scenario.error().empty())
            std::abort();
        return 0;
    }
    const std::string written = overlane::scenarioToJson(scenario.value());
    const auto again = overlane::scenarioFromJson(written);
    if (!again.ok() || overlane::scenarioToJson(again.value()) != written)
        std::abort();
    // Every combination of accepted settings must run, however odd; few batches keep it short.
    overlane::Scenario run = scenario.value();
    run.batches = std::min<std::int64_t>(run.batches, 3);
    run.workers = std::min<std::int64_t>(run.workers, 3);
    run.batchBytes = std::min<std::int64_t>(run.batchBytes, 8 << 20);
    const auto result = overlane::simulate(run, overlane::allDeviceProfiles().front());
    if (result.ok() ? result.value().wallNs < 0 : result.error().empty())
        std::abort();
    return 0;
}

std::vector<std::string> overlane::fuzz::seeds()
{
    std::vector<std::string> texts;
    for (const Preset& preset : allPresets())
        texts.push_back(scenarioToJson(preset.scenario));
    texts.push_back(
        R"json({"name": "a\u00e9", "batch_bytes": "48MiB", "workers": 0, "pin": "ring", "produce_us": 1e-3})json");
    return texts;
}
