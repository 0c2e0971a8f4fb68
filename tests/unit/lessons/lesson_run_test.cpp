#include "core/lessons/lesson_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/lessons/lesson_check.h"
#include "core/lessons/lesson_page.h"
#include "core/lessons/lesson_table.h"
#include "core/loader/settings.h"
#include "tests/support/expect_text.h"
#include "tests/unit/lessons/lesson_sample.h"

namespace overlane
{
namespace
{

using test::kSmallLesson;
using test::replaced;
using testing::HasSubstr;
using testing::IsEmpty;

Lesson small(const std::string& text = std::string(kSmallLesson))
{
    auto lesson = parseLesson(text, "small.md");
    EXPECT_TRUE(lesson.ok()) << (lesson.ok() ? "" : lesson.error());
    return std::move(lesson).value();
}

LessonRun run(const Lesson& lesson, const LessonOptions& options = {})
{
    Progress progress;
    auto made = LessonRun::run(lesson, simulatedLessonEngine(), progress, options);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error());
    return std::move(made).value();
}

std::vector<std::string> problems(const std::string& text)
{
    const Lesson lesson = small(text);
    Progress progress;
    auto checked = LessonChecker(simulatedLessonEngine()).check(lesson, progress);
    EXPECT_TRUE(checked.ok()) << (checked.ok() ? "" : checked.error());
    return std::move(checked).value().problems;
}

TEST(LessonRun, answersPredictions)
{
    const Lesson lesson = small();
    const LessonRun made = run(lesson);
    const LessonAnswer choice = made.answer(lesson.predictions[0]);
    EXPECT_EQ(choice.choice, 1);
    EXPECT_EQ(choice.text, "B");
    EXPECT_TRUE(made.isRight(lesson.predictions[0], 1));
    EXPECT_FALSE(made.isRight(lesson.predictions[0], 0));
    const LessonAnswer number = made.answer(lesson.predictions[1]);
    EXPECT_GT(number.value, 1);
    EXPECT_TRUE(made.isRight(lesson.predictions[1], number.value * 1.09));
    EXPECT_FALSE(made.isRight(lesson.predictions[1], number.value * 1.11));
}

TEST(LessonRun, judgesClaimsByTheRuns)
{
    const Lesson lesson = small();
    EXPECT_EQ(run(lesson).verdict(lesson.claims[0].holds), LessonVerdict::DidNotHold);
    const Lesson other = small(replaced("holds: B.wall > A.wall", "holds: B.wall < A.wall"));
    EXPECT_EQ(run(other).verdict(other.claims[0].holds), LessonVerdict::Held);
    const Lesson unknown = small(replaced("holds: B.wall > A.wall", "holds: B.wrong_batches > 0"));
    EXPECT_EQ(run(unknown).verdict(unknown.claims[0].holds), LessonVerdict::Unknown);
}

TEST(LessonRun, changesEveryScenario)
{
    const Lesson lesson = small();
    const LessonRun made = run(lesson, {findDeviceProfile("rtx3060_laptop"), {"batches=8"}});
    for (const JudgedRunPointer& one : made.runs()) {
        EXPECT_EQ(one->scenario.batches, 8);
        EXPECT_EQ(one->device->key, "rtx3060_laptop");
    }
    Progress progress;
    const auto wrong = LessonRun::run(lesson, simulatedLessonEngine(), progress, {nullptr, {"gpu_node=7"}});
    ASSERT_FALSE(wrong.ok());
    test::expectText(wrong.error());
}

TEST(LessonRun, checksExercises)
{
    const Lesson lesson = small();
    const LessonRun made = run(lesson);
    const LessonEngine engine = simulatedLessonEngine();
    Progress progress;
    const LessonExercise& exercise = lesson.exercises[0];
    EXPECT_FALSE(made.tryExercise(exercise, exercise.start, engine, progress).reached);
    Scenario changed = exercise.start;
    changed.pin = PinStrategy::Ring;
    EXPECT_TRUE(made.tryExercise(exercise, changed, engine, progress).reached);
    changed.computeUs = 1;
    const ExerciseOutcome outcome = made.tryExercise(exercise, changed, engine, progress);
    EXPECT_FALSE(outcome.reached);
    test::expectText(outcome.problem);
}

TEST(LessonRun, cancels)
{
    const Lesson lesson = small();
    Progress progress;
    progress.cancel();
    const auto made = LessonRun::run(lesson, simulatedLessonEngine(), progress);
    ASSERT_FALSE(made.ok());
    EXPECT_TRUE(made.isCancelled());
}

TEST(LessonCheck, findsWhatDoesNotHold)
{
    EXPECT_THAT(problems(std::string(kSmallLesson)), IsEmpty());
    test::expectText(problems(replaced("- B.wall < A.wall\n```\n\n```rule", "- B.wall > A.wall\n```\n\n```rule")));
    test::expectText(problems(replaced("- A :: A.wall <= B.wall", "- A :: B.wall < A.wall")));
    test::expectText(problems(replaced("- B :: B.wall < A.wall", "- B :: B.wall > A.wall")));
    test::expectText(problems(replaced("B took {{B.wall}}.", "B took 12 ms.")));
    test::expectText(problems(replaced("B took {{B.wall}}.", "B took {{B.wrong_batches}}.")));
    test::expectText(problems(replaced("goal: kernels > 200 ms", "goal: kernels > 1 ms")));
    test::expectText(problems(replaced("solution: compute_us=20000", "solution: compute_us=6001")));
}

TEST(LessonCheck, tellsStatedFigures)
{
    EXPECT_THAT(statedFigures("It takes 12.5 ms or 3x or 20 % of 4 GiB."),
                testing::ElementsAre("12.5 ms", "3 x", "20 %", "4 GiB"));
    EXPECT_THAT(statedFigures("In 2024 we saw 16 workers and H200, `12 ms`, {{A.wall + 3 ms}}."), IsEmpty());
    EXPECT_THAT(statedFigures("They say 12 ms ([page](https://example.org))."), IsEmpty());
    EXPECT_THAT(statedFigures("See [page](https://example.org).\n\nIt took 12 ms."), testing::ElementsAre("12 ms"));
    EXPECT_THAT(statedFigures("```\nsleep 12 ms\n```"), IsEmpty());
}

TEST(LessonTable, comparesBWithA)
{
    const Lesson lesson = small();
    const Table table = lessonTable(run(lesson));
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.columns.size(), 4u);
    const Cell& change = table.at(table.rows[1], "change");
    EXPECT_THAT(change.text, HasSubstr("times"));
    EXPECT_LT(std::get<double>(change.value), 1);
}

TEST(LessonPage, isOneFileWithBothTimelines)
{
    const Lesson lesson = small(replaced("label: pinned", "label: pinned <b>&"));
    const std::string page = lessonPage(run(lesson), "1.2.3");
    test::expectText(test::pageText(page));
    EXPECT_THAT(page, HasSubstr("<svg"));
    for (const char* foreign : {"<script", "src=", "url(http", "<link", "solution", "{{"})
        EXPECT_EQ(page.find(foreign), std::string::npos) << foreign;
}

// What the program ships: one test each, so that a failure names the lesson.
class ShippedLesson : public testing::TestWithParam<std::size_t>
{
};

TEST_P(ShippedLesson, HasAHandoutWithoutUnknownFigures)
{
    const Lesson& lesson = allLessons().value()[GetParam()];
    Progress progress;
    const auto made = LessonRun::run(lesson, simulatedLessonEngine(), progress);
    ASSERT_TRUE(made.ok()) << made.error();
    EXPECT_EQ(lessonPage(made.value(), "0").find("unknown:"), std::string::npos);
    EXPECT_THAT(lesson.next, testing::Not(IsEmpty()));
}

// A statement that only one machine bears out is brittle: what a lesson enforces holds on every shipped one, and
// whatever the spread of the batches is.
TEST_P(ShippedLesson, HoldsOnEveryShippedMachine)
{
    const Lesson& lesson = allLessons().value()[GetParam()];
    LessonChecker checker(simulatedLessonEngine());
    Progress progress;
    for (const DeviceProfile& device : allDeviceProfiles())
        for (const char* seed : {"seed=1", "seed=2"}) {
            const auto checked = checker.check(lesson, progress, {&device, {seed}});
            ASSERT_TRUE(checked.ok()) << checked.error();
            EXPECT_THAT(checked.value().problems, IsEmpty()) << device.key << ' ' << seed;
        }
}

INSTANTIATE_TEST_SUITE_P(All, ShippedLesson,
                         testing::Range<std::size_t>(0, allLessons().ok() ? allLessons().value().size() : 0),
                         [](const auto& tested) { return allLessons().value()[tested.param].key; });

TEST(ShippedLessons, areAtLeastFourteen)
{
    ASSERT_TRUE(allLessons().ok()) << allLessons().error();
    EXPECT_GE(allLessons().value().size(), 14u);
}

}  // namespace
}  // namespace overlane
