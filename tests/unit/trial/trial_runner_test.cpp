// Programs with a small torch in the shape of PyTorch's, run with settings of their loader.
#include "core/trial/trial_runner.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <thread>
#include <unistd.h>

#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using testing::SizeIs;

class TrialRunnerTest : public testing::Test
{
protected:
    void SetUp() override
    {
        if (std::system("python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' > /dev/null 2>&1") != 0)
            GTEST_SKIP() << "no Python 3.8 here";
        fs::create_directories(m_folder);
        setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
        setenv("PYTHONPATH", OVERLANE_SOURCE_DIR "/tests/unit/pytorch/fake_torch", 1);
        m_window.batches = 30;
    }
    void TearDown() override
    {
        unsetenv("PYTHONPATH");
        fs::remove_all(m_folder);
    }

    TrialRunner runner(const std::vector<std::string>& arguments, const std::string& script = "copies.py")
    {
        TrialOptions options;
        options.command = {"python3", OVERLANE_SOURCE_DIR "/tests/unit/pytorch/scripts/" + script};
        options.command.insert(options.command.end(), arguments.begin(), arguments.end());
        options.log = m_log;
        options.pytorchHook = OVERLANE_SOURCE_DIR "/resources/pytorch";
        auto made = TrialRunner::make(options);
        EXPECT_TRUE(made.ok());
        return std::move(made).value();
    }
    std::string log() const { return (std::stringstream() << std::ifstream(m_log).rdbuf()).str(); }

    std::string m_folder = testing::TempDir() + "overlane_trial_" + std::to_string(getpid());
    std::string m_log = m_folder + "/log";
    TrialWindow m_window;
    Progress m_progress;
};

TEST_F(TrialRunnerTest, TellsOfTheLoaderAndItsCopies)
{
    const auto found = runner({}).run({}, {}, m_window, m_progress);
    ASSERT_TRUE(found.ok()) << found.error();
    const TrialReport& report = found.value();
    EXPECT_EQ(report.settings, LoaderSettings{});
    EXPECT_EQ(report.site.place(), "copies.py:44");
    EXPECT_EQ(report.site.code, "loader = DataLoader(data, batch_size=4, num_workers=options.workers)");
    EXPECT_EQ(report.batches, 30);
    EXPECT_EQ(report.batchesPerEpoch, 100);
    EXPECT_EQ(report.batchSize, 4);
    EXPECT_FALSE(report.ended);
    EXPECT_FALSE(report.iterable);
    EXPECT_TRUE(report.cuda);
    EXPECT_GT(report.batchNs(), 4 * 2e6) << "four copies of 2 ms";
    ASSERT_THAT(report.copies, SizeIs(1)) << "what is not the loader's is nobody's to change";
    EXPECT_EQ(report.copies[0].site.code, "[one.to(\"cuda\") for one in batch]");
    EXPECT_EQ(report.copies[0].copies, report.copies[0].waits);
    test::expectText(log());
}

TEST_F(TrialRunnerTest, ChangesThatLoaderAndNoOther)
{
    TrialRunner runs = runner({});
    const auto found = runs.run({}, {}, m_window, m_progress);
    ASSERT_TRUE(found.ok()) << found.error();
    LoaderSettings settings;
    settings.workers = 2;
    settings.pinMemory = true;
    settings.prefetchFactor = 3;
    settings.persistentWorkers = true;
    settings.nonBlocking = true;
    const auto changed = runs.run(found.value().loader, settings, m_window, m_progress);
    ASSERT_TRUE(changed.ok()) << changed.error();
    EXPECT_EQ(changed.value().loader, found.value().loader);
    LoaderSettings said = changed.value().settings;
    said.nonBlocking = true;  // the program's own words are those of before
    EXPECT_EQ(said, settings);
    EXPECT_LT(changed.value().batchNs(), found.value().batchNs() - 6e6) << "no copy waits";
    test::expectText(log());
}

TEST_F(TrialRunnerTest, TimesAcrossEpochsAndSaysSo)
{
    const auto found = runner({"--samples", "40"}).run({}, {}, m_window, m_progress);
    ASSERT_TRUE(found.ok()) << found.error();
    EXPECT_TRUE(found.value().ended) << "three epochs of ten batches, ten of them to warm up";
    EXPECT_EQ(found.value().batches, 20);
    EXPECT_EQ(found.value().epochs, 2);
}

TEST_F(TrialRunnerTest, SaysWhatAProgramThatFailsPrintedLast)
{
    TrialRunner runs = runner({"--fail-with-workers"});
    const auto found = runs.run({}, {}, m_window, m_progress);
    ASSERT_TRUE(found.ok()) << found.error();
    LoaderSettings settings;
    settings.workers = 2;
    const auto failed = runs.run(found.value().loader, settings, m_window, m_progress);
    ASSERT_FALSE(failed.ok());
    test::expectText(failed.error().substr(0, failed.error().find('\n')));
    EXPECT_THAT(failed.error(), testing::HasSubstr("RuntimeError"));
}

TEST_F(TrialRunnerTest, SaysThatAProgramHasNoLoader)
{
    const auto found = runner({}, "plain.py").run({}, {}, m_window, m_progress);
    ASSERT_FALSE(found.ok());
    test::expectText(found.error());
}

TEST_F(TrialRunnerTest, EndsAllThatItStartedWhereItTakesTooLong)
{
    pid_t child = 0;
    std::string error;
    // Longer where this machine is too busy for Python to come to the program's first line.
    for (m_window.limitSeconds = 1; log().empty() && m_window.limitSeconds < 60; m_window.limitSeconds *= 2) {
        const auto found = runner({"--child"}).run({}, {}, m_window, m_progress);
        ASSERT_FALSE(found.ok());
        error = found.error();
    }
    test::expectText(test::withoutFigures(error));
    ASSERT_EQ(std::sscanf(log().c_str(), "child %d", &child), 1);
    for (int polls = 0; polls < 100 && kill(child, 0) == 0; ++polls)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    // Gone, or waiting for a parent that reads how it ended.
    std::ifstream status("/proc/" + std::to_string(child) + "/stat");
    std::string number, name, state;
    status >> number >> name >> state;
    EXPECT_TRUE(!status || state == "Z") << state;
}

TEST_F(TrialRunnerTest, CanBeCancelled)
{
    m_progress.cancel();
    const auto found = runner({"--child"}).run({}, {}, m_window, m_progress);
    ASSERT_FALSE(found.ok());
    EXPECT_TRUE(found.isCancelled());
}

TEST_F(TrialRunnerTest, AnIterableIsToldFromADatasetWithIndices)
{
    const auto found = runner({"--stream"}).run({}, {}, m_window, m_progress);
    ASSERT_TRUE(found.ok()) << found.error();
    EXPECT_TRUE(found.value().iterable);
}

}  // namespace
}  // namespace overlane
