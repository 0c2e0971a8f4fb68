#include "core/fleet/fleet_file.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_text.h"
#include "tests/support/made_fleet.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;

class FleetFileTest : public testing::Test
{
protected:
    std::string file() const { return m_folder.path("fleet.sqlite"); }
    Result<Fleet> read() { return readFleet(m_folder.path().string(), m_progress); }
    std::string error()
    {
        const Result<Fleet> fleet = read();
        return fleet.ok() ? "read" : fleet.error();
    }
    // A row with what a test is about.
    void insert(const std::string& columns, const std::string& values) const
    {
        test::executeSql(file(), "INSERT INTO runs(" + columns + ") VALUES(" + values + ");");
    }

    test::TempDir m_folder;
    Progress m_progress;
};

TEST_F(FleetFileTest, EveryRowIsRead)
{
    test::writeFleet(file(), 1, 200);
    const Result<Fleet> fleet = read();
    ASSERT_TRUE(fleet.ok()) << fleet.error();
    ASSERT_EQ(fleet.value().runs.size(), 200u);
    EXPECT_THAT(fleet.value().groups, testing::ElementsAre("resnet", "lm"));
    EXPECT_THAT(fleet.value().versions, testing::ElementsAre("a", "b", "c"));
    for (int run = 0; run < 200; ++run) {
        const FleetRun& one = fleet.value().runs[static_cast<std::size_t>(run)];
        EXPECT_EQ(one.isRead(), !test::isBroken(run));
        if (!one.isRead())
            continue;
        EXPECT_EQ(one.spanNs, 100 * one.stepNs);
        EXPECT_EQ(one.gpus, run % 2 == 0 ? 1 : 8);
        EXPECT_EQ(one.overlap.has_value(), run % 10 != 9);
        EXPECT_EQ(one.losses.size(), test::waitsForBatches(run) ? 2u : 1u);
        EXPECT_EQ(one.recordedS, 1'790'000'000 + 60 * run);
    }
    EXPECT_TRUE(readFleet(file(), m_progress).ok());
}

TEST_F(FleetFileTest, OnlyAFolderWithTheFileIsAFleet)
{
    EXPECT_FALSE(fleetFile(m_folder.path().string()));
    EXPECT_THAT(error(), HasSubstr("fleet.sqlite"));
    m_folder.write("fleet.sqlite", "no database");
    EXPECT_EQ(fleetFile(m_folder.path().string()), file());
    EXPECT_EQ(fleetFile(file()), file());
    EXPECT_FALSE(fleetFile(m_folder.path("other.sqlite")));
    EXPECT_THAT(error(), HasSubstr(file()));
}

TEST_F(FleetFileTest, OtherDatabasesAndVersionsAreNamed)
{
    test::executeSql(file(), "CREATE TABLE runs(id INTEGER);");
    EXPECT_THAT(error(), HasSubstr("\"causes\""));
    std::filesystem::remove(file());
    test::executeSql(file(), std::string(test::kFleetSchema) + "PRAGMA user_version = 2;");
    EXPECT_THAT(error(), HasSubstr("is 2,"));
    std::filesystem::remove(file());
    test::executeSql(file(), "CREATE TABLE runs(url TEXT); CREATE TABLE causes(run INTEGER); PRAGMA user_version = 1;");
    EXPECT_THAT(error(), HasSubstr("\"id\""));
}

TEST_F(FleetFileTest, AFleetWithoutRunsIsOne)
{
    test::executeSql(file(), test::kFleetSchema);
    const Result<Fleet> fleet = read();
    ASSERT_TRUE(fleet.ok()) << fleet.error();
    EXPECT_TRUE(fleet.value().runs.empty());
}

TEST_F(FleetFileTest, FiguresThatCannotBeAreNotBelieved)
{
    test::executeSql(file(), test::kFleetSchema);
    insert("url, name, gpus, step_ns, span_ns, exposed_ns, overlap", "'x', '', -4, -9, 1000, 9223372036854775807, 7.5");
    insert("url, name, gpus, span_ns, overlap, recorded, steps",
           "x'00ff', 'b' || char(27) || '[31m', 1e300, 'long', 'x', 'then', -1");
    test::executeSql(file(),
                     "INSERT INTO causes VALUES(1, 'copies', '', 5000), (1, '', 'none', 1), (77, 'copies', '', 1),"
                     "(2, 'of another version', 'new', 12);");
    const Result<Fleet> fleet = read();
    ASSERT_TRUE(fleet.ok()) << fleet.error();
    const FleetRun& first = fleet.value().runs.at(0);
    EXPECT_EQ(first.name, "x");
    EXPECT_EQ(first.gpus, 1);
    EXPECT_EQ(first.stepNs, 0);
    EXPECT_EQ(first.exposedNs, 1000);
    EXPECT_EQ(first.overlap, 1.0);
    ASSERT_EQ(first.losses.size(), 1u);
    EXPECT_EQ(first.losses.front().ns, 1000);
    const FleetRun& second = fleet.value().runs.at(1);
    EXPECT_EQ(second.name.find('\x1b'), std::string::npos);
    EXPECT_EQ(second.spanNs, 0);
    EXPECT_EQ(second.recordedS, std::nullopt);
    EXPECT_EQ(second.lostNs(), 0);
}

TEST_F(FleetFileTest, EachGpuLosesWhatItLost)
{
    test::executeSql(file(), test::kFleetSchema);
    insert("url, name, gpus, span_ns", "'x', 'x', 2, 1000");
    test::executeSql(file(), "INSERT INTO causes VALUES(1, 'copies', 'exposed copies', 300);");
    EXPECT_EQ(read().value().runs.at(0).lostNs(), 600) << "of an older version: that of the verdict stands for both";
    test::executeSql(file(),
                     "ALTER TABLE causes ADD COLUMN all_lost_ns INTEGER; UPDATE causes SET all_lost_ns = 350;"
                     "INSERT INTO causes VALUES(1, 'host', 'host late', 0, 9000);");
    const Fleet fleet = read().value();
    ASSERT_EQ(fleet.runs.at(0).losses.size(), 2u);
    EXPECT_EQ(fleet.runs.at(0).losses.at(0).ns, 350);
    EXPECT_EQ(fleet.runs.at(0).losses.at(1).ns, 2000) << "no more than the time of its GPUs";
}

TEST_F(FleetFileTest, ReadingCanBeCancelled)
{
    test::writeFleet(file(), 1, 50);
    m_progress.cancel();
    const Result<Fleet> fleet = read();
    ASSERT_FALSE(fleet.ok());
    EXPECT_TRUE(fleet.failure().isCancelled());
}

}  // namespace
}  // namespace overlane
