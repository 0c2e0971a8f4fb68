// The error that the advisor counts with, held to the rows that it comes from.
#include "core/sweep/advisor_error.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include "core/calibration/fidelity.h"
#include "core/simulation/spread.h"
#include "tests/unit/sweep/advisor_pytorch_rows.h"

namespace overlane
{
namespace
{

// What one run took over what was simulated; `weight` is that of its setting, shared by the setting's runs.
struct MeasuredRatio {
    double ratio = 0;
    double weight = 0;
};
using MeasuredSetting = std::vector<MeasuredRatio>;

constexpr double kTenth = (1 - kRunsWithin) / 2;

std::vector<FidelityCase> rowsOf(int seed)
{
    std::ostringstream text;
    text << std::ifstream(OVERLANE_SOURCE_DIR "/tests/data/fidelity_h200_seed" + std::to_string(seed) + ".jsonl")
                .rdbuf();
    const auto rows = readFidelityRows(text.str());
    EXPECT_TRUE(rows.ok()) << rows.error();
    const auto compared = compareFidelity(rows.value(), *findDeviceProfile(kHeldProfile));
    EXPECT_TRUE(compared.ok()) << compared.error();
    return compared.value();
}

double percentile(const std::vector<MeasuredSetting>& settings, double share)
{
    MeasuredSetting runs;
    for (const MeasuredSetting& setting : settings)
        runs.insert(runs.end(), setting.begin(), setting.end());
    std::sort(runs.begin(), runs.end(),
              [](const MeasuredRatio& a, const MeasuredRatio& b) { return a.ratio < b.ratio; });
    double left = share * static_cast<double>(settings.size());
    for (const MeasuredRatio& run : runs)
        if ((left -= run.weight) <= 1e-9)
            return run.ratio;
    return runs.back().ratio;
}

std::vector<MeasuredSetting> drawn(const std::vector<MeasuredSetting>& settings, std::uint64_t& random)
{
    std::vector<MeasuredSetting> sample;
    for (std::size_t at = 0; at < settings.size(); ++at)
        sample.push_back(settings[splitMix(random) % settings.size()]);
    return sample;
}

const std::vector<FidelityCase>& heldOut()
{
    static const std::vector<FidelityCase> all = [] {
        std::vector<FidelityCase> cases;
        for (const int seed : {2, 3, 4})
            for (FidelityCase& each : rowsOf(seed))
                cases.push_back(std::move(each));
        return cases;
    }();
    return all;
}

std::vector<MeasuredSetting> settings(BatchMemory memory)
{
    std::vector<MeasuredSetting> found;
    for (const FidelityCase& each : heldOut()) {
        if (batchMemory(each.row.scenario) != memory)
            continue;
        MeasuredSetting& setting = found.emplace_back();
        for (const std::int64_t wallNs : each.row.wallsNs)
            setting.push_back({static_cast<double>(wallNs) / static_cast<double>(each.simulated.wallNs),
                               1 / static_cast<double>(each.row.wallsNs.size())});
    }
    return found;
}

std::vector<MeasuredSetting> pyTorchSettings(BatchMemory memory)
{
    std::vector<MeasuredSetting> found;
    for (const test::PyTorchCase& each : test::pyTorchCases())
        for (const test::PyTorchRow& row : each.rows) {
            if (batchMemory(row.scenario) != memory)
                continue;
            MeasuredSetting& setting = found.emplace_back();
            for (const double runMs : row.runsMs)
                setting.push_back({runMs / row.simulatedMs, 1 / static_cast<double>(row.runsMs.size())});
        }
    return found;
}

void expectErrorOf(const std::vector<MeasuredSetting>& measured, const ErrorRange& error, std::string_view words)
{
    EXPECT_EQ(static_cast<int>(measured.size()), error.settings) << words;
    EXPECT_NEAR(percentile(measured, kTenth), error.least, 0.01) << words;
    EXPECT_NEAR(percentile(measured, 1 - kTenth), error.most, 0.01) << words;
}

// The mean of the ninetieth percentile of `some` over that of `others`, settings drawn again, and its standard error.
std::pair<double, double> mostRatio(const std::vector<MeasuredSetting>& some,
                                    const std::vector<MeasuredSetting>& others)
{
    std::uint64_t random = 7;
    double sum = 0, squares = 0;
    constexpr int kResamples = 400;
    for (int resample = 0; resample < kResamples; ++resample) {
        const double ratio =
            percentile(drawn(some, random), 1 - kTenth) / percentile(drawn(others, random), 1 - kTenth);
        sum += ratio;
        squares += ratio * ratio;
    }
    const double mean = sum / kResamples;
    return {mean, std::sqrt(squares / kResamples - mean * mean)};
}

TEST(SimulationErrorTest, OwnOneIsThatOfTheRowsHeldOut)
{
    std::size_t count = 0, runs = 0;
    for (const SimulationError& error : kSimulationErrors) {
        const std::vector<MeasuredSetting> measured = settings(error.memory);
        count += measured.size();
        for (const MeasuredSetting& setting : measured)
            runs += setting.size();
        expectErrorOf(measured, error.own, error.words);
        double within = 0;
        for (const MeasuredSetting& setting : measured)
            for (const MeasuredRatio& run : setting)
                within += run.ratio >= error.own.least && run.ratio <= error.own.most ? run.weight : 0;
        EXPECT_NEAR(within / static_cast<double>(measured.size()), kRunsWithin, 0.02) << error.words;
    }
    EXPECT_EQ(count, 230u);
    EXPECT_EQ(runs, 1162u);
}

TEST(SimulationErrorTest, PyTorchsIsThatOfItsDataLoaders)
{
    std::size_t count = 0, runs = 0;
    for (const SimulationError& error : kSimulationErrors) {
        const std::vector<MeasuredSetting> measured = pyTorchSettings(error.memory);
        expectErrorOf(measured, error.pytorch, error.words);
        count += measured.size();
        for (const MeasuredSetting& setting : measured)
            runs += setting.size();
    }
    EXPECT_EQ(count, 41u);
    EXPECT_EQ(runs, 123u);
}

TEST(SimulationErrorTest, HoldsForBothLoaders)
{
    for (const SimulationError& error : kSimulationErrors) {
        EXPECT_EQ(error.least, std::min(error.own.least, error.pytorch.least)) << error.words;
        EXPECT_EQ(error.most, std::max(error.own.most, error.pytorch.most)) << error.words;
    }
    EXPECT_EQ(kSimulationErrors[static_cast<std::size_t>(BatchMemory::PinThread)].least, 0.93);
    EXPECT_EQ(kSimulationErrors[static_cast<std::size_t>(BatchMemory::PinThread)].most, 1.86);
}

TEST(SimulationErrorTest, HowUnsureItIsItselfIsThatOfItsSettings)
{
    const auto own = mostRatio(settings(BatchMemory::Pageable), settings(BatchMemory::PinThread));
    EXPECT_NEAR(own.first, 1.03, 0.02);
    EXPECT_NEAR(own.second, kOwnMostError, 0.01);
    const auto pytorch = mostRatio(pyTorchSettings(BatchMemory::PinThread), pyTorchSettings(BatchMemory::Pageable));
    EXPECT_NEAR(pytorch.first, 1.38, 0.02);
    EXPECT_NEAR(pytorch.second, kMostError, 0.01);
}

// Rows 2k and 2k + 1 of a seed differ in one knob.
TEST(SimulationErrorTest, OfAComparisonIsThatOfThePairs)
{
    const auto ratio = [](const FidelityCase& each) {
        return static_cast<double>(each.row.wallNs()) / static_cast<double>(each.simulated.wallNs);
    };
    std::vector<double> errors;
    const std::vector<FidelityCase>& rows = heldOut();
    for (std::size_t at = 0; at + 1 < rows.size(); ++at) {
        const FidelityRow &row = rows[at].row, &next = rows[at + 1].row;
        if (row.index % 2 == 0 && next.seed == row.seed && next.index == row.index + 1 &&
            batchMemory(row.scenario) == batchMemory(next.scenario))
            errors.push_back(std::abs(ratio(rows[at + 1]) / ratio(rows[at]) - 1));
    }
    ASSERT_EQ(errors.size(), 106u);
    std::nth_element(errors.begin(), errors.begin() + 53, errors.end());
    EXPECT_NEAR(errors[53], kPairError, 0.005);
}

TEST(SimulationErrorTest, GoesByTheWayOfTheBatches)
{
    Scenario scenario;
    EXPECT_EQ(simulationError(scenario).memory, BatchMemory::Pageable);
    scenario.pin = PinStrategy::Thread;
    EXPECT_EQ(simulationError(scenario).memory, BatchMemory::PinThread);
    scenario.workers = 0;
    EXPECT_EQ(simulationError(scenario).memory, BatchMemory::Pinned);
    scenario.workers = 4;
    scenario.pin = PinStrategy::Ring;
    EXPECT_EQ(simulationError(scenario).memory, BatchMemory::Pinned);
}

}  // namespace
}  // namespace overlane
