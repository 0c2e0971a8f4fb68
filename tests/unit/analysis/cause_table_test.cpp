#include "core/analysis/cause_table.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>
#include <variant>

#include "core/analysis/copy_cause.h"
#include "core/analysis/loss_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

bool isId(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char letter) {
        return letter == '_' || (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    });
}

template <typename Rows>
void expectWhole(const Rows& rows)
{
    std::set<std::string_view> ids, names, briefs;
    for (const auto& row : rows) {
        EXPECT_TRUE(isId(row.id)) << row.name;
        EXPECT_FALSE(row.name.empty()) << row.id;
        EXPECT_LE(row.brief.size(), 14u) << row.id << ": beside the name of a track";
        ids.insert(row.id);
        names.insert(row.name);
        briefs.insert(row.brief);
    }
    EXPECT_EQ(ids.size(), rows.size());
    EXPECT_EQ(names.size(), rows.size());
    EXPECT_EQ(briefs.size(), rows.size());
}

TEST(CauseTable, EveryCauseHasAnIdAndWordsOfItsOwn)
{
    expectWhole(lostCauses());
    expectWhole(copyCauses());
    EXPECT_EQ(lostCauseName(LostCause::LaunchBound), rowOf(LostCause::LaunchBound).name);
    EXPECT_EQ(causeName(CopyCause::SameStream), rowOf(CopyCause::SameStream).name);
}

// Without one it would never be found. Ends lies outside the work of the device, Unknown is left over.
TEST(CauseTable, EveryCauseButTheLastTwoHasAProof)
{
    for (const LostCauseRow& row : lostCauses()) {
        const CauseProof& proof = row.proofs.front();
        const bool needsNone = row.cause == LostCause::Ends || row.cause == LostCause::Unknown;
        EXPECT_NE(proof.ofDevice || proof.ofThread, needsNone) << row.id;
        for (const CauseProof& each : row.proofs) {
            EXPECT_FALSE(each.ofDevice && each.ofThread) << row.id << ": a proof is of one of them";
            const bool ofThreads = each.turn != ProofTurn::RunsAlone && each.turn != ProofTurn::NotRecorded;
            EXPECT_TRUE(ofThreads || !each.ofThread) << row.id << ": threads are not asked in this turn";
        }
    }
}

// With or without figures, a verdict that names a cause says something of its own.
TEST(CauseTable, EveryCauseHasASentenceAndAdviceOfItsOwn)
{
    const Verdict verdict;
    DeviceSummary device;
    device.kernelBusyNs = 1;
    const ProgramTraits program;
    VerdictFacts facts;
    facts.device = &device;
    facts.program = &program;
    std::set<std::string> sentences, advice;
    std::size_t spoken = 0;
    for (const LostCauseRow& row : lostCauses()) {
        if (row.spokenAs)
            continue;
        ++spoken;
        if (const auto* sentence = std::get_if<std::string_view>(&row.sentence)) {
            EXPECT_NE(sentence->find("{}"), std::string_view::npos) << row.id;
        }
        EXPECT_TRUE(lossSentence(row.cause, 1, verdict, facts).ends_with('.')) << row.id;
        EXPECT_TRUE(lossAdvice(row.cause, 1, verdict, facts).ends_with('.')) << row.id;
        sentences.insert(lossSentence(row.cause, 1, verdict, facts));
        advice.insert(lossAdvice(row.cause, 1, verdict, facts));
    }
    EXPECT_EQ(sentences.size(), spoken);
    EXPECT_EQ(advice.size(), spoken);
}

TEST(CauseTable, WhatGoesToTheHostIsOneOrMany)
{
    const Verdict verdict;
    DeviceSummary device;
    device.kernelBusyNs = 1;
    VerdictFacts facts;
    facts.device = &device;
    for (const auto& [role, begin] : {std::pair{CopyRole::KvCache, "KV cache goes to the host"},
                                      {CopyRole::OptimizerState, "Optimizer state goes to the host"},
                                      {CopyRole::Activation, "Activations go to the host"},
                                      {CopyRole::Result, "Results come back"}}) {
        facts.toHost = role;
        const std::string sentence = lossSentence(LostCause::ReadBack, 1, verdict, facts);
        EXPECT_TRUE(sentence.starts_with(begin)) << sentence;
    }
}

// Files of sweeps, lessons and programs that read JSON go by them.
TEST(CauseTable, IdsNeverChange)
{
    std::set<std::string_view> ids;
    for (const LostCauseRow& row : lostCauses())
        ids.insert(row.id);
    for (const CopyCauseRow& row : copyCauses())
        ids.insert(row.id);
    std::istringstream known(
        "copies staging read_back communication migration other_work swap in_graph dependency batches making_batches "
        "pinning sync launch_bound host host_between ends unknown "
        "hidden unified_memory outside_kernels staged_inline pageable_memory synchronous_call same_stream "
        "event_dependency legacy_default_stream engine_busy host_sync unknown_memory no_compute");
    for (std::string id; known >> id;)
        EXPECT_TRUE(ids.contains(id)) << id;
}

TEST(CauseTable, TheHelpHasARowForEveryCauseOfACopy)
{
    const std::string help = std::string(OVERLANE_SOURCE_DIR) + "/resources/help/";
    const std::string exposed = test::readFile(help + "exposed-copies.md");
    for (const CopyCauseRow& row : copyCauses())
        if (row.cause != CopyCause::Hidden) {
            EXPECT_NE(exposed.find(" | `" + std::string(row.name) + "` |"), std::string::npos) << row.id;
        }
}

}  // namespace
}  // namespace overlane
