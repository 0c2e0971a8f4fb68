// Python's stacks as sampled by resources/pytorch.
#include <gmock/gmock.h>

#include "core/analysis/host_stacks.h"
#include "tests/support/expect_text.h"
#include "tests/unit/pytorch/hook_fixture.h"

namespace overlane
{
namespace
{

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PytorchStacksTest : public test::PytorchHookFixture
{
protected:
    RecordOptions sampled(const std::string& script, const std::vector<std::string>& arguments) const
    {
        RecordOptions sampled = options(script, arguments);
        sampled.pytorch = false;
        sampled.stacksUs = 5000;
        return sampled;
    }
    // Innermost functions of the program: events that no other begins within.
    int samplesIn(std::string_view function) const
    {
        int count = 0;
        for (const auto& [name, times] : events(EventKind::ProgramFrame, "stacks"))
            if (name.ends_with(std::string(" ").append(function)))
                count += times;
        return count;
    }
};

TEST_F(PytorchStacksTest, MostSamplesAreWhereTheTimeGoes)
{
    record(sampled("stacks.py", {"0.8"}));
    EXPECT_EQ(output(), "calls\n");
    EXPECT_EQ(m_exitCode, 0);
    EXPECT_THAT(m_warnings, IsEmpty());
    EXPECT_THAT(tracks(TrackKind::Stacks), testing::ElementsAre(testing::StartsWith("stacks of ")));
    // About 160; a machine that is short of cores gives fewer.
    EXPECT_GE(samplesIn("late"), 20);
    EXPECT_THAT(events(EventKind::ProgramFrame, "stacks"), Contains(testing::Key(HasSubstr("stacks.py:"))));
}

TEST_F(PytorchStacksTest, AProgramThatForksGoesOn)
{
    record(sampled("stacks.py", {"0.8", "--forks"}));
    EXPECT_EQ(output(), "calls\n");
    EXPECT_EQ(m_exitCode, 0);
    EXPECT_GE(samplesIn("late"), 10);
    EXPECT_THAT(tracks(TrackKind::Stacks), testing::SizeIs(1));
}

TEST_F(PytorchStacksTest, ObjectsEndWhenAndWhereTheyWouldHaveEnded)
{
    RecordOptions often = sampled("lifetimes.py", {"1.5"});
    often.stacksUs = 1000;
    record(often);
    EXPECT_EQ(output(), "late: 0 elsewhere: 0\n");
    EXPECT_EQ(m_exitCode, 0);
}

TEST_F(PytorchStacksTest, APackageMayBeFoundThroughFindersThatAskEachOther)
{
    record(sampled("redirected.py", {}));
    EXPECT_EQ(output(), "imported torch, sampled: True\n");
    EXPECT_EQ(m_exitCode, 0);
}

TEST_F(PytorchStacksTest, WithoutAWishThereAreNone)
{
    RecordOptions bare = sampled("stacks.py", {"0.1"});
    bare.stacksUs = 0;
    record(bare);
    EXPECT_EQ(output(), "calls\n");
    EXPECT_TRUE(m_trace->columns().kind.empty());
}

class StacksOfWorkers : public PytorchStacksTest, public testing::WithParamInterface<const char*>
{
};
INSTANTIATE_TEST_SUITE_P(StartMethods, StacksOfWorkers, testing::Values("fork", "spawn", "forkserver"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(StacksOfWorkers, StandBesideTheWorkers)
{
    RecordOptions both = sampled("train.py", {"--context", GetParam(), "--epochs", "2"});
    both.pytorch = true;
    both.stacksUs = 1000;
    record(both);
    EXPECT_EQ(output(), "batches: 20\n");
    EXPECT_THAT(tracks(TrackKind::Process), testing::SizeIs(1));
    EXPECT_THAT(tracks(TrackKind::Stacks),
                testing::AllOf(Contains("stacks of worker 0"), Contains("stacks of worker 1")));
    EXPECT_GE(samplesIn("Samples.__getitem__") + samplesIn("__getitem__"), 2);
    // What the hook puts between the program and its loader is neither the program's nor the loader's.
    for (const EventKind kind : {EventKind::ProgramFrame, EventKind::LibraryFrame})
        EXPECT_THAT(events(kind, "stacks"), Not(Contains(testing::Key(HasSubstr("overlane_")))));
    EXPECT_THAT(m_warnings, IsEmpty());
}

TEST_F(PytorchStacksTest, ChildrenOfAForkServerAreSampledAndTheServerIsNot)
{
    record(sampled("served.py", {}));
    EXPECT_EQ(output(), "ended: 0 0\n");
    EXPECT_EQ(m_exitCode, 0);
    EXPECT_THAT(m_warnings, IsEmpty());
    EXPECT_THAT(tracks(TrackKind::Process), testing::SizeIs(3)) << "the program and the two that work";
    EXPECT_GE(samplesIn("late"), 20);
}

TEST_F(PytorchStacksTest, AProgramWhoseSpoolCannotBeWrittenGoesOn)
{
    const std::string command = "PYTHONPATH=" OVERLANE_SOURCE_DIR "/resources/pytorch:" + test::kFolder +
                                "/fake_torch OVERLANE_PYTHON_STACKS=1000 OVERLANE_SPOOL_DIR=" + m_folder +
                                "/none python3 " + test::kFolder + "/scripts/stacks.py 0.3 > " + m_text + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(output(), "calls\n");
}

}  // namespace
}  // namespace overlane
