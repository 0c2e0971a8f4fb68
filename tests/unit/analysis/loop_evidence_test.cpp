#include "core/analysis/loop_evidence.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

// Twenty groups of 800 ns, each followed by a pause of 200.
constexpr std::int64_t kGroups = 20;

class LoopProgram
{
public:
    LoopProgram()
    {
        for (std::int64_t group = 0; group < kGroups; ++group) {
            const std::int64_t startNs = 1000 * group;
            m_groups.groups.push_back({startNs, startNs + 800});
            if (group + 1 < kGroups)
                m_groups.pauses.push_back({startNs + 800, startNs + 1000});
            for (std::int64_t at = 0; at < 8; ++at) {
                const auto id = static_cast<std::uint32_t>(8 * group + at + 1);
                m_sample.host(EventKind::RuntimeCall, startNs + 100 * at, startNs + 100 * at + 5, "cudaLaunchKernel",
                              id);
                m_sample.kernel(startNs + 100 * at + 5, startNs + 100 * at + 10, 7, id);
            }
        }
        m_stacks = m_sample.track(m_sample.process(), TrackKind::Stacks, 101, "stacks of main", -1);
    }
    // Outermost first: the stacks of samples in groups, and of those in pauses.
    void look(const std::vector<std::string_view>& inGroups, const std::vector<std::string_view>& inPauses)
    {
        for (std::int64_t group = 0; group < kGroups; ++group) {
            for (const std::int64_t at : {150, 450, 750})
                sample(1000 * group + at, inGroups);
            sample(1000 * group + 900, inPauses);
        }
    }
    bool hostWorksBetween()
    {
        const Trace trace = m_sample.build();
        return TraceEvidence(trace, WorkMeter()).hostWorksBetween(m_groups);
    }
    SampleTrace& trace() { return m_sample; }
    const LoopGroups& groups() const { return m_groups; }

private:
    void sample(std::int64_t timeNs, const std::vector<std::string_view>& functions)
    {
        for (const std::string_view name : functions)
            m_sample.add(m_stacks, EventKind::ProgramFrame, timeNs, timeNs + 40, name);
    }

    SampleTrace m_sample;
    TrackId m_stacks;
    LoopGroups m_groups;
};

TEST(LoopEvidenceTest, TheHostWorksWhereItLeftWhatCallsTheIterations)
{
    LoopProgram program;
    program.look({"album.py:54 main", "album.py:41 enlarge"}, {"album.py:56 main", "PIL/Image.py:2711 Image.save"});
    EXPECT_TRUE(program.hostWorksBetween());
}

TEST(LoopEvidenceTest, WhoWaitsForBatchesIsInNoOuterLoop)
{
    LoopProgram program;
    program.look({"train.py:54 main", "train.py:41 step"}, {"train.py:53 main", "threading.py:355 Condition.wait"});
    EXPECT_FALSE(program.hostWorksBetween());
}

TEST(LoopEvidenceTest, WorkWithinTheSameCallIsNone)
{
    LoopProgram program;  // a collection of garbage, wherever it comes
    program.look({"train.py:54 main", "train.py:41 step"}, {"train.py:54 main", "train.py:41 step"});
    EXPECT_FALSE(program.hostWorksBetween());
    LoopProgram unseen;
    EXPECT_FALSE(unseen.hostWorksBetween());
}

TEST(LoopEvidenceTest, KernelsThatAreLoadedInMostIterationsAreTrials)
{
    for (const bool all : {true, false}) {
        LoopProgram program;
        for (std::int64_t group = 0; group < (all ? kGroups : 4); ++group)
            program.trace().host(EventKind::Overhead, 1000 * group + 20, 1000 * group + 30, "lazy kernel loading");
        const Trace trace = program.trace().build();
        EXPECT_EQ(TraceEvidence(trace, WorkMeter()).areTrials(program.groups().groups), all);
    }
}

}  // namespace
}  // namespace overlane
