#include "tests/unit/sweep/advisor_pytorch_rows.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/sweep/advisor_error.h"

namespace overlane::test
{
namespace
{

using Json = nlohmann::json;

// As tests/gpu/loader_settings.py has it.
Scenario scenarioOf(const Json& setting)
{
    const auto number = [&setting](const char* key) { return setting.at(key).get<std::int64_t>(); };
    Scenario scenario;
    scenario.batchBytes = number("mib") << 20;
    scenario.samples = 64;
    scenario.tensors = number("tensors");
    scenario.workers = number("workers");
    scenario.prefetchFactor = number("prefetch");
    scenario.readUs = scenario.transformUs = 0;
    scenario.produceUs = setting.at("produce_ms").get<double>() * 1000;
    scenario.produceSpread = 0.1;
    scenario.pin = number("pin") != 0 ? PinStrategy::Thread : PinStrategy::None;
    scenario.nonBlocking = number("non_blocking") != 0;
    scenario.copyStream = number("side") != 0 ? CopyStream::Side : CopyStream::Compute;
    scenario.deviceBuffers = number("side") != 0 ? number("side") : 2;
    scenario.computeUs = std::round(setting.at("compute_ms").get<double>() * 10000) / 10;
    scenario.kernel = KernelKind::Gemm;
    scenario.resultBytes = 0;
    scenario.syncEveryStep = number("item") != 0;
    return scenario;
}

std::vector<PyTorchCase> readCases()
{
    std::ifstream file(OVERLANE_SOURCE_DIR "/tests/data/loader_settings_h200.json");
    const Json json = Json::parse(file);
    EXPECT_EQ(json.at("profile").get<std::string>(), kHeldProfile);
    std::vector<PyTorchCase> cases;
    for (const Json& each : json.at("cases")) {
        PyTorchCase& read = cases.emplace_back();
        read.name = each.at("name").get<std::string>();
        read.noise = each.at("noise").get<double>();
        for (const char* variant : {"now", "advised", "neighbour"})
            if (const Json& runs = each.at("measured").at(variant); !runs.empty())
                read.rows.push_back({scenarioOf(each.at("variants").at(variant)), runs.get<std::vector<double>>(),
                                     each.at("simulated").at(variant).at("ms").get<double>()});
    }
    return cases;
}

}  // namespace

double PyTorchRow::medianMs() const
{
    std::vector<double> runs = runsMs;
    std::sort(runs.begin(), runs.end());
    return runs[runs.size() / 2];
}

const PyTorchRow* PyTorchCase::measured(const Scenario& scenario) const
{
    const auto row = std::find_if(rows.begin(), rows.end(), [&scenario](const PyTorchRow& each) {
        Scenario same = each.scenario;  // how many batches there are on the device matters with a side stream alone
        if (same.copyStream == CopyStream::Compute)
            same.deviceBuffers = scenario.deviceBuffers;
        return same == scenario;
    });
    return row == rows.end() ? nullptr : &*row;
}

const std::vector<PyTorchCase>& pyTorchCases()
{
    static const std::vector<PyTorchCase> all = readCases();
    return all;
}

}  // namespace overlane::test
