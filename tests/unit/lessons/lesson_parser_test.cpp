#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "core/lessons/embedded_lessons.h"
#include "core/lessons/lesson.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/lessons/lesson_sample.h"

namespace overlane
{
namespace
{

using test::kSmallLesson;
using test::replaced;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string errorOf(const std::string& text)
{
    const auto lesson = parseLesson(text, "small.md");
    return lesson.ok() ? std::string("no error") : lesson.error();
}

TEST(LessonParser, readsEveryPart)
{
    const auto parsed = parseLesson(kSmallLesson, "small.md");
    ASSERT_TRUE(parsed.ok()) << parsed.error();
    const Lesson& lesson = parsed.value();
    EXPECT_EQ(lesson.key, "small");
    EXPECT_EQ(lesson.minutes, 3);
    ASSERT_EQ(lesson.scenarios.size(), 2u);
    EXPECT_EQ(lesson.find("B")->scenario.pin, PinStrategy::Ring);
    EXPECT_EQ(lesson.find("B")->scenario.batches, 16);
    EXPECT_EQ(lesson.find("B")->commandLine(),
              "overlane run --preset pageable_blocking --set produce_us=0 --set batches=16 --set compute_us=6000 --set "
              "pin=ring");
    const auto twice = parseLesson(replaced("set: pin=ring", "set: pin=ring batches=8"), "small.md");
    ASSERT_TRUE(twice.ok());
    EXPECT_EQ(twice.value().find("B")->commandLine(),
              "overlane run --preset pageable_blocking --set produce_us=0 --set compute_us=6000 --set pin=ring --set "
              "batches=8");
    ASSERT_EQ(lesson.predictions.size(), 2u);
    EXPECT_EQ(lesson.predictions[0].choices.size(), 2u);
    EXPECT_DOUBLE_EQ(lesson.predictions[1].tolerance, 0.1);
    EXPECT_THAT(lesson.compared, ElementsAre("wall", "h2d"));
    EXPECT_EQ(lesson.rule.source.text, "a page");
    EXPECT_EQ(lesson.rule.source.url, "https://example.org/page");
    EXPECT_EQ(lesson.claims.at(0).source.text, "hearsay");
    EXPECT_THAT(lesson.exercises.at(0).knobs, ElementsAre("pin"));
    EXPECT_THAT(lesson.exercises.at(0).solution, ElementsAre("pin=ring"));
}

TEST(LessonParser, namesTheLine)
{
    test::expectText(errorOf(replaced("preset: pageable_blocking", "preset: pageable")));
    test::expectText(errorOf(replaced("B took {{B.wall}}.", "B took\n{{B.wal}}.")));
    test::expectText(errorOf(replaced("if not: It did not.", "if not: {{B.wal}}")));
}

TEST(LessonParser, saysWhatIsExpected)
{
    const std::pair<std::string, const char*> kFaults[] = {
        {"hello", "begins with a line '---'"},
        {replaced("minutes: 3\n", ""), "needs a line 'minutes: ...'"},
        {replaced("minutes: 3", "minutes: soon"), "a whole number from 1 to 120"},
        {replaced("minutes: 3", "minuts: 3"), "has no field 'minuts'"},
        {replaced("key: small", "key: Small lesson"), "may hold a-z"},
        {replaced("key: small", "key: small\nkey: small"), "for the second time"},
        {replaced("title: A small lesson", "title:"), "'title' is empty"},
        {replaced("```scenario B", "```scenrio B"), "there is no block 'scenrio'"},
        {replaced("```scenario B", "```scenario A"), "a letter of its own"},
        {replaced("base: A", "base: C"), "names a scenario further up"},
        {replaced("pin=ring", "pin=rink"), "choose one of"},
        {replaced("pin=ring", "pin"), "write key=value"},
        {replaced("produce_us=0", "gpu_node=1"), "NUMA"},
        {replaced("- A :: A.wall <= B.wall\n", ""), "at least two choices"},
        {replaced("- A :: A.wall <= B.wall", "- A"), "a choice is written"},
        {replaced("- A :: A.wall <= B.wall", "- A :: A.wall"), "a comparison"},
        {replaced("answer: A.wall / B.wall", "answer: A.wall < B.wall"), "a figure is expected"},
        {replaced("tolerance: 10 %", "tolerance: 10 ms"), "a share of the answer"},
        {replaced("- wall, h2d", "- wall, h2t"), "no metric 'h2t'"},
        {replaced("text: Pin it. Then copy.", "text: Pin it."), "has 1 sentence; write two"},
        {replaced("{{A.batch_bytes}}", "{{A.wall}}"), "before the prediction is made"},
        {replaced("{{A.batch_bytes}}", "{{A.batch_bytes"), "must end with '}}'"},
        {replaced("{{A.batch_bytes}}", "{{A.batch_bytes | times}}"), "not shown as a number"},
        {replaced("{{A.batch_bytes}}", "{{A.batch_bytes | loud}}"), "'times', '%' or 'count'"},
        {replaced("knobs: pin\n", "knobs: pni\n"), "no setting 'pni'"},
        {replaced("solution: pin=ring", "solution: workers=3"), "not among the knobs"},
        {replaced("from: B", "from: Z"), "no scenario 'Z'"},
        {replaced("goal: kernels > 200 ms", "goal: A.kernels > 200 ms"), "no run 'A' here"},
        {replaced("```leaves-out\n- Much.\n```\n", ""), "needs a block 'leaves-out'"},
        {std::string(kSmallLesson) +
             "```exercise\ntask: x\nfrom: A\nknobs: pin\ngoal: wall > 1 ms\nsolution: pin=ring\n```\n",
         "two blocks 'exercise'"},
        {std::string(kSmallLesson) + "```claim\nsays: x\n", "has no end"},
        {std::string(kSmallLesson) + "```gpu-needs\nholds: A.wall\notherwise: x\n```\n", "A.wall"},
        {std::string(kSmallLesson) + "```gpu-needs\nholds: A.wall > 1 ms\n```\n", "needs a line 'otherwise"},
        {std::string(kSmallLesson) + "```python\nx\n", "has no end"},
        {replaced("says: Pinning is slower.", "Pinning is slower."), "holds lines 'name: value'"},
        {replaced("label: pageable\n", "  stray\nlabel: pageable\n"), "continues no field"},
    };
    for (const auto& [text, part] : kFaults) {
        EXPECT_THAT(errorOf(text), HasSubstr(part));
        EXPECT_THAT(errorOf(text), StartsWith("small.md:"));
    }
}

// Of the device that the first scenario runs on, before it is known that there is a first.
TEST(LessonParser, needsScenariosBeforeItAsksTheirDevice)
{
    const std::string text =
        "---\nkey: none\ntitle: None\nsummary: One.\nminutes: 3\n---\n```predict\n"
        "question: How long does {{device.transfer(48 MiB)}} take?\n```\n";
    test::expectText(errorOf(text));
}

TEST(LessonParser, continuesFieldsAndKeepsCode)
{
    const auto parsed =
        parseLesson(replaced("B took {{B.wall}}.", "```python\nx = {{1}}\n```\n\nB took it."), "small.md");
    ASSERT_TRUE(parsed.ok()) << parsed.error();
    test::expectText(parsed.value().seen.markdown());
    const auto longer = parseLesson(replaced("summary: One sentence.", "summary: One\n  sentence."), "small.md");
    ASSERT_TRUE(longer.ok());
    EXPECT_EQ(longer.value().summary, "One sentence.");
}

class LessonFolder : public testing::Test
{
protected:
    void write(const std::string& name, const std::string& text) const
    {
        std::ofstream(m_folder.path() / name) << text;
    }
    std::string path(const std::string& name = {}) const { return (m_folder.path() / name).string(); }
    LessonLibrary read() const
    {
        auto library = readLessonLibrary(m_folder.path().string());
        EXPECT_TRUE(library.ok()) << library.error();
        return library.ok() ? std::move(library).value() : LessonLibrary();
    }
    static std::vector<std::string> keys(const LessonLibrary& library)
    {
        std::vector<std::string> keys;
        for (const Lesson& lesson : library.lessons)
            keys.push_back(lesson.key);
        return keys;
    }

private:
    test::TempDir m_folder;
};

TEST_F(LessonFolder, comesInTheOrderOfItsListThenByName)
{
    test::expectText(readLessonLibrary(path("none")).error());
    test::expectText(readLessonLibrary(path()).error());
    write("small.md", std::string(kSmallLesson));
    write("README.md", "about this folder");
    EXPECT_THAT(keys(read()), ElementsAre("small"));
    write("other.md", replaced("key: small", "key: other\nnext: small"));
    write("a.md", replaced("key: small", "key: a"));
    EXPECT_THAT(keys(read()), ElementsAre("a", "other", "small"));
    write("order.txt", "other  # first\n\nsmall\n");
    EXPECT_THAT(keys(read()), ElementsAre("other", "small", "a"));
    EXPECT_TRUE(read().faults.empty());
}

TEST_F(LessonFolder, keepsTheLessonsOfASubjectTogether)
{
    write("a.md", replaced("key: small", "key: a\nsubject: Loaders"));
    write("b.md", replaced("key: small", "key: b\nsubject: Links"));
    write("c.md", replaced("key: small", "key: c"));
    write("d.md", replaced("key: small", "key: d\nsubject: Loaders"));
    const LessonLibrary library = read();
    EXPECT_THAT(keys(library), ElementsAre("a", "d", "b", "c"));
    std::vector<std::string> headings;
    for (std::size_t place = 0; place < library.lessons.size(); ++place)
        if (beginsSubject(library.lessons, place))
            headings.emplace_back(subjectHeading(library.lessons[place]));
    EXPECT_THAT(headings, ElementsAre("Loaders", "Links", "Other lessons"));
    // Where none has a subject there is nothing to head.
    EXPECT_FALSE(beginsSubject(std::span(library.lessons).last(1), 0));
}

TEST_F(LessonFolder, aSubjectIsAHeading)
{
    write("small.md", replaced("key: small", "key: small\nsubject: " + std::string(41, 's')));
    const LessonLibrary library = read();
    ASSERT_EQ(library.faults.size(), 1U);
    EXPECT_EQ(library.faults[0].line, 3);
    test::expectText(library.faults[0].message);
}

// A list of many needs them, and those of the program come as their order says.
TEST(Lessons, haveSubjectsInTheOrderOfTeaching)
{
    std::vector<std::string> subjects;
    for (const Lesson& lesson : allLessons().value()) {
        EXPECT_FALSE(lesson.subject.empty()) << lesson.key;
        if (subjects.empty() || subjects.back() != lesson.subject)
            subjects.push_back(lesson.subject);
    }
    EXPECT_GE(subjects.size(), 4U);
    EXPECT_LE(subjects.size(), 8U);
    std::vector<std::string> keys;
    std::istringstream order{std::string(embeddedLessonOrder())};
    for (std::string line; std::getline(order, line);)
        if (!line.starts_with('#'))
            keys.push_back(line);
    ASSERT_EQ(keys.size(), allLessons().value().size());
    for (std::size_t place = 0; place < keys.size(); ++place)
        EXPECT_EQ(allLessons().value()[place].key, keys[place]);
}

TEST_F(LessonFolder, oneBrokenFileHidesNoOther)
{
    write("small.md", replaced("key: small", "key: small\nnext: broken"));
    write("broken.md", replaced("key: small", "key: broken").replace(0, 3, "--"));
    write("tall.md", replaced("key: small", "key: wide"));
    write("units.md", replaced("key: small", "key: units").append("\n```expect\n- A.wall > A.batch_bytes\n```\n"));
    const LessonLibrary library = read();
    ASSERT_THAT(keys(library), ElementsAre("small"));
    EXPECT_TRUE(library.lessons[0].next.empty());
    ASSERT_EQ(library.faults.size(), 3U);
    EXPECT_EQ(library.faults[0].file, path("broken.md"));
    EXPECT_EQ(library.faults[0].line, 1);
    EXPECT_THAT(library.faults[1].text(), StartsWith(path("tall.md") + ": the key is 'wide'"));
    EXPECT_GT(library.faults[2].line, 70);
    test::expectText(library.faults[2].message);
    EXPECT_EQ(library.faults[2].text().find(path("units.md") + ":"), 0U);
}

TEST_F(LessonFolder, whatLeadsNowhereIsNamedAndLeftOut)
{
    write("small.md", replaced("key: small", "key: small\nnext: gone"));
    write("order.txt", "third\n\nsmall\nsmall\n");
    const LessonLibrary library = read();
    EXPECT_THAT(keys(library), ElementsAre("small"));
    ASSERT_EQ(library.faults.size(), 3U);
    EXPECT_EQ(library.faults[0].file, path("order.txt"));
    EXPECT_EQ(library.faults[0].line, 1);
    test::expectText(library.faults[0].message);
    EXPECT_EQ(library.faults[1].line, 4);
    test::expectText(library.faults[2].message);
}

TEST(LessonParser, refusesATextOfThousandsOfPages)
{
    const auto lesson = parseLesson(std::string(static_cast<std::size_t>(kLongestLessonBytes) + 1, '['), "long.md");
    ASSERT_FALSE(lesson.ok());
    test::expectText(lesson.error());
}

}  // namespace
}  // namespace overlane
