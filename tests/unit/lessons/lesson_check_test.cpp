// All lessons checked in one go: no scenario runs twice, a row for each, and a machine that cannot run ends it.
#include "core/lessons/lesson_check.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/spool/record_environment.h"
#include "tests/support/expect_text.h"
#include "tests/unit/lessons/lesson_sample.h"

namespace overlane
{
namespace
{

using testing::IsEmpty;

Lesson smallLesson()
{
    return parseLesson(test::kSmallLesson, "small.md").value();
}

// Counts what it is asked to run.
LessonEngine counting(std::size_t& runs)
{
    return [&runs, inner = simulatedLessonEngine()](const Scenario& scenario, const DeviceProfile& device,
                                                    Progress& progress) {
        ++runs;
        return inner(scenario, device, progress);
    };
}

TEST(RememberingEngine, RunsAScenarioOnceWhateverItsName)
{
    std::size_t asked = 0;
    const auto made = std::make_shared<std::size_t>(0);
    const LessonEngine engine = rememberingEngine(counting(asked), made);
    const DeviceProfile& device = *findDeviceProfile("h200");
    Progress progress;
    Scenario scenario;
    scenario.batches = 8;
    const JudgedRunPointer first = engine(scenario, device, progress).value();
    scenario.name = "another";
    EXPECT_EQ(engine(scenario, device, progress).value(), first);
    EXPECT_NE(engine(scenario, allDeviceProfiles().back(), progress).value(), first);
    scenario.seed = 2;
    EXPECT_NE(engine(scenario, device, progress).value(), first);
    EXPECT_EQ(asked, 3U);
    EXPECT_EQ(*made, 3U);
}

TEST(RememberingEngine, TriesAgainWhatFailed)
{
    int asked = 0;
    const auto made = std::make_shared<std::size_t>(0);
    const LessonEngine engine = rememberingEngine(
        [&asked](const Scenario&, const DeviceProfile&, Progress&) {
            ++asked;
            return Result<JudgedRunPointer>(Error{"busy"});
        },
        made);
    Progress progress;
    for (int time = 0; time < 2; ++time)
        EXPECT_EQ(engine({}, *findDeviceProfile("h200"), progress).error(), "busy");
    EXPECT_EQ(asked, 2);
    EXPECT_EQ(*made, 0U);
}

TEST(LessonChecker, LessonsShareTheirRuns)
{
    std::size_t asked = 0;
    LessonChecker checker(counting(asked));
    Progress progress;
    const Lesson lesson = smallLesson();
    const auto first = checker.check(lesson, progress);
    ASSERT_TRUE(first.ok()) << first.error();
    EXPECT_THAT(first.value().problems, IsEmpty());
    EXPECT_EQ(first.value().runs, asked);
    EXPECT_GE(asked, lesson.scenarios.size());
    EXPECT_GT(first.value().tookNs, 0);
    // The same lesson again has nothing left to run.
    const auto again = checker.check(lesson, progress);
    EXPECT_EQ(again.value().runs, 0U);
    EXPECT_EQ(first.value().runs, asked);
}

// On a GPU a run takes most of a second, so that what all lessons need together decides how long a check takes.
TEST(LessonChecker, AllLessonsTogetherNeedFewRuns)
{
    std::size_t asked = 0;
    LessonChecker checker(counting(asked));
    Progress progress;
    std::size_t runs = 0;
    for (const Lesson& lesson : allLessons().value()) {
        const auto checked = checker.check(lesson, progress);
        ASSERT_TRUE(checked.ok()) << checked.error();
        EXPECT_THAT(checked.value().problems, IsEmpty()) << lesson.key;
        runs += checked.value().runs;
    }
    EXPECT_EQ(runs, asked);
    EXPECT_LE(runs, 6 * allLessons().value().size());
}

TEST(LessonChecker, ARunThatWasCancelledIsNoProblemOfTheLesson)
{
    std::size_t asked = 0;
    LessonChecker checker([&asked, inner = simulatedLessonEngine()](const Scenario& scenario,
                                                                    const DeviceProfile& device, Progress& progress) {
        return ++asked == 1 ? inner(scenario, device, progress) : Result<JudgedRunPointer>(Error::cancelled());
    });
    Progress progress;
    EXPECT_TRUE(checker.check(smallLesson(), progress).isCancelled());
}

TEST(LessonChecker, AMachineThatRunsNothingEndsIt)
{
    bool works = false;
    LessonChecker checker([&works, inner = simulatedLessonEngine()](const Scenario& scenario,
                                                                    const DeviceProfile& device, Progress& progress) {
        return works ? inner(scenario, device, progress) : Result<JudgedRunPointer>(Error{"There is no GPU here."});
    });
    Progress progress;
    const Lesson lesson = smallLesson();
    const auto failed = checker.check(lesson, progress);
    ASSERT_FALSE(failed.ok());
    test::expectText(failed.error());
    // Once something ran, a failure is the lesson's own.
    works = true;
    ASSERT_TRUE(checker.check(lesson, progress).ok());
    works = false;
    Lesson other = lesson;
    other.scenarios[0].scenario.seed = 99;
    const auto own = checker.check(other, progress);
    ASSERT_TRUE(own.ok()) << own.error();
    test::expectText(own.value().problems);
    progress.cancel();
    EXPECT_TRUE(checker.check(lesson, progress).isCancelled());
}

// What stands for a GPU answers every scenario with three steps: no figure of a lesson holds, each is told, and
// no exercise that asks for swap is run in vain.
class MeasuredLessons : public testing::Test
{
protected:
    MeasuredLessons()
    {
        setenv("OVERLANE_TEST_STEPS", "3", 1);
        unsetenv(record_environment::kCudaInjection);
        m_options.program = OVERLANE_MEASURED_PROGRAM;
        m_options.library = "/dev/null";
    }
    ~MeasuredLessons() override { unsetenv("OVERLANE_TEST_STEPS"); }

    MeasuredRunOptions m_options;
    Progress m_progress;
};

TEST_F(MeasuredLessons, RunOnceEach)
{
    LessonChecker checker(gpuLessonEngine(m_options));
    const auto small = checker.check(smallLesson(), m_progress);
    ASSERT_TRUE(small.ok()) << small.error();
    EXPECT_FALSE(small.value().problems.empty());
    EXPECT_LE(small.value().runs, 5U);
    EXPECT_EQ(checker.check(smallLesson(), m_progress).value().runs, 0U);

    const Lesson* pressure = findLesson(allLessons().value(), "memory_pressure");
    const auto checked = checker.check(*pressure, m_progress);
    ASSERT_TRUE(checked.ok()) << checked.error();
    EXPECT_EQ(checked.value().runs, pressure->scenarios.size());
    for (const std::string& problem : checked.value().problems)
        EXPECT_EQ(problem.find("exercise"), std::string::npos) << problem;
}

TEST(ProfileOfGpu, IsItsOwnUnlessAnotherIsMeant)
{
    const DeviceProfile& usual = allDeviceProfiles().front();
    const DeviceProfile& laptop = *findDeviceProfile("rtx3060_laptop");
    EXPECT_EQ(&profileOfGpu("NVIDIA GeForce RTX 4090", usual), findDeviceProfile("rtx4090_desktop"));
    EXPECT_EQ(&profileOfGpu("NVIDIA GeForce RTX 4090", laptop), &laptop);
    EXPECT_EQ(&profileOfGpu("NVIDIA H200", usual), &usual);
    EXPECT_EQ(&profileOfGpu("Another GPU", usual), &usual);
    EXPECT_EQ(&profileOfGpu("", usual), &usual);
}

TEST_F(MeasuredLessons, SayNothingWhereTheMachineLacksWhatTheyNeed)
{
    Lesson lesson = smallLesson();
    lesson.gpuNeeds = LessonNeed{Expression::parse("A.numa_nodes >= 2", {"A"}).value(), "This machine has one node."};
    LessonChecker checker(gpuLessonEngine(m_options));
    const auto checked = checker.check(lesson, m_progress);
    ASSERT_TRUE(checked.ok()) << checked.error();
    EXPECT_THAT(checked.value().problems, IsEmpty());
    EXPECT_EQ(checked.value().untold, "This machine has one node.");
    EXPECT_EQ(checked.value().runs, lesson.scenarios.size());
    const auto run = LessonRun::run(lesson, gpuLessonEngine(m_options), m_progress);
    EXPECT_EQ(run.value().verdict(lesson.claims[0].holds), LessonVerdict::Unknown);
    EXPECT_FALSE(run.value().answer(lesson.predictions[0]).problem.empty());
    test::expectText(test::withoutFigures(run.value().seen()));
    // A simulation has what its profile has.
    const auto simulated = LessonRun::run(lesson, simulatedLessonEngine(), m_progress);
    EXPECT_EQ(simulated.value().untold(), "");
}

TEST_F(MeasuredLessons, WithoutAGpuTheFirstFailureEndsThem)
{
    m_options.program = "/nowhere/overlane";
    LessonChecker checker(gpuLessonEngine(m_options));
    EXPECT_FALSE(checker.check(smallLesson(), m_progress).ok());
}

}  // namespace
}  // namespace overlane
