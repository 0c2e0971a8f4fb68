// What a file can do to the command line: each kind of damage gets one sentence that names the file
// and what is wrong with it, and an exit code; what can be read in spite of it is reported.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>
#include <zlib.h>

#include "core/cli/cli.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using test::TempDir;
using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::json;

struct BadInputOutcome {
    int code = 0;
    std::string out;
    std::string err;
};

BadInputOutcome callWith(const std::vector<std::string>& arguments)
{
    std::ostringstream out, err;
    const int code = runCli(arguments, out, err);
    return {code, out.str(), err.str()};
}

struct BadFile {
    const char* label;
    std::string content;
    int code;
    const char* said;  // part of the sentence
};

std::string withEvent(const std::string& event)
{
    return R"({"traceEvents": [{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":2}, )" + event + "]}";
}

class BadFileTest : public testing::TestWithParam<BadFile>
{
};

TEST_P(BadFileTest, GetsOneSentenceFromEveryCommand)
{
    const TempDir dir;
    const std::string file = dir.write("bad.json", GetParam().content);
    const std::string target = dir.path("target.overlane");
    for (const auto& arguments :
         {std::vector<std::string>{"info", file}, {"info", "--json", file}, {"convert", file, target}}) {
        const BadInputOutcome outcome = callWith(arguments);
        EXPECT_EQ(outcome.code, GetParam().code) << outcome.err;
        EXPECT_THAT(outcome.err, StartsWith("overlane: "));
        EXPECT_THAT(outcome.err, HasSubstr("bad.json"));
        EXPECT_THAT(outcome.err, HasSubstr(GetParam().said));
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        EXPECT_EQ(outcome.out.empty(), outcome.code == kExitFailed);
    }
    EXPECT_EQ(std::filesystem::exists(target), GetParam().code == kExitDamaged);
}

INSTANTIATE_TEST_SUITE_P(
    Cli, BadFileTest,
    testing::Values(BadFile{"Empty", "", kExitFailed, "is empty"},
                    BadFile{"UnknownFormat", "neither this nor that", kExitFailed, "no known format"},
                    BadFile{"BinaryNoise",
                            std::string("\x7f"
                                        "ELF\x02\x01\0\0\xff\xfe",
                                        10),
                            kExitFailed, "no known format"},
                    BadFile{"OtherJson", R"({"answer": 42})", kExitFailed, "traceEvents"},
                    BadFile{"EventsAreNoList", R"({"traceEvents": {"ph": "X"}})", kExitFailed, "traceEvents"},
                    BadFile{"CutBeforeTheFirstEvent", R"({"traceEvents": [{"ph":"X","ts)", kExitDamaged, "byte"},
                    BadFile{"CutInAnEvent", withEvent("").substr(0, 60), kExitDamaged, "byte"},
                    BadFile{"BrokenEvent", withEvent(R"({"ph":"X","name:"a","ts":1,"dur":2})"), kExitDamaged, "byte"},
                    BadFile{"CutGzip", std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03\xab", 11), kExitFailed,
                            "decompressed"}),
    [](const auto& each) { return std::string(each.param.label); });

struct BadEvent {
    const char* label;
    const char* event;
    const char* reason;
};

class BadEventTest : public testing::TestWithParam<BadEvent>
{
};

TEST_P(BadEventTest, IsCountedAndTheRestIsJudged)
{
    const TempDir dir;
    const std::string file = dir.write("odd.json", withEvent(GetParam().event));
    const BadInputOutcome json = callWith({"info", "--json", file});
    EXPECT_EQ(json.code, kExitOk) << json.err;
    EXPECT_EQ(Json::parse(json.out).at("skipped").at(GetParam().reason), 1);
    EXPECT_EQ(Json::parse(json.out).at("events"), 1);
    test::expectText(callWith({"info", file}).out);
}

INSTANTIATE_TEST_SUITE_P(
    Cli, BadEventTest,
    testing::Values(BadEvent{"WrongType", R"({"ph":"X","name":"a","ts":{"a":1},"dur":1})", "bad_time"},
                    BadEvent{"NoObject", "17", "not_an_object"},
                    BadEvent{"HugeInteger", R"({"ph":"X","name":"a","ts":99999999999999999999,"dur":1})", "bad_time"},
                    BadEvent{"HugeDuration", R"({"ph":"X","name":"a","ts":1,"dur":9223372036854775808})",
                             "bad_duration"},
                    BadEvent{"NegativeTime", R"({"ph":"X","name":"a","ts":-5,"dur":1})", "negative_time"},
                    BadEvent{"NegativeDuration", R"({"ph":"X","name":"a","ts":5,"dur":-1})", "negative_duration"},
                    BadEvent{"NaN", R"({"ph":"X","name":"a","ts":NaN,"dur":1})", "bad_time"}),
    [](const auto& each) { return std::string(each.param.label); });

TEST(BadInputTest, AGzipBombIsRefusedWithTheFileNamed)
{
    const TempDir dir;
    const std::string path = dir.path("bomb.json.gz");
    gzFile file = gzopen(path.c_str(), "wb6");
    gzputs(file, "{\"traceEvents\": [");
    const std::string spaces(1 << 20, ' ');
    for (int mib = 0; mib < 160; ++mib)
        gzwrite(file, spaces.data(), static_cast<unsigned>(spaces.size()));
    gzclose(file);
    const BadInputOutcome outcome = callWith({"info", path});
    EXPECT_EQ(outcome.code, kExitFailed);
    EXPECT_THAT(outcome.err, HasSubstr("bomb.json.gz"));
    EXPECT_THAT(outcome.err, HasSubstr("times"));
}

// Takes the rights of nobody while it lives, so that the superuser meets permissions too.
class AsNobody
{
public:
    AsNobody() : m_active(geteuid() == 0 && seteuid(65534) == 0) {}
    ~AsNobody()
    {
        if (m_active && seteuid(0) != 0)
            std::abort();
    }
    AsNobody(const AsNobody&) = delete;
    AsNobody& operator=(const AsNobody&) = delete;

private:
    bool m_active;
};

TEST(BadInputTest, WithoutPermissionTheFileIsNamed)
{
    const TempDir dir;
    const std::string file = dir.write("secret.json", "[]");
    std::filesystem::permissions(file, std::filesystem::perms::none);
    const AsNobody nobody;
    if (std::ifstream(file).good())
        GTEST_SKIP() << "this user may read every file";
    for (const auto& arguments :
         {std::vector<std::string>{"info", file}, {"run", "--set", "batches=2", "-o", dir.path("run.overlane")}}) {
        const BadInputOutcome outcome = callWith(arguments);
        EXPECT_EQ(outcome.code, kExitFailed);
        EXPECT_THAT(outcome.err, HasSubstr(arguments.back()));
        EXPECT_THAT(outcome.err, HasSubstr("ermission"));
    }
}

TEST(BadInputTest, AFolderIsNotATrace)
{
    const TempDir dir;
    for (const auto& arguments : {std::vector<std::string>{"info", dir.path().string()},
                                  {"run", "--set", "batches=2", "-o", dir.path().string()}}) {
        const BadInputOutcome outcome = callWith(arguments);
        EXPECT_EQ(outcome.code, kExitFailed);
        test::expectText(outcome.err);
    }
}

TEST(BadInputTest, AFileThatIsNotThereIsNamed)
{
    const TempDir dir;
    const std::string target = dir.path("x.overlane");
    for (const auto& arguments :
         {std::vector<std::string>{"info", dir.path("missing.json")}, {"convert", dir.path("missing.json"), target}}) {
        const BadInputOutcome outcome = callWith(arguments);
        EXPECT_EQ(outcome.code, kExitFailed);
        EXPECT_THAT(outcome.err, HasSubstr("missing.json"));
    }
    EXPECT_FALSE(std::filesystem::exists(target));
}

// Texts that commands read whole, where a folder is named.
TEST(BadTextTest, AFolderIsNamedWithTheReason)
{
    const TempDir dir;
    const std::string folder = dir.path("folder");
    std::filesystem::create_directory(folder);
    for (const auto& arguments : {std::vector<std::string>{"check", "--rules", folder, "x.json"},
                                  {"calibrate", "--from", folder},
                                  {"fidelity", folder}}) {
        const BadInputOutcome outcome = callWith(arguments);
        EXPECT_NE(outcome.code, kExitOk) << arguments.front();
        EXPECT_EQ(outcome.err, "overlane: " + folder + " cannot be read: Is a directory.\n") << arguments.front();
    }
}

TEST(BadInputTest, SizesThatAreNoneAreNamedWithTheirOption)
{
    std::vector<std::string> said;
    for (const char* size : {"-5GB", "-1", "0", "0.4", "nan", "inf", "abc", "5XB", "1e30GB", "9223372036854775808", ""})
        for (const std::vector<std::string>& options : std::initializer_list<std::vector<std::string>>{
                 {"record", "--max-size"}, {"watch", "--max-size"}, {"pressure", "--dry-run", "--limit"}}) {
            std::vector<std::string> arguments = options;
            arguments.insert(arguments.end(), {size, "--", "true"});
            if (options.front() == "pressure")
                arguments.resize(arguments.size() - 2);
            const BadInputOutcome outcome = callWith(arguments);
            EXPECT_EQ(outcome.code, 2) << size;
            EXPECT_EQ(outcome.out, "");
            if (options.front() == "record" || said.size() < 3)
                said.push_back(outcome.err);
        }
    said.push_back(callWith({"pressure", "--dry-run", "--swap", "-1"}).err);
    test::expectText(said);
}

TEST(BadInputTest, SizesMayHaveAPointAndAUnitInAnyCase)
{
    const auto limit = [](const char* size) { return callWith({"pressure", "--dry-run", "--limit", size}).out; };
    for (const char* size : {"536870912", "512MiB", "512m", "0.5 GiB", "512mb"})
        EXPECT_EQ(limit(size), limit("0.5G")) << size;
}

}  // namespace
}  // namespace overlane
