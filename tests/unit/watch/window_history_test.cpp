#include "core/watch/window_history.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <random>
#include <set>

#include "core/io/format.h"
#include "core/watch/kept_windows.h"
#include "core/watch/window_text.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

WindowFigures steps(std::uint32_t number, double meanNs, double spreadNs, int count = 10)
{
    std::mt19937 random(number);
    std::normal_distribution<double> each(meanNs, spreadNs);
    WindowFigures window;
    window.number = number;
    for (int step = 0; step < count; ++step)
        window.stepsNs.push_back(each(random));
    window.steps = count;
    window.stepNs = static_cast<std::int64_t>(meanNs);
    window.rangeNs = count * window.stepNs;
    return window;
}

// The first windows, which nothing can be claimed beside.
void addFirst(WindowHistory& history, double meanNs, double spreadNs, int count = 10)
{
    for (std::uint32_t number = 1; number <= kFewestForClaim; ++number)
        EXPECT_EQ(history.add(steps(number, meanNs, spreadNs, count)).claim, Claim::TooFew);
}

TEST(WindowHistory, ASlowerWindowIsSaid)
{
    WindowHistory history;
    addFirst(history, 20e6, 2e5);
    WindowFigures slow = steps(7, 22e6, 2e5);
    slow.headline = "Batches come too late.";
    const WindowChange change = history.add(slow);
    EXPECT_TRUE(change.isWorse());
    EXPECT_EQ(change.medianNs, 20'000'000);
    EXPECT_NEAR(change.share, 0.1, 1e-9);
    test::expectText(worseText(slow, change));
    const WindowChange faster = history.add(steps(8, 18e6, 2e5));
    EXPECT_EQ(faster.claim, Claim::Lower);
    EXPECT_FALSE(faster.isWorse());
}

TEST(WindowHistory, AProgramThatStaysSlowIsSaidUntilItIsTheRule)
{
    WindowHistory history;
    addFirst(history, 20e6, 2e5);
    for (std::uint32_t number = 0; number < WindowHistory::kSettled; ++number)
        EXPECT_TRUE(history.add(steps(10 + number, 22e6, 2e5)).isWorse()) << number;
    const WindowChange settled = history.add(steps(50, 22e6, 2e5));
    EXPECT_FALSE(settled.isWorse());
    EXPECT_EQ(settled.medianNs, 22'000'000);
}

// Windows differ from each other as well as their steps do, and as much.
TEST(WindowHistory, NoiseIsNot)
{
    constexpr int kSeries = 200;
    constexpr double kStepNs = 20e6;
    for (const auto& [betweenNs, most] : {std::pair(0.0, 2), std::pair(4e5, 20)}) {
        int claimed = 0;
        std::mt19937 random(1);
        std::normal_distribution<double> window(0, 1);
        for (std::uint32_t series = 0; series < kSeries; ++series) {
            WindowHistory history;
            bool isWorse = false;
            for (std::uint32_t number = 1; number <= 13; ++number)
                isWorse =
                    history.add(steps(series * 100 + number, kStepNs + betweenNs * window(random), 4e5)).isWorse();
            claimed += isWorse ? 1 : 0;
        }
        EXPECT_LE(claimed, most) << "of " << kSeries << ", with windows apart by " << betweenNs << " ns";
    }
}

TEST(WindowHistory, AHundredthOfAStepIsNotWorthAWord)
{
    WindowHistory history;
    addFirst(history, 20e6, 1e3);
    EXPECT_FALSE(history.add(steps(9, 20.1e6, 1e3)).isWorse());
}

TEST(WindowHistory, FewStepsClaimNothing)
{
    WindowHistory history;
    addFirst(history, 20e6, 1e3, 3);
    EXPECT_EQ(history.add(steps(9, 30e6, 1e3, 10)).claim, Claim::TooFew);
    WindowHistory other;
    addFirst(other, 20e6, 1e3);
    EXPECT_EQ(other.add(steps(9, 30e6, 1e3, 3)).claim, Claim::TooFew);
}

TEST(WindowHistory, SaysAWindowInALine)
{
    setenv("TZ", "UTC", 1);
    WindowFigures window = steps(7, 23.1e6, 0);
    window.endUnixNs = 1'795'773'912'500'000'000;
    GpuFigures gpu;
    gpu.overlap = 0.82;
    gpu.exposedCopies = 0.031;
    window.gpus.push_back(gpu);
    std::string lines = windowLine(window, {}) + "\n" + windowLine(window, {22'800'000, 0.0132, Claim::WithinSpread});
    window.gpus.push_back(gpu);
    window.gpus[1].id = 1;
    window.gpus[1].overlap = {};
    window.gpus[1].exposedCommunication = 0.2;
    window.worst = 1;
    window.stepNs = 0;
    lines += "\n" + windowLine(window, {});
    window.gpus.clear();
    lines += "\n" + windowLine(window, {});
    test::expectText(lines);
    unsetenv("TZ");
}

TEST(WindowHistory, TheLastWindowsAndTheWorstAreKept)
{
    KeptWindows kept(2);
    std::set<std::string> files;
    const auto add = [&](const std::string& file, std::int64_t stepNs) {
        files.insert(file);
        for (const std::string& gone : kept.add(file, stepNs))
            EXPECT_EQ(files.erase(gone), 1u) << gone << " is removed once";
        return files;
    };
    using Files = std::set<std::string>;
    EXPECT_EQ(add("a", 10), (Files{"a"}));
    EXPECT_EQ(add("b", 30), (Files{"a", "b"}));
    EXPECT_EQ(add("c", 20), (Files{"b", "c"}));
    EXPECT_EQ(add("d", 20), (Files{"b", "c", "d"})) << "b is the worst";
    EXPECT_EQ(add("e", 0), (Files{"b", "d", "e"}));
    EXPECT_EQ(add("f", 40), (Files{"e", "f"})) << "f is";
    EXPECT_EQ(kept.worst(), "f");
    KeptWindows worst(0);
    EXPECT_TRUE(worst.add("a", 10).empty());
    EXPECT_THAT(worst.add("b", 5), testing::ElementsAre("b"));
    EXPECT_THAT(worst.add("c", 15), testing::ElementsAre("a"));
}

// A sample's figures are those that the commands report of it.
TEST(WindowFiguresOfATrace, AreThoseOfItsJudgement)
{
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(OVERLANE_SOURCE_DIR "/resources/samples")) {
        if (entry.path().extension() != ".overlane")
            continue;
        Progress progress;
        auto read = readTrace(entry.path().string(), progress);
        ASSERT_TRUE(read.ok()) << read.error();
        const auto judged = JudgedTrace::make(std::move(read).value(), "sample");
        ASSERT_TRUE(judged.ok()) << judged.error();
        const WindowFigures figures = windowFigures(*judged.value());
        const Judgement& judgement = judged.value()->judgement;
        ++files;
        EXPECT_EQ(figures.stepNs, judgement.stepNs);
        ASSERT_EQ(figures.gpus.size(), judgement.summary.devices.size());
        if (judgement.verdict.device >= 0) {
            EXPECT_EQ(figures.worstGpu()->id, judgement.verdict.device);
        }
        for (const GpuFigures& gpu : figures.gpus) {
            double all = gpu.kernels;
            for (const auto& [cause, share] : gpu.losses)
                all += share;
            if (judgement.kernelsKnown) {
                EXPECT_NEAR(all, 1, 1e-6) << entry.path();
            }
        }
    }
    EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace overlane
