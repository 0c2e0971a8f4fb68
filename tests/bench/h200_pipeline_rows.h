// The measured pipelines of an H200, each beside a simulation of the same scenario.
//
// A row: 64 batches of 16 MiB copied host to device, then a spin kernel of `ratio` times the pinned
// copy time (55 GB/s), over `streams` streams with at most `depth` batches in flight. Times in us.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/loader/run.h"

namespace overlane
{

struct PipelineRow {
    std::string memory;
    double ratio = 0;
    std::int64_t streams = 1;
    std::int64_t depth = 1;
    double measuredUs = 0;
    double simulatedUs = 0;

    double signedError() const { return simulatedUs / measuredUs - 1; }
};

inline Scenario pipelineScenario(const PipelineRow& row, std::int64_t batchBytes)
{
    Scenario scenario;
    scenario.batches = 64;
    scenario.batchBytes = batchBytes;
    scenario.tensors = 1;
    scenario.workers = 0;
    scenario.produceUs = 0;
    scenario.pin = row.memory == "pinned" ? PinStrategy::Ring : PinStrategy::None;
    scenario.nonBlocking = true;
    scenario.copyStream = CopyStream::Compute;
    scenario.streams = row.streams;
    scenario.deviceBuffers = row.depth;
    scenario.computeUs = row.ratio * static_cast<double>(batchBytes) / 55e3;
    scenario.kernel = KernelKind::Spin;
    return scenario;
}

inline std::vector<PipelineRow> comparePipeline(const std::string& file)
{
    std::vector<PipelineRow> rows;
    const DeviceProfile* device = findDeviceProfile("h200");
    std::ifstream input(file);
    for (std::string line; device && std::getline(input, line);) {
        const auto json = nlohmann::json::parse(line);
        PipelineRow row;
        row.memory = json.at("mem");
        row.ratio = json.at("ratio");
        row.streams = json.at("streams");
        row.depth = json.at("depth");
        row.measuredUs = json.at("wall_us");
        const auto run = simulate(pipelineScenario(row, json.at("pipe")), *device);
        row.simulatedUs = run.ok() ? static_cast<double>(run.value().wallNs) / 1000 : 0;
        rows.push_back(row);
    }
    return rows;
}

struct PipelineError {
    double median = 0;
    double worstDecile = 0;  // nine of ten rows are closer
    std::size_t rows = 0;
};

inline PipelineError pipelineError(const std::vector<PipelineRow>& rows, const std::string& memory)
{
    std::vector<double> errors;
    for (const PipelineRow& row : rows)
        if (row.memory == memory)
            errors.push_back(std::abs(row.signedError()));
    std::sort(errors.begin(), errors.end());
    if (errors.empty())
        return {};
    return {errors[errors.size() / 2], errors[errors.size() * 9 / 10], errors.size()};
}

}  // namespace overlane
