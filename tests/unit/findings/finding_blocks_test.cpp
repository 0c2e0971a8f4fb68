// What a finding says of its cost, its change and its evidence.
#include "core/findings/finding_blocks.h"

#include <gtest/gtest.h>
#include <variant>

#include "core/trace/trace_builder.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

std::vector<std::string> namesOf(const Facts& facts)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : facts.rows)
        names.push_back(name);
    return names;
}

Facts factsOf(const Finding& finding)
{
    return std::get<Facts>(findingBlocks(finding).at(1));
}

std::string costOf(const Finding& finding)
{
    return factsOf(finding).rows.front().second.text;
}

TEST(FindingBlocksTest, ACostNamesTheTimeThatItIs)
{
    Finding finding;
    EXPECT_EQ(costCell(finding.cost).text, "");
    test::expectText(costOf(finding));
    finding.severity = FindingSeverity::Hazard;
    test::expectText(costOf(finding));
    finding.cost.hostBlockedNs = 5'000'000;
    EXPECT_EQ(costCell(finding.cost).text, "host blocked 5.00\u2009ms");
    finding.cost.gpuIdleNs = 40'000'000;
    finding.cost.shareOfWall = 0.4;
    EXPECT_EQ(costCell(finding.cost).text, "40.0\u2009ms, 40.0\u2009%");
    finding.cost.gpuIdlePerStepNs = 4'000'000;
    EXPECT_EQ(costCell(finding.cost).text, "4.00\u2009ms a step, 40.0\u2009%");
    test::expectText(costOf(finding));
}

TEST(FindingBlocksTest, AChangeIsSaidOnceInTheWordsOfTheFrameworkThatRan)
{
    Finding finding;
    finding.change = finding.changePyTorch = "Pass pin_memory=True.";
    finding.changeCuda = "Allocate with cudaHostAlloc().";
    EXPECT_EQ(namesOf(factsOf(finding)), (std::vector<std::string>{"Cost", "In PyTorch", "In CUDA"}));
    finding.framework = "JAX";
    finding.change = "Pin the host buffer.";
    EXPECT_EQ(namesOf(factsOf(finding)), (std::vector<std::string>{"Cost", "In JAX", "In CUDA"}));
    finding.framework = "CUDA";
    finding.change = finding.changeCuda;
    EXPECT_EQ(namesOf(factsOf(finding)), (std::vector<std::string>{"Cost", "In CUDA"}));
    finding.changePyTorch = finding.change;
    EXPECT_EQ(namesOf(factsOf(finding)), (std::vector<std::string>{"Cost", "Change"}));
}

TEST(FindingBlocksTest, TheLongestEventIsTheEvidence)
{
    TraceBuilder builder;
    Event event;
    event.track = builder.addTrack({}, TrackKind::Thread, "main", -1, 1);
    event.kind = EventKind::RuntimeCall;
    event.name = builder.intern("cudaMemcpyAsync");
    event.startNs = 12'000'000;
    event.durationNs = 3'000'000;
    builder.addEvent(event);
    const Trace trace = builder.build();
    Finding finding;
    finding.evidence = {EventIndex(0)};
    finding.evidenceCount = 16;
    const Blocks blocks = findingBlocks(finding, &trace);
    const auto& [name, value] = std::get<Facts>(blocks.at(1)).rows.back();
    EXPECT_EQ(name, "Evidence");
    EXPECT_EQ(value.text, evidenceText(trace, EventIndex(0)) + ", the longest of 16 events");
    test::expectText(value.text);
}

}  // namespace
}  // namespace overlane
