// That what the row of a rule names by key is there: the lesson that shows it and the change that a what-if makes of
// it.
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "core/findings/rule.h"
#include "core/lessons/lesson.h"
#include "core/replay/change.h"

namespace overlane
{
namespace
{

TEST(RuleNames, AreOfLessonsAndChangesThatAreThere)
{
    const Result<std::vector<Lesson>>& lessons = allLessons();
    ASSERT_TRUE(lessons.ok()) << lessons.error();
    std::set<ChangeKind> tried;
    for (const Rule& rule : allRules()) {
        EXPECT_NE(findLesson(lessons.value(), rule.lesson), nullptr) << rule.id << ": " << rule.lesson;
        if (rule.whatIf.empty())
            continue;
        const std::vector<ChangeKind> changes = changeKinds(rule.whatIf);
        EXPECT_EQ(changes.size(), 1 + std::count(rule.whatIf.begin(), rule.whatIf.end(), '+')) << rule.id;
        tried.insert(changes.begin(), changes.end());
    }
    // All but another machine, which no finding asks for.
    EXPECT_EQ(tried.size(), static_cast<std::size_t>(kChangeKindCount - 1));
    EXPECT_FALSE(tried.contains(ChangeKind::Device));
}

}  // namespace
}  // namespace overlane
