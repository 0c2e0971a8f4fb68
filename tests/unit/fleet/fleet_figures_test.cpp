#include "core/fleet/fleet_figures.h"

#include <gtest/gtest.h>

#include "core/content/terminal.h"
#include "core/fleet/fleet_blocks.h"
#include "core/fleet/fleet_file.h"
#include "core/fleet/fleet_page.h"
#include "tests/support/expect_text.h"
#include "tests/support/made_fleet.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

Fleet madeFleet(std::uint32_t seed, int runs)
{
    const test::TempDir folder;
    test::writeFleet(folder.path("fleet.sqlite"), seed, runs);
    Progress progress;
    Result<Fleet> fleet = readFleet(folder.path("fleet.sqlite"), progress);
    EXPECT_TRUE(fleet.ok());
    fleet.value().path = "fleet/fleet.sqlite";
    return std::move(fleet).value();
}

const std::string& causeId(const Fleet& fleet, const FleetCauseFigures& cause)
{
    return fleet.causes[cause.cause].id;
}

TEST(FleetFiguresTest, PlantedCausesAreSummedOverRunsAndGpus)
{
    const Fleet fleet = madeFleet(1, 3000);
    const FleetFigures figures = fleetFigures(fleet);
    EXPECT_EQ(figures.broken, 60);
    EXPECT_EQ(figures.read, 2940);
    ASSERT_EQ(figures.causes.size(), 2u);
    // Runs that wait for batches have eight GPUs, those with exposed copies one.
    EXPECT_EQ(causeId(fleet, figures.causes[0]), "batches");
    EXPECT_EQ(causeId(fleet, figures.causes[1]), "copies");
    std::int64_t copies = 0;
    std::int64_t batches = 0;
    for (int run = 0; run < 3000; ++run) {
        copies += !test::isBroken(run) && test::hasExposedCopies(run) ? 1 : 0;
        batches += !test::isBroken(run) && test::waitsForBatches(run) ? 1 : 0;
    }
    EXPECT_EQ(figures.causes[0].runs, batches);
    EXPECT_EQ(figures.causes[1].runs, copies);
    EXPECT_GT(figures.causes[0].lostGpuNs, figures.causes[1].lostGpuNs);
    EXPECT_NEAR(figures.lostGpuNs, figures.causes[0].lostGpuNs + figures.causes[1].lostGpuNs, 1);
    std::int64_t inBins = figures.withoutCopies;
    for (const std::int64_t runs : figures.overlap)
        inBins += runs;
    EXPECT_EQ(inBins, figures.read);
    EXPECT_EQ(figures.overlap[1], copies);
    EXPECT_EQ(figures.medianOverlap, 0.93);
}

TEST(FleetFiguresTest, HiddenSharesFallIntoTenBins)
{
    EXPECT_EQ(overlapBin(0), 0u);
    EXPECT_EQ(overlapBin(0.0999), 0u);
    EXPECT_EQ(overlapBin(0.1), 1u);
    EXPECT_EQ(overlapBin(0.999), 9u);
    EXPECT_EQ(overlapBin(1), 9u);
}

TEST(FleetVersionsTest, ThePlantedRegressionIsFoundAndNoOther)
{
    for (const std::uint32_t seed : {1u, 2u, 3u, 4u, 5u}) {
        const Fleet fleet = madeFleet(seed, 600);
        const std::vector<FleetChange> changes = fleetChanges(fleet);
        ASSERT_EQ(changes.size(), 4u);
        EXPECT_EQ(changes[0].claim, Claim::Higher);
        EXPECT_EQ(fleet.groups[changes[0].group], "resnet");
        EXPECT_EQ(fleet.versions[changes[0].before], "a");
        EXPECT_EQ(fleet.versions[changes[0].after], "b");
        EXPECT_NEAR(changes[0].change(), 0.15, 0.02);
        for (std::size_t at = 1; at < changes.size(); ++at)
            EXPECT_EQ(changes[at].claim, Claim::WithinSpread) << seed;
    }
}

TEST(FleetVersionsTest, VersionsFollowEachOtherInTime)
{
    Fleet fleet = madeFleet(1, 120);
    for (FleetRun& run : fleet.runs)
        if (run.recordedS)
            run.recordedS = -*run.recordedS;
    const std::vector<FleetVersion> versions = fleetVersions(fleet);
    ASSERT_EQ(versions.size(), 6u);
    std::string order;
    for (const FleetVersion& version : versions)
        order += fleet.groups[version.group] + " " + fleet.versions[version.version] + ", ";
    EXPECT_EQ(order, "lm c, lm b, lm a, resnet c, resnet b, resnet a, ");
    fleet.runs.front().recordedS.reset();
    for (FleetRun& run : fleet.runs)
        run.recordedS.reset();
    EXPECT_EQ(fleet.versions[fleetVersions(fleet).front().version], "a");
}

TEST(FleetVersionsTest, FewRunsClaimNothing)
{
    const Fleet fleet = madeFleet(1, 18);
    for (const FleetChange& change : fleetChanges(fleet))
        EXPECT_EQ(change.claim, Claim::TooFew);
}

TEST(FleetQueryTest, RunsAreFilteredByEachWish)
{
    const Fleet fleet = madeFleet(1, 300);
    const auto matching = [&](const FleetQuery& query) { return fleetRows(fleet, query).matching; };
    EXPECT_EQ(matching({}), 294u);
    EXPECT_EQ(matching({.onlyBroken = true}), 6u);
    EXPECT_EQ(matching({.text = "RUN-299"}), 0u);  // broken
    EXPECT_EQ(matching({.text = "RUN-298"}), 1u);
    EXPECT_EQ(matching({.text = "third of each"}), 75u);
    EXPECT_EQ(matching({.group = "resnet"}), 150u);
    EXPECT_EQ(matching({.overlapBin = 1}), 75u);
    const FleetPlace copies = fleet.causes[0].id == "copies" ? 0 : 1;
    EXPECT_EQ(matching({.group = "resnet", .cause = copies}), 75u);
    EXPECT_EQ(matching({.group = "lm", .cause = copies}), 0u);
}

TEST(FleetQueryTest, TheFirstRowsAreThoseOfTheWholeOrder)
{
    const Fleet fleet = madeFleet(2, 300);
    for (const FleetColumn column :
         {FleetColumn::Name, FleetColumn::Group, FleetColumn::Version, FleetColumn::Recorded, FleetColumn::Step,
          FleetColumn::Overlap, FleetColumn::Exposed, FleetColumn::Lost, FleetColumn::Cause, FleetColumn::Verdict})
        for (const bool descending : {false, true}) {
            const FleetRows all = fleetRows(fleet, {.order = column, .descending = descending});
            const FleetRows some = fleetRows(fleet, {.order = column, .descending = descending, .mostRows = 20});
            ASSERT_EQ(some.runs.size(), 20u);
            EXPECT_EQ(some.matching, all.runs.size());
            EXPECT_TRUE(std::equal(some.runs.begin(), some.runs.end(), all.runs.begin()));
        }
    const FleetRows slowest = fleetRows(fleet, {.order = FleetColumn::Step});
    for (std::size_t at = 1; at < slowest.runs.size(); ++at)
        EXPECT_GE(fleet.runs[slowest.runs[at - 1]].stepNs, fleet.runs[slowest.runs[at]].stepNs);
}

TEST(FleetBlocksTest, AFleetInWords)
{
    const Fleet fleet = madeFleet(1, 600);
    test::expectText(terminalText(fleetBlocks(fleet, {}, 6)));
}

TEST(FleetBlocksTest, FleetsOfNothingInWords)
{
    Fleet fleet;
    std::string text = terminalText(fleetBlocks(fleet, {}, 5));
    fleet.runs.push_back({.url = "a", .name = "a", .error = "a: the file is empty."});
    text += terminalText(fleetBlocks(fleet, {}, 5));
    fleet.runs = {{.url = "b", .name = "b", .spanNs = 5'000'000}};
    text += terminalText(fleetBlocks(fleet, {}, 5));
    test::expectText(text);
}

TEST(FleetPageTest, NamesAreEscaped)
{
    Fleet fleet;
    fleet.runs = {{.url = "b", .name = "<b>", .spanNs = 5'000'000}};
    const std::string page = fleetPage(fleetBlocks(fleet, {}, 5), "<script>", "0.1");
    EXPECT_EQ(page.find("<script>"), std::string::npos);
    EXPECT_EQ(page.find("<b>"), std::string::npos);
    EXPECT_NE(page.find("&lt;b&gt;"), std::string::npos);
}

}  // namespace
}  // namespace overlane
