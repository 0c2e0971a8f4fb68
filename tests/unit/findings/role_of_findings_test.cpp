// Findings speak of what the copies carry and in the words of the framework that ran.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "core/findings/change_of.h"
#include "core/findings/rule.h"
#include "tests/support/expect_text.h"
#include "tests/unit/findings/loop_trace.h"

namespace overlane
{
namespace
{

using namespace test;
using testing::HasSubstr;
using testing::Not;

const Rule& ruleOf(std::string_view id)
{
    return *findRule(id);
}

ProgramTraits program(Framework framework, bool hasLoader = false)
{
    return {framework, "a name", hasLoader};
}

TEST(ChangeOf, NamesADataLoaderOnlyWhereTheTraceHasOne)
{
    for (const Rule& rule : allRules()) {
        // They speak of what only a loader can do: the first is asked only where one is recorded.
        if (rule.rule == RuleId::LoaderStarved || rule.rule == RuleId::SourceRewritten)
            continue;
        for (int role = 0; role < kCopyRoleCount; ++role)
            for (int framework = 0; framework < kFrameworkCount; ++framework) {
                const ChangeTexts texts =
                    changeOf(rule, {}, static_cast<CopyRole>(role), false, program(static_cast<Framework>(framework)));
                for (const std::string& text : {texts.own, texts.pyTorch, texts.cuda})
                    EXPECT_EQ(text.find("DataLoader"), std::string::npos) << rule.id << ": " << text;
                EXPECT_EQ(texts.own.empty(), rule.changePyTorch.empty()) << rule.id;
            }
    }
    EXPECT_THAT(changeOf(ruleOf("sync-copies"), {}, CopyRole::Batch, false, program(Framework::PyTorch, true)).own,
                HasSubstr("DataLoader(pin_memory=True)"));
}

TEST(ChangeOf, OffloadedDataIsNotTheLoaders)
{
    const ProgramTraits torch = program(Framework::PyTorch, true);
    EXPECT_THAT(changeOf(ruleOf("sync-copies"), {}, CopyRole::Parameter, false, torch).own, HasSubstr("weights"));
    EXPECT_THAT(changeOf(ruleOf("same-stream"), {}, CopyRole::Activation, false, torch).own,
                HasSubstr("OffloadActivations"));
    test::expectText(changeOf(ruleOf("same-stream"), {}, CopyRole::Activation, false, torch).own);
}

TEST(ChangeOf, SpeaksTheFrameworksWords)
{
    EXPECT_THAT(changeOf(ruleOf("sync-per-step"), {}, CopyRole::Unknown, false, program(Framework::Jax)).own,
                HasSubstr("block_until_ready"));
    EXPECT_THAT(changeOf(ruleOf("late-copies"), {}, CopyRole::Batch, false, program(Framework::Jax)).own,
                HasSubstr("jax.device_put"));
    EXPECT_THAT(changeOf(ruleOf("sync-copies"), {}, CopyRole::Batch, false, program(Framework::CuPy)).own,
                HasSubstr("cupy"));
    const ChangeTexts cuda = changeOf(ruleOf("same-stream"), {}, CopyRole::Batch, false, program(Framework::Cuda));
    EXPECT_EQ(cuda.own, cuda.cuda);
    EXPECT_THAT(changeOf(ruleOf("pageable-async"), {}, CopyRole::Batch, false, {}).own, Not(HasSubstr("pin_memory")));
}

TEST(ChangeOf, PageableActivationsArePinnedBeforeTheyGetAStream)
{
    const ProgramTraits torch = program(Framework::PyTorch);
    EXPECT_THAT(changeOf(ruleOf("read-back"), {}, CopyRole::Activation, true, torch).own,
                HasSubstr("save_on_cpu(pin_memory=True)"));
    EXPECT_THAT(changeOf(ruleOf("read-back"), {}, CopyRole::Activation, false, torch).own,
                HasSubstr("OffloadActivations"));
    test::expectText(changeOf(ruleOf("read-back"), {}, CopyRole::Result, true, torch).own);
}

TEST(ChangeOf, OptimizerStateIsNoGradientForAnOptimizerOnTheHost)
{
    const ProgramTraits torch = program(Framework::PyTorch);
    for (const char* rule : {"read-back", "pageable-async"})
        EXPECT_NE(changeOf(ruleOf(rule), {}, CopyRole::OptimizerState, true, torch).own,
                  changeOf(ruleOf(rule), {}, CopyRole::Gradient, true, torch).own)
            << rule;
}

TEST(ChangeOf, WhatARangeTellsMoreStandsForPyTorch)
{
    RuleAnswer answer;
    answer.changePyTorch = "Do this.";
    EXPECT_EQ(changeOf(ruleOf("host-late"), answer, CopyRole::Unknown, false, program(Framework::PyTorch)).own,
              "Do this.");
    EXPECT_NE(changeOf(ruleOf("host-late"), answer, CopyRole::Unknown, false, program(Framework::Jax)).own, "Do this.");
}

// Three layers whose weights come from pageable memory between the kernels of every step.
TEST(FindingsOfRoles, CopiesOfParametersAreCalledSo)
{
    LoopTrace loop(6);
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        for (int layer = 0; layer < 3; ++layer) {
            const std::int64_t startNs = at + std::int64_t{3} * layer * kMs;
            loop.copy(EventKind::CopyH2D, {startNs, startNs + 2 * kMs}, {startNs + 5 * kUs, startNs + 2 * kMs},
                      MemoryKind::Pageable, 7, AsyncFlag::Async, (8 + layer) * kMiB);
            loop.launch(startNs + 2 * kMs + 50 * kUs, startNs + 3 * kMs, 7, startNs + 2 * kMs + 20 * kUs);
        }
    });
    const FindingList list = loop.findings();
    const Finding* finding = list.find(RuleId::PageableAsync);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->carries, CopyRole::Parameter);
    test::expectText(finding->sentence);
    EXPECT_THAT(finding->change, Not(HasSubstr("DataLoader")));
}

TEST(FindingsOfRoles, UnknownMemoryIsNotCalledPinned)
{
    LoopTrace loop;
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        loop.copy(EventKind::CopyH2D, {at, at + 3 * kMs}, {at + 5 * kUs, at + 3 * kMs}, MemoryKind::Unknown, 20,
                  AsyncFlag::Sync);
        loop.launch(at + 4 * kMs, at + kStepNs, 7, at + 3 * kMs + 10 * kUs);
    });
    const FindingList list = loop.findings();
    ASSERT_NE(list.find(RuleId::SyncCopies), nullptr);
    EXPECT_THAT(list.find(RuleId::SyncCopies)->sentence, Not(HasSubstr("pinned")));
    test::expectText(list.find(RuleId::SyncCopies)->sentence);
}

// The first of two copies is pinned, the second one right behind it belongs to the same rule.
TEST(FindingsOfRoles, ACopyBehindAPinnedOneIsNotCalledPinnedWithIt)
{
    LoopTrace loop;
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        loop.copy(EventKind::CopyH2D, {at + kMs - 5 * kUs, at + kMs}, {at + kMs, at + 2 * kMs}, MemoryKind::Pinned, 20);
        loop.copy(EventKind::CopyH2D, {at + kMs, at + kMs + 5 * kUs}, {at + 2 * kMs + 5 * kUs, at + 4 * kMs},
                  MemoryKind::Unknown, 20);
        loop.launch(at + 4 * kMs + 10 * kUs, at + kStepNs, 7, at + kMs + 20 * kUs);
    });
    const FindingList list = loop.findings();
    ASSERT_NE(list.find(RuleId::LateCopies), nullptr);
    test::expectText(list.find(RuleId::LateCopies)->sentence);
    EXPECT_THAT(list.find(RuleId::LateCopies)->sentence, Not(HasSubstr("pinned")));
}

}  // namespace
}  // namespace overlane
