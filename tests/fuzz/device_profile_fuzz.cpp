// Any text as a device profile: what is accepted must be able to carry a short run.
#include <cstdlib>

#include "core/loader/run.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto profile = overlane::parseDeviceProfile(std::string_view(reinterpret_cast<const char*>(data), size));
    if (!profile.ok()) {
        if (profile.error().empty())
            std::abort();
        return 0;
    }
    overlane::Scenario scenario;
    scenario.batches = 2;
    scenario.workers = 1;
    scenario.tensors = 1;
    scenario.batchBytes = 4096;
    for (const overlane::PinStrategy pin : {overlane::PinStrategy::None, overlane::PinStrategy::Register}) {
        scenario.pin = pin;
        const auto result = overlane::simulate(scenario, profile.value());
        if (result.ok() ? result.value().wallNs < 0 : result.error().empty())
            std::abort();
    }
    return 0;
}

std::vector<std::string> overlane::fuzz::seeds()
{
    const std::string folder = std::string(OVERLANE_SOURCE_DIR) + "/resources/devices/";
    return {fileBytes(folder + "h200.json"), fileBytes(folder + "rtx3060_laptop.json")};
}
