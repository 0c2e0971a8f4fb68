// A calibration as a process of its own, with a script in its place; and the limits it keeps.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "core/base/process_news.h"
#include "core/base/units.h"
#include "core/calibration/calibration_run.h"
#include "core/devices/calibration_limits.h"
#include "core/devices/probes.h"
#include "core/devices/profile_figures.h"
#include "tests/support/comma_locale.h"
#include "tests/support/expect_text.h"
#include "tests/unit/calibration/made_up_samples.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

class CalibrationRunTest : public testing::Test
{
protected:
    void SetUp() override
    {
        m_folder = testing::TempDir() + "overlane_calibration_run_XXXXXX";
        ASSERT_NE(mkdtemp(m_folder.data()), nullptr);
        setenv("TMPDIR", m_folder.c_str(), 1);
    }
    void TearDown() override
    {
        unsetenv("TMPDIR");
        fs::remove_all(m_folder);
    }
    // The script's sixth word is the profile's file: calibrate --stream --device N -o FILE
    CalibrationRunOptions script(const std::string& body)
    {
        const std::string file = m_folder + "/overlane";
        std::ofstream(file) << "#!/bin/sh\n" << body;
        fs::permissions(file, fs::perms::owner_all);
        CalibrationRunOptions options;
        options.program = file;
        return options;
    }
    std::size_t leftBehind() const
    {
        std::size_t count = 0;
        for (const auto& each : fs::directory_iterator(m_folder))
            count += each.path().filename().string().starts_with("overlane-calibrate") ? 1 : 0;
        return count;
    }
    static CalibrationNews watch(CalibrationRun& run)
    {
        CalibrationNews news;
        while (run.poll(news))
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return news;
    }

    std::string m_folder;
};

TEST_F(CalibrationRunTest, TheProfileAndTheNewsOnTheWayArrive)
{
    const CalibratedProfile made = calibratedProfile(recordOf(madeUpSamples(), "2026-11-21", false));
    const std::string profile = m_folder + "/made.json";
    ASSERT_TRUE(saveProfile(made, profile).ok());
    std::ofstream(m_folder + "/news") << lineOf(ProcessNews{0.25, "copies by size"})
                                      << seriesLine(made.record.series.front());
    auto run = CalibrationRun::start(script("cat " + m_folder + "/news; cp " + profile + " \"$6\"\n"));
    ASSERT_TRUE(run.ok()) << run.error();
    const CalibrationNews news = watch(*run.value());
    EXPECT_EQ(news.fraction, 0.25);
    EXPECT_EQ(news.doing, "copies by size");
    ASSERT_EQ(news.series.size(), 1u);
    EXPECT_EQ(news.series.front().probe, made.record.series.front().probe);
    const auto finished = run.value()->finish();
    ASSERT_TRUE(finished.ok()) << finished.error();
    EXPECT_EQ(finished.value().profile.key, made.profile.key);
    EXPECT_EQ(finished.value().record.series.size(), made.record.series.size());
    run.value().reset();
    EXPECT_EQ(leftBehind(), 0u);
}

TEST_F(CalibrationRunTest, ARefusalIsTheProgramsOwnSentence)
{
    auto run = CalibrationRun::start(script("echo 'overlane: No GPU driver is installed.' >&2; exit 1\n"));
    ASSERT_TRUE(run.ok());
    watch(*run.value());
    EXPECT_EQ(run.value()->finish().error(), "No GPU driver is installed.");
}

TEST_F(CalibrationRunTest, CancelledItEndsAndLeavesNothing)
{
    auto run = CalibrationRun::start(script("exec sleep 60\n"));
    ASSERT_TRUE(run.ok());
    CalibrationNews news;
    EXPECT_TRUE(run.value()->poll(news));
    run.value()->cancel();
    watch(*run.value());
    EXPECT_TRUE(run.value()->finish().isCancelled());
    run.value().reset();
    EXPECT_EQ(leftBehind(), 0u);
}

TEST_F(CalibrationRunTest, WhoDropsItEndsIt)
{
    const std::string alive = m_folder + "/pid";
    auto run = CalibrationRun::start(
        script("echo $$ > " + alive + ".part; mv " + alive + ".part " + alive + "; exec sleep 60\n"));
    ASSERT_TRUE(run.ok());
    while (!fs::exists(alive))
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::string pid;
    std::ifstream(alive) >> pid;
    run.value().reset();
    EXPECT_FALSE(fs::exists("/proc/" + pid));
    EXPECT_EQ(leftBehind(), 0u);
}

TEST(CalibrationNewsTest, LinesThatAreNoNewsAndHalfLinesAreLeftAlone)
{
    std::string text = "warning: something\n" + lineOf(ProcessNews{0.5, "the link"}) +
                       "{\"series\": [\"broken\"\n{\"series\": [\"broken\"]}\n{\"fraction\": 0.7, \"words\": \"thre";
    CalibrationNews news;
    takeNews(text, news);
    EXPECT_EQ(news.fraction, 0.5);
    EXPECT_EQ(news.doing, "the link");
    EXPECT_TRUE(news.series.empty());
    EXPECT_EQ(text, R"({"fraction": 0.7, "words": "thre)");
    text += "ads\"}\n";
    takeNews(text, news);
    EXPECT_EQ(news.doing, "threads");
    EXPECT_EQ(text, "");
}

TEST(CalibrationNewsTest, NumbersHaveAPointUnderEveryLocale)
{
    const CalibrationRecord record = recordOf(madeUpSamples(), "2026-11-21", false);
    const test::CommaLocale comma;
    if (!comma.active())
        GTEST_SKIP() << "localedef is missing; cmake/install_packages.sh installs it";
    EXPECT_EQ(recordText(recordOf(madeUpSamples(), "2026-11-21", false)), recordText(record));
    std::string text = lineOf(ProcessNews{0.75, "the link"}) + seriesLine(record.series.front());
    CalibrationNews news;
    takeNews(text, news);
    EXPECT_EQ(news.fraction, 0.75);
    EXPECT_EQ(news.doing, "the link");
    ASSERT_EQ(news.series.size(), 1u);
    EXPECT_EQ(news.series.front().statistics.median, record.series.front().statistics.median);
}

TEST(CalibrationLimitsTest, NeverMoreThanAnEighthOfWhatIsAvailableAtOnce)
{
    for (const std::int64_t available : {2 * kGiB, 3 * kGiB, 16 * kGiB, 128 * kGiB, 2048 * kGiB})
        for (const std::int64_t device : {1 * kGiB, 6 * kGiB, 140 * kGiB})
            for (const bool quick : {false, true}) {
                const auto limits = calibrationLimits(available, device, quick);
                ASSERT_TRUE(limits.ok());
                EXPECT_LE(limits.value().largestBlockBytes, available / 8);
                EXPECT_LE(limits.value().walkBytes, available / 8);
                EXPECT_LE(limits.value().largestBlockBytes, device / 4);
                EXPECT_GE(limits.value().largestBlockBytes, 64 * kMadeUpMiB);
                EXPECT_LE(limits.value().largestBlockBytes, quick ? 64 * kMadeUpMiB : 4 * kGiB);
            }
}

TEST(CalibrationLimitsTest, TooLittleMemoryIsRefusedWithTheNumbers)
{
    const auto host = calibrationLimits(kGiB, 16 * kGiB, false);
    ASSERT_FALSE(host.ok());
    test::expectText(host.error());
    const auto device = calibrationLimits(16 * kGiB, kGiB / 2, false);
    ASSERT_FALSE(device.ok());
    test::expectText(device.error());
}

TEST(ProbesTest, EveryProbeSaysHowAndEveryTableHasOne)
{
    for (const ProbeInfo& probe : allProbes()) {
        EXPECT_GT(probe.how.size(), 10u) << probe.key;
        EXPECT_EQ(findProbe(probe.key), &probe);
    }
    for (const ProfileTable& table : profileTables())
        EXPECT_NE(findProbe(table.probe), nullptr) << table.key;
    for (const ProbeSeries& series : madeUpSamples().series)
        EXPECT_NE(findProbe(series.probe), nullptr) << series.probe;
}

}  // namespace
}  // namespace overlane
