// `overlane watch` with a program that stands for one on a GPU.
#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/support/expect_text.h"
#include "tests/unit/cli/called_command.h"
#include "tests/unit/cli/child_program.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using test::ChildProgram;
using test::TempDir;
using testing::HasSubstr;

class WatchCommandTest : public testing::Test
{
protected:
    void SetUp() override
    {
        setenv("TMPDIR", m_temporary.path().c_str(), 1);
        setenv("OVERLANE_TEST_END", m_dir.path("end").c_str(), 1);
    }
    void TearDown() override
    {
        for (const char* name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "OVERLANE_TEST_END", "TMPDIR"})
            unsetenv(name);
    }
    std::vector<std::string> arguments(const std::vector<std::string>& more, const std::string& steps = "0") const
    {
        std::vector<std::string> all{"watch", "--every", "0.2s", "--iterations", "6", "--after", "2"};
        all.insert(all.end(), more.begin(), more.end());
        all.insert(all.end(), {"--", OVERLANE_RECORDED_PROGRAM, steps, "3", "windows"});
        return all;
    }
    void end() const { std::ofstream(m_dir.path("end")) << ""; }
    static std::size_t lines(const std::string& text)
    {
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
    std::vector<std::string> names(const std::string& folder) const
    {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(m_dir.path(folder)))
            found.push_back(entry.path().filename().string());
        return found;
    }
    static bool cannotRecord(ChildProgram& program) { return program.err().find("cannot record") != std::string::npos; }
    static std::string shown(std::string text)
    {
        text = std::regex_replace(text, std::regex(R"(\d\d:\d\d:\d\d)"), "TIME");
        text = std::regex_replace(text, std::regex(R"([+-]?\d[\d.]*( [a-z%µ]+)?)"), "#");
        return text.substr(0, text.find('\n'));
    }

    TempDir m_dir;
    TempDir m_temporary;
    TempDir m_output;
};

TEST_F(WatchCommandTest, ATimeThatIsNoNumberIsRefused)
{
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--duration", "nan"}, {"--every", "nan"}, {"--duration", "-nan"}}) {
        std::vector<std::string> all{"watch"};
        all.insert(all.end(), words.begin(), words.end());
        EXPECT_EQ(test::call(all).code, 2) << words.back();
        EXPECT_THAT(test::call(all).err, HasSubstr(words.front()));
    }
}

TEST_F(WatchCommandTest, ARecordingForAnEmptyHostIsNotMadeHere)
{
    const test::Outcome outcome = test::call({"record", "--host", ""});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--host: "));
}

TEST_F(WatchCommandTest, AsJsonEachLineIsAnObject)
{
    ChildProgram watch(m_output, arguments({"--json"}));
    const auto written = [&] { return lines(watch.err()); };
    if (!watch.waitUntil([&] { return written() >= 3; }) && cannotRecord(watch))
        GTEST_SKIP() << "this build cannot record";
    end();
    EXPECT_EQ(watch.wait(), 0);
    EXPECT_EQ(watch.out(), "") << "the program's own";
    std::istringstream stream(watch.err());
    std::int64_t number = 0;
    for (std::string line; std::getline(stream, line);) {
        const auto json = nlohmann::json::parse(line);
        ASSERT_TRUE(json.contains("window")) << line;
        EXPECT_EQ(json["window"], ++number);
        EXPECT_GT(json["step_ns"], 0);
        EXPECT_TRUE(json["rank"].is_null());
        EXPECT_EQ(json["metrics"].front()["name"].get<std::string>().substr(0, 9), "overlane_");
    }
    EXPECT_GE(number, 3);
}

TEST_F(WatchCommandTest, EachWindowIsALineAndMetricsAndItsTraceGoes)
{
    ChildProgram watch(m_output,
                       arguments({"--metrics", m_dir.path("watch.prom"), "--otlp", m_dir.path("watch.jsonl")}));
    const auto written = [&] { return lines(test::readFile(m_dir.path("watch.jsonl"))); };
    if (!watch.waitUntil([&] { return written() >= 3; }) && cannotRecord(watch))
        GTEST_SKIP() << "this build cannot record";
    const std::string metrics = test::readFile(m_dir.path("watch.prom"));
    EXPECT_THAT(metrics, HasSubstr("overlane_step_seconds{job=\"recorded_program\",host="));
    EXPECT_TRUE(metrics.ends_with("# EOF\n"));
    end();
    EXPECT_EQ(watch.wait(), 0);
    EXPECT_EQ(watch.out(), "") << "the program's own";
    EXPECT_FALSE(fs::exists(m_dir.path("watch.prom"))) << "what is over is no figure of now";
    test::expectText(shown(watch.err()));
    EXPECT_EQ(lines(watch.err()), written());
    std::istringstream stream(test::readFile(m_dir.path("watch.jsonl")));
    for (std::string line; std::getline(stream, line);)
        EXPECT_TRUE(nlohmann::json::parse(line)["resourceMetrics"].is_array());
    EXPECT_TRUE(fs::is_empty(m_temporary.path())) << "no trace, no spool";
}

TEST_F(WatchCommandTest, TheLastTracesAndTheSlowestStay)
{
    ChildProgram watch(m_output, arguments({"--keep", "2", "-o", m_dir.path("windows"), "--otlp", m_dir.path("w")}));
    if (!watch.waitUntil([&] { return lines(test::readFile(m_dir.path("w"))) >= 5; }) && cannotRecord(watch))
        GTEST_SKIP() << "this build cannot record";
    end();
    EXPECT_EQ(watch.wait(), 0);
    const std::vector<std::string> kept = names("windows");
    EXPECT_GE(kept.size(), 2u);
    EXPECT_LE(kept.size(), 3u);
    const std::string said = watch.err();
    const std::size_t at = said.rfind(m_dir.path("windows/"));
    ASSERT_NE(at, std::string::npos) << said;
    EXPECT_THAT(kept, testing::Contains(said.substr(at + m_dir.path("windows/").size(), kept[0].size()))) << "is named";
    for (const std::string& name : kept)
        EXPECT_EQ(test::call({"info", m_dir.path("windows/" + name)}).code, 0) << name;
}

TEST_F(WatchCommandTest, ARankHasFilesOfItsOwnAndLeavesLinesToTheFirst)
{
    setenv("RANK", "1", 1);
    setenv("LOCAL_RANK", "1", 1);
    setenv("WORLD_SIZE", "2", 1);
    ChildProgram watch(m_output, arguments({"--keep", "9", "-o", m_dir.path("windows"), "--otlp", m_dir.path("w.jsonl"),
                                            "--job", "big"},
                                           "300"));
    if (watch.wait() != 0 && cannotRecord(watch))
        GTEST_SKIP() << "this build cannot record";
    EXPECT_EQ(watch.err().find(": step "), std::string::npos) << watch.err();
    const std::vector<std::string> lines = names("");
    const auto file = std::find_if(lines.begin(), lines.end(), [](const std::string& name) {
        return name.starts_with("w-rank01-") && name.ends_with(".jsonl");
    });
    ASSERT_NE(file, lines.end());
    EXPECT_THAT(test::readFile(m_dir.path(*file)), HasSubstr(R"("stringValue":"big")"));
    EXPECT_THAT(test::readFile(m_dir.path(*file)), HasSubstr(R"({"key":"overlane.rank","value":{"stringValue":"1"}})"));
    for (const std::string& name : names("windows"))
        EXPECT_TRUE(name.starts_with("rank01-") && name.ends_with(".overlane")) << name;
}

TEST_F(WatchCommandTest, SignalsGoToTheProgram)
{
    ChildProgram watch(m_output, arguments({"--otlp", m_dir.path("w.jsonl")}));
    if (!watch.waitUntil([&] { return lines(test::readFile(m_dir.path("w.jsonl"))) >= 1; }) && cannotRecord(watch))
        GTEST_SKIP() << "this build cannot record";
    watch.send(SIGTERM);
    EXPECT_EQ(watch.wait(), 128 + SIGTERM);
    EXPECT_TRUE(fs::is_empty(m_temporary.path()));
}

TEST_F(WatchCommandTest, WhatCannotBeIsSaidBeforeTheProgramStarts)
{
    std::string said;
    const auto fails = [&](std::vector<std::string> more, int code) {
        more.insert(more.begin(), "watch");
        more.insert(more.end(), {"--", "sh", "-c", "touch " + m_dir.path("ran")});
        const auto outcome = test::call(more);
        EXPECT_EQ(outcome.code, code) << outcome.err;
        said += std::regex_replace(outcome.err, std::regex(m_dir.path("")), "DIR/");
    };
    fails({"--otlp", "http://localhost:4318/v1/metrics"}, 2);
    fails({"--keep", "3"}, 2);
    fails({"--kinds", "nothing"}, 2);
    fails({"--metrics", m_dir.path("none/watch.prom")}, 1);
    fails({"--metrics", m_dir.path("{node}.prom")}, 1);
    fails({"--otlp", "/proc/watch.jsonl"}, 1);
    fails({"-o", "/proc"}, 1);
    test::expectText(said);
    EXPECT_FALSE(fs::exists(m_dir.path("ran")));
}

}  // namespace
}  // namespace overlane
