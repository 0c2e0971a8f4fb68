// What the window reads of `overlane try`, and what it suggests to try. Pure functions, no window.
#include "core/trial/trial_answer.h"

#include <gtest/gtest.h>

#include "app/session/command_text.h"
#include "app/trial/budget_box.h"
#include "app/trial/suggested_trial.h"
#include "core/trace/trace.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/trial/stand_in.h"

namespace overlane
{
namespace
{

using test::StandIn;

TrialAnswer faster()
{
    const auto answer = parseTrialAnswer(StandIn::fasterJson().toStdString());
    EXPECT_TRUE(answer.ok());
    return answer.ok() ? answer.value() : TrialAnswer{};
}

TEST(TrialAnswerTest, ReadsRowsLinesAndRemarks)
{
    const TrialAnswer answer = faster();
    ASSERT_EQ(answer.rows.size(), 7U);
    EXPECT_EQ(answer.answer, 6U);
    test::expectText(answer.sentence);
    EXPECT_EQ(answer.rows[1].runsNs.size(), 3U);
    EXPECT_EQ(answer.rows[1].predicted->lowNs, 31'200'000);
    EXPECT_FALSE(answer.rows[3].predicted);
    test::expectText(answer.rows[5].failure);
    ASSERT_EQ(answer.lines.size(), 2U);
    EXPECT_EQ(answer.lines[0].place(), "train.py:31");
    EXPECT_EQ(answer.remarks.size(), 1U);
    EXPECT_EQ(answer.runs, 16);
    EXPECT_FALSE(answer.cancelled);
}

TEST(TrialAnswerTest, SaysOfAChangeWhatIsKnown)
{
    const TrialAnswer answer = faster();
    EXPECT_EQ(answer.rows[0].claim, "");
    test::expectText(answer.rows[1].claim);
    EXPECT_EQ(answer.rows[1].direction, "faster");
    test::expectText(answer.rows[3].claim);
    EXPECT_EQ(answer.rows[5].claim, "");
}

TEST(TrialAnswerTest, ATableHasWhatRanOrFailed)
{
    const Table table = trialTable(faster());
    ASSERT_EQ(table.rows.size(), 7U);
    EXPECT_EQ(table.at(table.rows[0], "predicted_ns").text, "-") << "what predictions begin with";
    EXPECT_EQ(table.at(table.rows[1], "change").tone, Tone::Better);
    EXPECT_DOUBLE_EQ(std::get<double>(table.at(table.rows[1], "change").value), -0.164);
    EXPECT_EQ(table.at(table.rows[3], "change").tone, Tone::Muted);
    EXPECT_EQ(table.at(table.rows[4], "change").tone, Tone::Worse);
    EXPECT_EQ(table.at(table.rows[5], "batch_ns").text, "failed");
    test::expectText(table.rows[5].remark);
    test::expectText(aboutTrial(faster()));
}

TEST(TrialAnswerTest, LinesToChangeAreText)
{
    test::expectText(changeText(faster()));
    EXPECT_EQ(changeText({}), "");
    TrialAnswer unknown;
    unknown.lines.push_back({{}, 0, "?", "pass pin_memory=True"});
    test::expectText(changeText(unknown));
}

TEST(TrialAnswerTest, WhatCannotBeReadIsAnError)
{
    for (const char* wrong : {"", "[]", "{}", "{\"rows\": 3}", "Faster: num_workers=8"}) {
        const auto answer = parseTrialAnswer(wrong);
        ASSERT_FALSE(answer.ok()) << wrong;
        test::expectText(answer.error());
    }
    // An answer that is no row is none.
    QString beyond = StandIn::fasterJson();
    beyond.replace("\"answer\": 6", "\"answer\": 60");
    EXPECT_FALSE(parseTrialAnswer(beyond.toStdString()).value().answer);
}

TEST(TrialAnswerTest, KeysOfAnOlderProgramMayBeMissing)
{
    const auto answer = parseTrialAnswer(
        R"({"rows": [{"change": "as it is", "batch_ns": 5, "runs_ns": [5]}], "answer": null, "sentence": "So.",
            "runs": 1, "batches": 20, "seconds": 1.5})");
    ASSERT_TRUE(answer.ok()) << answer.error();
    EXPECT_TRUE(answer.value().lines.empty());
}

TEST(BudgetBoxTest, TimesHaveUnits)
{
    EXPECT_EQ(BudgetBox::timeText(300).toStdString(), "5 min");
    EXPECT_EQ(BudgetBox::timeText(45).toStdString(), "45 s");
    EXPECT_EQ(BudgetBox::timeText(90).toStdString(), "1.5 min");
    EXPECT_EQ(BudgetBox::timeText(5400).toStdString(), "1.5 h");
    EXPECT_EQ(BudgetBox::parsedTime("90 s"), 90.0);
    EXPECT_EQ(BudgetBox::parsedTime("10"), 600.0);
    EXPECT_EQ(BudgetBox::parsedTime("1,5 h"), 5400.0);
    EXPECT_EQ(BudgetBox::parsedTime("2 minutes"), 120.0);
    EXPECT_FALSE(BudgetBox::parsedTime("soon"));
    EXPECT_EQ(BudgetBox::clockText(245).toStdString(), "4:05");
    EXPECT_EQ(BudgetBox::clockText(3750).toStdString(), "1:02:30");
}

TraceMetadata recordedAs(const std::string& title)
{
    TraceMetadata metadata;
    metadata.format = "recorded";
    metadata.title = title;
    return metadata;
}

TEST(SuggestedTrialTest, IsWhatTheRecordingWasMadeWith)
{
    const TraceMetadata metadata = recordedAs("python train.py --epochs 1");
    const SuggestedTrial suggested = suggestedTrial(&metadata, {"python other.py", "/tmp", {}});
    EXPECT_EQ(suggested.command.toStdString(), "python train.py --epochs 1");
    EXPECT_EQ(suggested.directory, QString());
    EXPECT_TRUE(suggested.ofTrace);
}

TEST(SuggestedTrialTest, TakesQuotesFolderAndVariablesWhereTheyAreKnown)
{
    const TraceMetadata metadata = recordedAs("python train.py --name a b");
    const SuggestedTrial suggested =
        suggestedTrial(&metadata, {"python train.py --name 'a b'", "/data", "CUDA_VISIBLE_DEVICES=1\nA=b c"});
    EXPECT_EQ(suggested.command.toStdString(), "env CUDA_VISIBLE_DEVICES=1 'A=b c' python train.py --name 'a b'");
    EXPECT_EQ(suggested.directory.toStdString(), "/data");
    EXPECT_TRUE(suggested.ofTrace);
}

TEST(SuggestedTrialTest, SignsOfATitleMeanNothingToAShell)
{
    const TraceMetadata metadata = recordedAs("python train.py --filter (a|b) $HOME it's");
    const SuggestedTrial suggested = suggestedTrial(&metadata, {});
    const auto words = parseCommand(suggested.command);
    ASSERT_TRUE(words.ok()) << suggested.command.toStdString();
    EXPECT_EQ(words.value().join(' ').toStdString(), metadata.title);
}

TEST(SuggestedTrialTest, ElseItIsWhatWasRecordedLast)
{
    const LastRecorded last{"python train.py", "/data", {}};
    EXPECT_EQ(suggestedTrial(nullptr, last).command, last.command);
    EXPECT_FALSE(suggestedTrial(nullptr, last).ofTrace);
    TraceMetadata simulated;
    simulated.format = "simulated";
    simulated.title = "Pageable, blocking";
    EXPECT_EQ(suggestedTrial(&simulated, last).command, last.command);
    TraceMetadata rest = recordedAs("python3.11");
    rest.properties["command"] = "/usr/bin/python3 train.py";
    EXPECT_EQ(suggestedTrial(&rest, last).command.toStdString(), "/usr/bin/python3 train.py");
    EXPECT_EQ(suggestedTrial(nullptr, {}).command, QString());
}

}  // namespace
}  // namespace overlane
