// `overlane try` as a process, with a small torch in the shape of PyTorch's. What may be said of times is tested with
// TrialSeries, what the hook does in a program with TrialRunner.
#include <cstdlib>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"
#include "tests/unit/cli/child_program.h"

namespace overlane
{
namespace
{

using namespace std::string_literals;
using Json = nlohmann::json;
using test::ChildProgram;
using testing::HasSubstr;

class TryCommandTest : public testing::Test
{
protected:
    void SetUp() override
    {
        if (std::system("python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' > /dev/null 2>&1") != 0)
            GTEST_SKIP() << "no Python 3.8 here";
        setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
        setenv("PYTHONPATH", OVERLANE_SOURCE_DIR "/tests/unit/pytorch/fake_torch", 1);
    }
    void TearDown() override { unsetenv("PYTHONPATH"); }

    static std::vector<std::string> arguments(std::vector<std::string> options,
                                              const std::vector<std::string>& program = {})
    {
        options.insert(options.begin(), "try");
        const std::string script = std::string(OVERLANE_SOURCE_DIR) + "/tests/unit/pytorch/scripts/copies.py";
        for (const std::string& word : {"--no-recording"s, "--batches"s, "20"s, "--"s, "python3"s, script})
            options.push_back(word);
        options.insert(options.end(), program.begin(), program.end());
        return options;
    }

    test::TempDir m_dir;
};

TEST_F(TryCommandTest, TellsWhatIsFasterAndWhichLinesToChange)
{
    ChildProgram program(m_dir, arguments({"--budget", "60s"}, {"--stream"}));
    EXPECT_EQ(program.wait(), 0) << program.err();
    EXPECT_THAT(program.err(), testing::AllOf(HasSubstr("the loader of copies.py:44"), HasSubstr("as it is")));
    const std::string out = program.out();
    EXPECT_THAT(out, HasSubstr("Faster: pin_memory=True, non_blocking=True takes"));
    EXPECT_THAT(out, HasSubstr("copies.py:44  loader = DataLoader(data, batch_size=4"));
    EXPECT_THAT(out, HasSubstr("pass pin_memory=True\n"));
    EXPECT_THAT(out, HasSubstr("[one.to(\"cuda\") for one in batch]\n"));
    EXPECT_THAT(out, HasSubstr("pass non_blocking=True"));
    EXPECT_THAT(out, HasSubstr("The dataset is iterable"));
    test::expectNarrow(out);
}

TEST_F(TryCommandTest, JsonHasEveryRun)
{
    ChildProgram program(m_dir, arguments({"--budget", "1s", "--json"}));
    EXPECT_EQ(program.wait(), 0) << program.err();
    const Json tried = Json::parse(program.out());
    EXPECT_EQ(tried["batches"], 20);
    EXPECT_EQ(tried["rows"][0]["change"], "as it is");
    EXPECT_TRUE(tried["budget_spent"]);
    std::size_t runs = 0;
    for (const Json& row : tried["rows"])
        runs += row["runs_ns"].size();
    EXPECT_EQ(tried["runs"], runs);
    EXPECT_TRUE(tried["answer"].is_null()) << "nothing is claimed of so few runs";
    EXPECT_EQ(tried["copies"][0]["waits"], tried["copies"][0]["copies"]);
    test::expectText(tried["loader_text"].get<std::string>());
    EXPECT_TRUE(tried["change_lines"].empty());
    test::expectText(tried["remarks"].back().get<std::string>());
}

TEST_F(TryCommandTest, JsonHasTheLinesToChange)
{
    ChildProgram program(m_dir, arguments({"--budget", "60s", "--json"}, {"--stream"}));
    EXPECT_EQ(program.wait(), 0) << program.err();
    const Json tried = Json::parse(program.out());
    ASSERT_FALSE(tried["answer"].is_null()) << program.out();
    const Json& lines = tried["change_lines"];
    ASSERT_GE(lines.size(), 1U);
    EXPECT_EQ(lines[0]["line"], 44);
    EXPECT_THAT(lines[0]["code"].get<std::string>(), HasSubstr("DataLoader(data"));
    EXPECT_EQ(lines[0]["text"], "pass pin_memory=True");
    const Json& best = tried["rows"][tried["answer"].get<std::size_t>()];
    EXPECT_THAT(best["claim"].get<std::string>(), HasSubstr(", faster"));
}

TEST_F(TryCommandTest, CancelledItTellsWhatItHas)
{
    ChildProgram program(m_dir, arguments({"--budget", "60s"}));
    ASSERT_TRUE(program.waitUntil([&] { return program.err().find("  1  as it is") != std::string::npos; }));
    program.send(SIGINT);
    EXPECT_EQ(program.wait(), 130);
    EXPECT_THAT(program.out(), testing::AllOf(HasSubstr("as it is"), HasSubstr("cancelled before more could be told")));
}

TEST_F(TryCommandTest, SaysWhatItCannotTry)
{
    ChildProgram plain(m_dir, {"try", "--no-recording", "--", "true"});
    EXPECT_EQ(plain.wait(), 1);
    test::expectText(plain.err());

    ChildProgram few(m_dir, arguments({}, {"--samples", "16"}));
    EXPECT_EQ(few.wait(), 1);
    test::expectText(few.err());

    test::expectFailure(test::call({"try"}), 2, "which program?");
}

}  // namespace
}  // namespace overlane
