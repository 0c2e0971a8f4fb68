// picture, called as a function: what is drawn of which range, its size, and the mistakes.
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>

#include "core/base/text_file.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using test::call;
using test::expectFailure;
using test::Outcome;
using test::TempDir;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kPicturedTrace = OVERLANE_SOURCE_DIR "/tests/data/traces/h200/w8_page_nb_side_d16.pt.trace.json.gz";
const std::string kGaugedTrace = OVERLANE_SOURCE_DIR "/resources/samples/dataloader_pageable_blocking.overlane";
const std::string kDataTraces = OVERLANE_SOURCE_DIR "/tests/data/traces";
const std::string kTwoGpus = OVERLANE_SOURCE_DIR "/resources/samples/two_gpus.overlane";

class PictureCommandTest : public testing::Test
{
protected:
    std::string drawn(std::vector<std::string> arguments)
    {
        const std::string path = m_folder.path("drawn.svg");
        arguments.insert(arguments.begin(), "picture");
        arguments.insert(arguments.end(), {"-o", path});
        const Outcome outcome = call(arguments);
        EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
        EXPECT_THAT(outcome.out, StartsWith(path + " written, "));
        return textOfFile(path);
    }

    // The text of every <text>, a line each.
    static std::string words(const std::string& svg)
    {
        std::string all;
        static const std::regex text("<text[^>]*>([^<]*)</text>");
        for (std::sregex_iterator found(svg.begin(), svg.end(), text), end; found != end; ++found)
            all += (*found)[1].str() + "\n";
        return all;
    }

    TempDir m_folder;
};

TEST_F(PictureCommandTest, DrawsATypicalStretchWithVerdictAndLegend)
{
    const std::string svg = drawn({kPicturedTrace});
    test::expectText(words(svg));
    EXPECT_THAT(svg, Not(HasSubstr("var(")));
}

TEST_F(PictureCommandTest, StepsAndTimesAreJudgedAlone)
{
    const std::string steps = words(drawn({"--steps", "3", kPicturedTrace}));
    EXPECT_EQ(steps.find("\nstep "), steps.rfind("\nstep ")) << steps;
    EXPECT_THAT(steps, HasSubstr("\nstep "));
    const std::string times = words(drawn({"--from", "60ms", "--to", "0.061s", kGaugedTrace}));
    test::expectText(times);
    EXPECT_NE(words(drawn({"--whole", kPicturedTrace})), steps);
}

TEST_F(PictureCommandTest, TheSizeIsTheOneAskedFor)
{
    EXPECT_THAT(drawn({"--size", "1600x700", kPicturedTrace}), HasSubstr("width=\"1600\" height=\"700\""));
    EXPECT_THAT(drawn({"--size", "640", kPicturedTrace}), HasSubstr("width=\"640\""));
    EXPECT_NE(drawn({"--theme", "dark", kPicturedTrace}), drawn({kPicturedTrace}));
}

TEST_F(PictureCommandTest, LabelsOfTheRulerEndWithinThePicture)
{
    static const std::regex tick("<text class=\"tick\" x=\"([0-9.]+)\" y=\"15\">([^<]*)</text>");
    constexpr double kCharacterPx = 6;
    int labels = 0;
    for (int toUs = 16'810'000; toUs < 16'820'000; toUs += 250) {
        const std::string svg = drawn({"--from", "16805ms", "--to", std::to_string(toUs) + "us", "--size", "640",
                                       kDataTraces + "/programs/lightning_page.overlane"});
        for (std::sregex_iterator found(svg.begin(), svg.end(), tick), end; found != end; ++found, ++labels)
            EXPECT_LE(std::stod((*found)[1]) + kCharacterPx * static_cast<double>((*found)[2].length() - 2), 640 - 16)
                << (*found)[2] << " up to " << toUs;
    }
    EXPECT_GT(labels, 60);
}

TEST_F(PictureCommandTest, GaugesAreThoseThatMoveInTheRange)
{
    const std::string without = words(drawn({"--whole", kGaugedTrace}));
    const std::string with = words(drawn({"--whole", "--gauges", kGaugedTrace}));
    EXPECT_LT(without.size(), with.size());
    test::expectText(with);
}

TEST_F(PictureCommandTest, JsonNamesFileBytesAndVerdict)
{
    const std::string path = m_folder.path("two.svg");
    const Outcome outcome = call({"picture", "--json", kTwoGpus, "-o", path});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["file"], path);
    EXPECT_EQ(json["bytes"], textOfFile(path).size());
    EXPECT_TRUE(json["verdict"].contains("sentence"));
}

TEST_F(PictureCommandTest, MistakesAreNamed)
{
    const std::string path = m_folder.path("none.svg");
    const auto refused = [&](std::vector<std::string> arguments, int code, const std::string& part) {
        arguments.insert(arguments.begin(), "picture");
        arguments.insert(arguments.end(), {kTwoGpus, "-o", path});
        expectFailure(call(arguments), code, part);
        EXPECT_FALSE(std::filesystem::exists(path));
    };
    refused({"--from", "3"}, kExitUsage, "3 is no time of a trace; write it as 12.5ms");
    refused({"--to", "-3ms"}, kExitUsage, "-3ms is no time of a trace");
    refused({"--from", "9s", "--to", "8s"}, kExitFailed, "Nothing lies from 9s to 8s: the trace goes from 0");
    refused({"--steps", "1-9000"}, kExitFailed, "20 steps");
    refused({"--steps", "x"}, kExitUsage, "write --steps 10-40");
    refused({"--steps", "1", "--whole"}, kExitUsage, "Take one of steps");
    refused({"--size", "10"}, kExitUsage, "write a width of 480");
    refused({"--size", "900x"}, kExitUsage, "write a width of 480");
    refused({"--size", "900x90"}, kExitFailed, "15 lanes need a height of");
    refused({"--theme", "pink"}, kExitUsage, "pink");
    expectFailure(call({"picture", kTwoGpus, "-o", m_folder.path("a.jpg")}), kExitUsage, "no extension of a picture");
    expectFailure(call({"picture", kTwoGpus, "-o", kTwoGpus}), kExitUsage, "no extension of a picture");
    const std::string hosts = OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/hta_rank_non_gpu.json.gz";
    expectFailure(call({"picture", hosts, "-o", path}), kExitFailed, "no lane to draw");
}

// The window program is a script here.
class PictureByWindowTest : public PictureCommandTest
{
protected:
    void SetUp() override
    {
        m_before = std::getenv("PATH");
        setenv("PATH", (m_folder.path().string() + ":/usr/bin:/bin").c_str(), 1);
    }
    void TearDown() override { setenv("PATH", m_before.c_str(), 1); }
    void window(const std::string& script)
    {
        std::filesystem::permissions(m_folder.write("overlane-ui", "#!/bin/sh\n" + script),
                                     std::filesystem::perms::owner_all);
    }

    std::string m_before;
};

TEST_F(PictureByWindowTest, DrawsWhatIsNoSvg)
{
    window("cp \"$3\" \"$2\"\n");
    const std::string path = m_folder.path("a.png");
    const Outcome outcome = call({"picture", kTwoGpus, "-o", path});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    EXPECT_THAT(textOfFile(path), StartsWith("<?xml"));
}

TEST_F(PictureByWindowTest, WhatItSaysIsTheReason)
{
    window("echo 'a message of Qt' >&2\necho 'overlane-ui: There are no fonts here.' >&2\nexit 2\n");
    expectFailure(call({"picture", kTwoGpus, "-o", m_folder.path("a.pdf")}), kExitFailed,
                  "a.pdf was not written. There are no fonts here.");
}

TEST_F(PictureByWindowTest, WithoutItTheSvgIsNamed)
{
    setenv("PATH", m_folder.path().c_str(), 1);
    expectFailure(call({"picture", kTwoGpus, "-o", m_folder.path("a.pdf")}), kExitFailed,
                  "overlane-ui, which is not installed here; an .svg needs nothing");
}

}  // namespace
}  // namespace overlane
