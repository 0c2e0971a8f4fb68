#include "core/analysis/copy_cause.h"

#include <gtest/gtest.h>
#include <set>

#include "core/analysis/advice.h"
#include "core/analysis/analysis.h"
#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

CopyFacts exposed(MemoryKind memory, AsyncFlag async, bool streamHasKernels)
{
    return {100, 0, memory, async, streamHasKernels};
}

TEST(CopyCauseTest, HalfOfItsTimeUnderKernelsIsHidden)
{
    CopyFacts facts = exposed(MemoryKind::Pageable, AsyncFlag::Sync, true);
    facts.hiddenNs = 50;
    EXPECT_EQ(firstCause(causesOf(facts)), CopyCause::Hidden);
    facts.hiddenNs = 49;
    EXPECT_EQ(firstCause(causesOf(facts)), CopyCause::PageableMemory);
}

TEST(CopyCauseTest, TheFirstReasonThatHoldsIsTheAnswer)
{
    EXPECT_EQ(firstCause(causesOf(exposed(MemoryKind::Pageable, AsyncFlag::Sync, true))), CopyCause::PageableMemory);
    EXPECT_EQ(firstCause(causesOf(exposed(MemoryKind::Pinned, AsyncFlag::Sync, true))), CopyCause::SynchronousCall);
    EXPECT_EQ(firstCause(causesOf(exposed(MemoryKind::Unknown, AsyncFlag::Async, true))), CopyCause::SameStream);
    EXPECT_EQ(firstCause(causesOf(exposed(MemoryKind::Unknown, AsyncFlag::Unknown, false))), CopyCause::UnknownMemory);
    EXPECT_EQ(firstCause(causesOf(exposed(MemoryKind::Pinned, AsyncFlag::Async, false))), CopyCause::NoCompute);
}

TEST(CopyCauseTest, EveryCauseHasItsOwnWordsAndAllButHiddenAnAdvice)
{
    std::set<std::string_view> names;
    for (int at = 0; at < kCopyCauseCount; ++at) {
        const auto cause = static_cast<CopyCause>(at);
        names.insert(causeName(cause));
        EXPECT_FALSE(causeSentence(cause).empty());
        EXPECT_EQ(causeAdvice(cause, CopyRole::Unknown, {}).empty(), cause == CopyCause::Hidden);
    }
    EXPECT_EQ(names.size(), static_cast<std::size_t>(kCopyCauseCount));
}

TEST(CopyCauseTest, StreamsAreToldApartByDeviceAndNumber)
{
    SampleTrace sample;
    sample.kernel(0, 10, 7);
    sample.copy(EventKind::CopyH2D, 20, 30, MemoryKind::Pinned, 1, 7);
    sample.copy(EventKind::CopyH2D, 40, 50, MemoryKind::Pinned, 1, 20);
    sample.kernel(60, 70, 7);
    const Analysis analysis(sample.build());
    const std::vector<CopyRecord>& copies = analysis.devices().at(0).h2dCopies;
    EXPECT_EQ(copies.at(0).cause, CopyCause::SameStream);
    EXPECT_EQ(copies.at(1).cause, CopyCause::NoCompute);
    EXPECT_EQ(analysis.copyRecord(copies[1].event), &copies[1]);
}

TEST(CopyCauseTest, OtherEventsHaveNoCopyRecord)
{
    SampleTrace sample;
    sample.kernel(0, 10);
    EXPECT_EQ(Analysis(sample.build()).copyRecord(EventIndex(0)), nullptr);
}

}  // namespace
}  // namespace overlane
