// The list of findings as a whole: its rules, its order, and what no trace may break.
#include "core/findings/findings.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <set>

#include "core/findings/claims.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/findings/loop_trace.h"
#include "tests/unit/findings/random_trace.h"

namespace overlane
{
namespace
{

using test::kStepNs;
using test::LoopTrace;
using test::RandomTrace;

TEST(Rules, StandInTheListInTheOrderOfTheirIds)
{
    ASSERT_EQ(allRules().size(), static_cast<std::size_t>(kRuleCount));
    std::set<std::string_view> ids;
    for (std::size_t place = 0; place < allRules().size(); ++place) {
        const Rule& rule = allRules()[place];
        EXPECT_EQ(rule.rule, static_cast<RuleId>(place)) << rule.id;
        EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
        EXPECT_EQ(rule.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos) << rule.id;
        EXPECT_FALSE(rule.title.empty());
        EXPECT_EQ(findRule(rule.id), &rule);
    }
    EXPECT_EQ(findRule("no-such-rule"), nullptr);
}

TEST(Rules, HaveOneSectionInTheHelpOnTheirPage)
{
    const std::filesystem::path help = std::filesystem::path(OVERLANE_SOURCE_DIR) / "resources/help";
    const std::string index = test::readFile(help / "findings.md");
    for (const Rule& rule : allRules()) {
        std::vector<std::string> pages;
        for (const auto& entry : std::filesystem::directory_iterator(help)) {
            if (entry.path().extension() != ".md")
                continue;
            const std::string page = test::readFile(entry.path());
            const std::string heading = "\n## " + std::string(rule.id) + "\n";
            for (std::size_t at = page.find(heading); at != std::string::npos; at = page.find(heading, at + 1)) {
                pages.push_back(entry.path().stem().string());
                const std::string section = page.substr(at, page.find("\n## ", at + 1) - at);
                for (const char* part : {"**Meaning.**", "**Evidence.**", "**Fix.**"})
                    EXPECT_NE(section.find(part), std::string::npos) << rule.id << " " << part;
            }
        }
        EXPECT_EQ(pages, std::vector<std::string>{std::string(rule.helpPage)}) << rule.id;
        const std::string link = "](" + std::string(rule.helpPage) + ".md#" + std::string(rule.id) + ")";
        EXPECT_NE(index.find(link), std::string::npos) << rule.id;
    }
}

TEST(FindingList, StartsWithHazardsAndEndsWithWhatIsGood)
{
    // A hazard, a great loss (3 ms of each step to the host) and a small one (50 us to a batch).
    LoopTrace loop;
    loop.sample().builder().metadata().format = "simulated";
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        loop.sample().host(EventKind::Instant, at + kMs, at + kMs, "hazard: source rewritten before its copy ended");
        loop.sample().host(EventKind::HostWork, at, at + 3 * kMs - kUs, "parse");
        loop.launch(at + 3 * kMs, at + 9 * kMs);
        loop.sample().host(EventKind::LoaderWait, at + 9 * kMs, at + 9 * kMs + 60 * kUs, "wait");
        loop.launch(at + 9 * kMs + 70 * kUs, at + kStepNs);
    });
    const FindingList list = loop.findings();
    ASSERT_EQ(list.findings.size(), 3u);
    EXPECT_EQ(list.findings[0].rule, RuleId::SourceRewritten);
    EXPECT_EQ(list.findings[1].rule, RuleId::HostLate);
    EXPECT_EQ(list.findings[2].rule, RuleId::LoaderStarved);
    EXPECT_EQ(list.findings[2].severity, FindingSeverity::Hint);
}

TEST(FindingList, ALossOfTheFirstQuarterIsAHint)
{
    LoopTrace loop(20);
    loop.eachStep([&](std::int64_t at, std::int64_t step) {
        const std::int64_t lateNs = step < 4 ? 5 * kMs : kMs / 10;
        loop.sample().host(EventKind::HostWork, at, at + lateNs - kUs, "compile");
        loop.launch(at + lateNs, at + kStepNs);
    });
    const FindingList list = loop.findings();
    ASSERT_NE(list.find(RuleId::HostLate), nullptr);
    EXPECT_EQ(list.find(RuleId::HostLate)->severity, FindingSeverity::Hint);
    EXPECT_NE(list.find(RuleId::HostLate)->sentence.find("warm-up"), std::string::npos);
    EXPECT_NE(list.find(RuleId::NothingToWin), nullptr);
}

TEST(FindingList, FollowsARange)
{
    LoopTrace loop;
    loop.eachStep([&](std::int64_t at, std::int64_t step) {
        loop.sample().host(EventKind::HostWork, at, at + (step + 1) * kMs - kUs, "parse");
        loop.launch(at + (step + 1) * kMs, at + kStepNs);
    });
    const Trace trace = loop.build();
    const Analysis analysis(trace);
    const FindingFacts facts(trace, analysis);
    const std::vector<Step> steps = findSteps(trace);
    for (std::int64_t step = 0; step < 4; ++step) {
        const FindingList list = findings(facts, trace, analysis, steps, {step * kStepNs, (step + 1) * kStepNs});
        ASSERT_NE(list.find(RuleId::HostLate), nullptr);
        EXPECT_EQ(list.find(RuleId::HostLate)->cost.gpuIdleNs, (step + 1) * kMs);
        EXPECT_EQ(list.steps, 1);
    }
    const FindingList part = findings(facts, trace, analysis, steps, {3 * kStepNs + kMs, 3 * kStepNs + 2 * kMs});
    EXPECT_EQ(part.find(RuleId::HostLate)->cost.gpuIdleNs, kMs);
    EXPECT_EQ(part.steps, 0);
    EXPECT_TRUE(findings(facts, trace, analysis, steps, {5, 5}).findings.empty());
}

TEST(FindingList, SaysThatKernelsWereNotRecorded)
{
    LoopTrace loop(4, false);
    loop.sample().builder().metadata().properties[kRecordedKinds] = "copies,runtime";
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        loop.copy(EventKind::CopyH2D, {at, at + 4 * kMs}, {at, at + 4 * kMs}, MemoryKind::Pageable, 7);
    });
    // That the copies are pageable is sure all the same; what it costs the GPU is not.
    const FindingList list = loop.findings();
    ASSERT_EQ(list.findings.size(), 1u);
    EXPECT_EQ(list.findings[0].rule, RuleId::PageableAsync);
    EXPECT_EQ(list.findings[0].severity, FindingSeverity::Problem);
    EXPECT_EQ(list.findings[0].cost.gpuIdleNs, 0);
    EXPECT_EQ(list.findings[0].cost.hostBlockedNs, 16 * kMs);
    EXPECT_EQ(list.idleNs, 0);
    EXPECT_GT(list.notChecked.size(), 10u);
}

TEST(FindingList, SaysThatThereIsNoGpuWork)
{
    test::SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 100, "aten::add");
    const FindingList list = LoopTrace::findingsOf(sample.build(), {0, 100});
    EXPECT_TRUE(list.findings.empty());
    EXPECT_EQ(list.notChecked.size(), allRules().size());
}

TEST(Claims, EveryIdleCauseHasOneOwnerOrNone)
{
    for (int cause = 0; cause < kLostCauseCount; ++cause) {
        const auto lost = static_cast<LostCause>(cause);
        const RuleId plain = ownerOfIdle(lost, {});
        const bool followsAnEvent =
            lost == LostCause::Copies || lost == LostCause::Staging || lost == LostCause::ReadBack;
        const bool nobodys = lost == LostCause::Ends || lost == LostCause::Unknown;
        EXPECT_EQ(plain == RuleId::None, followsAnEvent || nobodys) << lostCauseName(lost);
        EXPECT_EQ(ownerOfIdle(lost, {.copy = RuleId::SameStream}) == RuleId::None, nobodys);
    }
}

class RandomTraces : public testing::TestWithParam<std::uint32_t>
{
};

void expectSound(const Trace& trace, const Analysis& analysis, const FindingList& list)
{
    std::int64_t explainedNs = 0;
    std::int64_t heldNs = 0;
    for (const Finding& finding : list.findings) {
        EXPECT_GE(finding.cost.gpuIdleNs, 0);
        EXPECT_GE(finding.cost.hostBlockedNs, 0);
        EXPECT_GE(finding.cost.shareOfWall, 0);
        EXPECT_LE(finding.cost.shareOfWall, 1);
        EXPECT_GE(finding.evidenceCount, static_cast<std::int64_t>(finding.evidence.size()));
        EXPECT_LE(finding.evidence.size(), kMostEvidence);
        EXPECT_FALSE(finding.sentence.empty());
        EXPECT_EQ(finding.cost.gpuIdleNs > 0, finding.device >= 0);
        for (const EventIndex event : finding.evidence)
            EXPECT_LT(event.index(), trace.eventCount());
        explainedNs += finding.cost.gpuIdleNs;
        heldNs += finding.cost.hostBlockedNs;
    }
    EXPECT_EQ(explainedNs, list.explainedNs);
    EXPECT_LE(explainedNs, list.idleNs);
    EXPECT_LE(heldNs, list.range.lengthNs());
    std::int64_t idleNs = 0;
    for (const DeviceSummary& device : analysis.summarize(list.range).devices)
        idleNs += device.wallNs - device.kernelBusyNs;
    EXPECT_EQ(idleNs, list.idleNs);
}

TEST_P(RandomTraces, CostsNeverExceedTheIdleTimeAndAreCountedOnce)
{
    RandomTrace random(GetParam());
    const Trace trace = random.build();
    const Analysis analysis(trace);
    const FindingFacts facts(trace, analysis);
    const std::vector<Step> steps = findSteps(trace);
    for (std::size_t device = 0; device < analysis.devices().size(); ++device) {
        // What belongs to the rules is disjoint, and lies in the time without kernels.
        IntervalSet all;
        std::int64_t sumNs = 0;
        for (const Rule& rule : allRules()) {
            all = unite(all, facts.idle(device, rule.rule));
            sumNs += facts.idle(device, rule.rule).measureNs();
        }
        EXPECT_EQ(all.measureNs(), sumNs);
        EXPECT_TRUE(intersect(all, analysis.devices()[device].kernels).empty());
    }
    expectSound(trace, analysis, findings(facts, trace, analysis, steps, trace.span()));
    for (int range = 0; range < 10; ++range) {
        const std::int64_t startNs = random.number(4 * kMs) - kMs / 2;
        expectSound(trace, analysis,
                    findings(facts, trace, analysis, steps, {startNs, startNs + random.number(2 * kMs)}));
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTraces, testing::Range(0u, 120u));

}  // namespace
}  // namespace overlane
