// `overlane calibrate` where nothing is measured: without a GPU, and with profiles that are there.
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/calibration/calibrated_profile.h"
#include "core/cli/cli.h"
#include "core/devices/user_profiles.h"
#include "core/system/gpu_support.h"
#include "tests/support/expect_text.h"
#include "tests/support/golden.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/calibration/made_up_samples.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using test::call;
using test::TempDir;
using testing::HasSubstr;

std::string madeUpFile(const TempDir& folder)
{
    const CalibratedProfile made = calibratedProfile(recordOf(madeUpSamples(), "2026-11-21", false));
    std::string file = folder.path("made.json");
    EXPECT_TRUE(saveProfile(made, file).ok());
    return file;
}

TEST(CalibrateCommandTest, WithoutAGpuItSaysWhichStateThisIsAndWritesNothing)
{
    const GpuSupport support = detectGpuSupport();
    if (support.state == GpuSupport::State::Ready)
        GTEST_SKIP() << "there is a GPU here";
    const TempDir folder;
    const auto outcome = call({"calibrate", "-o", folder.path("none.json")});
    EXPECT_EQ(outcome.code, kExitFailed);
    EXPECT_THAT(outcome.err, HasSubstr(support.sentence));
    EXPECT_FALSE(std::filesystem::exists(folder.path("none.json")));
}

TEST(CalibrateCommandTest, AProfileThatIsThereIsShownWithItsPlots)
{
    const TempDir folder;
    const std::string file = madeUpFile(folder);
    const auto shown = call({"calibrate", "--show", file, "--csv", folder.path("plots")});
    EXPECT_EQ(shown.code, kExitOk) << shown.err;
    for (const char* words : {"Imagined Quokka 77", "h2d_bytes_per_second", "How fast copies run", "of 9"})
        EXPECT_THAT(shown.out, HasSubstr(words));
    for (const char* plot : {"memory_cost", "copy_rate", "copy_call", "threads"})
        EXPECT_TRUE(std::filesystem::exists(folder.path("plots") + "/" + plot + ".csv")) << plot;
    EXPECT_EQ(call({"calibrate", "--show", "h200"}).code, kExitOk);
    EXPECT_EQ(call({"calibrate", "--show", "nothing"}).code, kExitUsage);
    EXPECT_EQ(call({"calibrate", "--show", folder.path("none.json")}).code, kExitFailed);
}

TEST(CalibrateCommandTest, AProfileIsMadeAgainFromItsRecordAndSimulates)
{
    const TempDir folder;
    const std::string file = madeUpFile(folder);
    const std::string again = folder.path("again.json");
    EXPECT_EQ(call({"calibrate", "--from", file, "-o", again}).code, kExitOk);
    EXPECT_EQ(test::readFile(again), test::readFile(file));
    EXPECT_EQ(call({"run", "--device", again, "--set", "batches=8"}).code, kExitOk);
    EXPECT_THAT(call({"run", "--list", "--device", again}).out, HasSubstr("h2d_bytes_per_second"));
    const std::string bare = OVERLANE_SOURCE_DIR "/resources/devices/rtx4090_desktop.json";
    const auto refused = call({"calibrate", "--from", bare, "-o", folder.path("no.json")});
    EXPECT_EQ(refused.code, kExitFailed);
    test::expectText(refused.err);
}

}  // namespace
}  // namespace overlane
