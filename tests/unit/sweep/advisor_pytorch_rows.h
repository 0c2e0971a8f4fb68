// What PyTorch's DataLoaders took for settings that the advisor was asked about: tests/data/loader_settings_h200.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/loader/scenario.h"

namespace overlane::test
{

struct PyTorchRow {
    Scenario scenario;
    std::vector<double> runsMs;  // of a batch
    double simulatedMs = 0;      // with the profile that the file names

    double medianMs() const;
};

struct PyTorchCase {
    std::string name;
    double noise = 0;              // between runs of the same settings, as a share
    std::vector<PyTorchRow> rows;  // as it was first, then as it was advised and a neighbor, where measured

    // nullptr where these settings were not measured.
    const PyTorchRow* measured(const Scenario& scenario) const;
};

const std::vector<PyTorchCase>& pyTorchCases();

}  // namespace overlane::test
