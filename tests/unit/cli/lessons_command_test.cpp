#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/lessons/lesson.h"
#include "tests/support/expect_text.h"
#include "tests/support/golden.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"
#include "tests/unit/lessons/lesson_sample.h"

namespace overlane
{
namespace
{

using test::call;
using test::expectFailure;
using testing::HasSubstr;

class OwnLessons : public testing::Test
{
protected:
    OwnLessons() { write(std::string(test::kSmallLesson)); }
    void write(const std::string& text) const { std::ofstream(m_folder.path() / "small.md") << text; }
    std::string folder() const { return m_folder.path().string(); }

private:
    test::TempDir m_folder;
};

TEST(LessonsCommand, listsAll)
{
    const auto outcome = call({"lessons"});
    EXPECT_EQ(outcome.code, kExitOk);
    for (const Lesson& lesson : allLessons().value())
        EXPECT_THAT(outcome.out, HasSubstr(lesson.key));
    const auto json = nlohmann::json::parse(call({"lessons", "--json"}).out);
    EXPECT_EQ(json["lessons"].size(), allLessons().value().size());
    test::expectText(outcome.out);
    test::expectNarrow(outcome.out);
    for (const auto& lesson : json["lessons"])
        EXPECT_THAT(outcome.out, HasSubstr("\n\n" + lesson["subject"].get<std::string>() + "\n"));
}

TEST(LessonsCommand, everyLessonFitsATerminal)
{
    for (const Lesson& lesson : allLessons().value()) {
        const auto outcome = call({"lessons", lesson.key});
        EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
        EXPECT_EQ(outcome.out.find("{{"), std::string::npos) << lesson.key;
        EXPECT_EQ(outcome.out.find("solution"), std::string::npos) << lesson.key;
    }
}

TEST(LessonsCommand, namesFigures)
{
    const auto outcome = call({"lessons", "--metrics"});
    EXPECT_THAT(outcome.out, testing::AllOf(HasSubstr("overlap"), HasSubstr("pinned_alloc(SIZE)")));
    test::expectNarrow(outcome.out);
}

TEST(LessonsCommand, saysWhatIsWrong)
{
    expectFailure(call({"lessons", "two_copy"}), kExitUsage, "did you mean 'two_copies'?");
    expectFailure(call({"lessons", "two_copies", "--engine", "cpu"}), kExitUsage, "write simulated or gpu");
    expectFailure(call({"lessons", "two_copies", "--exercise", "7"}), kExitUsage, "has 2 exercises");
    expectFailure(call({"lessons", "two_copies", "--set", "batches"}), kExitFailed, "no value");
    expectFailure(call({"lessons", "two_copies", "somewhere"}), kExitUsage, "--lessons DIR");
    expectFailure(call({"lessons", "check", "/nowhere"}), kExitFailed, "cannot be read");
}

TEST_F(OwnLessons, read)
{
    const auto outcome = call({"lessons", "small", "--lessons", folder()});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    test::expectNarrow(outcome.out);
    test::expectGolden("lessons/lesson.txt", outcome.out);
}

TEST_F(OwnLessons, checked)
{
    const auto holds = call({"lessons", "check", folder()});
    EXPECT_THAT(holds.out, testing::StartsWith("small "));
    test::expectText(holds.out);
    test::expectNarrow(holds.out);
    write(test::replaced("- B.wall < A.wall\n```\n\n```rule", "- B.wall > A.wall\n```\n\n```rule"));
    const auto outcome = call({"lessons", "check", folder()});
    EXPECT_EQ(outcome.code, kExitFailed);
    test::expectText(outcome.out);
    write("no lesson");
    EXPECT_THAT(call({"lessons", "check", folder()}).out, HasSubstr("small.md:1: "));
    expectFailure(call({"lessons", "check", folder(), "--only", "small"}), kExitUsage, "small.md:1: ");
}

TEST_F(OwnLessons, aBrokenOneHidesNoOther)
{
    std::ofstream(folder() + "/broken.md") << "no lesson";
    const auto list = call({"lessons", "list", folder()});
    EXPECT_EQ(list.code, kExitFailed);
    test::expectText(list.out);
    EXPECT_THAT(list.err, HasSubstr("broken.md:1: "));
    const auto json = nlohmann::json::parse(call({"lessons", "list", folder(), "--json"}).out);
    EXPECT_EQ(json["lessons"].size(), 1U);
    EXPECT_EQ(json["faults"][0]["line"], 1);
    EXPECT_EQ(call({"lessons", "small", "--lessons", folder()}).code, kExitOk);
    const auto check = call({"lessons", "check", folder()});
    EXPECT_EQ(check.code, kExitFailed);
    EXPECT_THAT(check.out, testing::AllOf(HasSubstr("broken.md:1: "), HasSubstr("small ")));
}

TEST(LessonsCommand, checksWhatIsAskedFor)
{
    const auto two = call({"lessons", "check", "--only", "numa", "--only", "two_copies", "--json"});
    EXPECT_EQ(two.code, kExitOk) << two.err;
    const auto json = nlohmann::json::parse(two.out);
    ASSERT_EQ(json["checked"].size(), 2U);
    EXPECT_EQ(json["checked"][0]["lesson"], "numa");
    EXPECT_GT(json["checked"][1]["runs"], 2);
    EXPECT_TRUE(json["unchecked"].empty());
    // With what decided each, so that one sees how nearly.
    const auto& first = json["checked"][0]["statements"][0];
    EXPECT_EQ(first["verdict"], "held here");
    test::expectText(first["figures"].get<std::string>());
    expectFailure(call({"lessons", "check", "--only", "num"}), kExitUsage, "'numa'");
    expectFailure(call({"lessons", "numa", "--only", "numa"}), kExitUsage, "lessons check");
    const auto none = call({"lessons", "check", "--time-limit", "1e-9"});
    EXPECT_EQ(none.code, kExitFailed);
    test::expectText(none.err);
}

TEST_F(OwnLessons, exercisesTried)
{
    const std::vector<std::string> arguments{"lessons", "small", "--lessons", folder(), "--exercise", "1"};
    const auto missed = call(arguments);
    EXPECT_EQ(missed.code, kExitFailed);
    test::expectText(missed.out);
    std::vector<std::string> solved = arguments;
    solved.insert(solved.end(), {"--set", "pin=ring"});
    EXPECT_THAT(call(solved).out, HasSubstr("Reached."));
    std::vector<std::string> cheating = arguments;
    cheating.insert(cheating.end(), {"--set", "compute_us=1"});
    test::expectText(call(cheating).out);
}

TEST_F(OwnLessons, exported)
{
    const std::string page = folder() + "/small.html";
    const auto outcome = call({"lessons", "small", "--lessons", folder(), "--export", page});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    test::expectText(test::pageText(test::readFile(page)));
}

}  // namespace
}  // namespace overlane
