// The tables of a comparison, from figures made by hand.
#include "core/compare/comparison_tables.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

Comparison twoDevices()
{
    Comparison comparison;
    comparison.perStep = true;
    comparison.stepTime = {{9, 2e6, 2e6, 2e6, 2e6, 2e6}, {9, 1e6, 1e6, 1e6, 1e6, 1e6}, 0.001, 0, Claim::Lower};
    comparison.wallANs = 2'000'000;
    comparison.wallBNs = 1'000'000;
    for (const std::int32_t id : {0, 1}) {
        DeviceComparison& device = comparison.devices.emplace_back();
        device.a.id = device.b.id = id;
        device.causes.push_back({LostCause::Copies, 500'000, 600'000, Claim::Higher});
        WorkChange& kernel = device.kernels.emplace_back();
        kernel.name = "gemm";
        kernel.b.count = 3;
        kernel.b.perStepNs = 1'000;
    }
    return comparison;
}

std::vector<std::string> names(const Table& table)
{
    std::vector<std::string> names;
    for (const Table::Row& row : table.rows)
        names.push_back(row.cells.front().text);
    return names;
}

TEST(ComparisonTablesTest, TheStepIsOneAndEachDeviceIsNamed)
{
    const Table figures = allFigures(twoDevices());
    EXPECT_EQ(names(figures),
              (std::vector<std::string>{"step time, median", "step time, mean", "GPU 0: kernels run",
                                        "GPU 0: exposed copies", "GPU 1: kernels run", "GPU 1: exposed copies"}));
    EXPECT_EQ(figures.columns.front().title, "of a step");
    EXPECT_EQ(figures.at(figures.rows[0], "change").tone, Tone::Better);
    EXPECT_EQ(std::get<std::int64_t>(figures.at(figures.rows[0], "change").value), -1'000'000);
    EXPECT_EQ(figures.rows[3].cells[3].tone, Tone::Worse);
    EXPECT_EQ(names(allKernels(twoDevices())), (std::vector<std::string>{"GPU 0: gemm", "GPU 1: gemm"}));
}

TEST(ComparisonTablesTest, WhatIsNotThereHasNoValue)
{
    const Table kernels = allKernels(twoDevices());
    const Cell& a = kernels.at(kernels.rows[0], "a_ns");
    EXPECT_EQ(a.text, "-");
    EXPECT_TRUE(std::holds_alternative<std::monostate>(a.value));
    EXPECT_EQ(kernels.at(kernels.rows[0], "sure").text, "few");
}

TEST(ComparisonTablesTest, WithoutDevicesThereAreColumnsOnly)
{
    const Comparison none;
    EXPECT_TRUE(allFigures(none).rows.empty());
    EXPECT_TRUE(allKernels(none).picked({"name", "claim"}).rows.empty());
    EXPECT_EQ(allCopies(none).picked({"name", "a_hidden"}).columns.size(), 2U);
}

}  // namespace
}  // namespace overlane
