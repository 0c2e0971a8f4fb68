#include "core/names/named_work.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/io/format.h"
#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<NamedWork> summed(const Trace& trace, const NameQuery& query)
{
    Progress progress;
    return namedWork(trace, Analysis(trace), query, progress).value();
}

std::vector<std::string> namesOf(const std::vector<NamedWork>& work)
{
    std::vector<std::string> names(work.size());
    std::transform(work.begin(), work.end(), names.begin(), [](const NamedWork& row) { return row.name; });
    return names;
}

// An operator of 100 ns that calls another (40 ns), which calls the runtime (10 ns); the runtime again (20 ns).
Trace nestedTrace()
{
    test::SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 100, "outer");
    sample.host(EventKind::HostWork, 10, 50, "inner");
    sample.host(EventKind::RuntimeCall, 20, 30, "cudaLaunchKernel");
    sample.host(EventKind::RuntimeCall, 60, 80, "cudaLaunchKernel");
    sample.host(EventKind::HostWork, 200, 260, "inner");
    return sample.build();
}

TEST(NamedWork, TimeOfItsOwnIsWithoutTheWorkInside)
{
    const Trace trace = nestedTrace();
    const auto host = summed(trace, {WorkGroupKind::HostWork});
    ASSERT_THAT(namesOf(host), ElementsAre("inner", "outer"));
    EXPECT_EQ(host[0].count, 2);
    EXPECT_EQ(host[0].totalNs, 100);
    EXPECT_EQ(host[0].selfNs, 90) << "40 - 10, and 60";
    EXPECT_EQ(host[0].longestNs, 60);
    EXPECT_EQ(trace.interval(host[0].longest), (Interval{200, 260}));
    EXPECT_EQ(host[0].meanNs(), 50);
    EXPECT_EQ(host[0].medianNs, 50);
    EXPECT_EQ(host[1].totalNs, 100);
    EXPECT_EQ(host[1].selfNs, 40) << "100 - 40 - 20";
    const auto calls = summed(trace, {WorkGroupKind::Calls});
    ASSERT_THAT(namesOf(calls), ElementsAre("cudaLaunchKernel"));
    EXPECT_EQ(calls[0].totalNs, 30);
    EXPECT_EQ(calls[0].selfNs, 30);
}

TEST(NamedWork, AnEventBelongsToTheRangeInWhichItStartsAndCountsWhole)
{
    const Trace trace = nestedTrace();
    EXPECT_THAT(namesOf(summed(trace, {WorkGroupKind::HostWork, Interval{5, 200}})), ElementsAre("inner"));
    const auto late = summed(trace, {WorkGroupKind::HostWork, Interval{200, 201}});
    ASSERT_EQ(late.size(), 1u);
    EXPECT_EQ(late[0].totalNs, 60);
    EXPECT_THAT(summed(trace, {WorkGroupKind::HostWork, Interval{300, 400}}), IsEmpty());
    EXPECT_THAT(summed(trace, {WorkGroupKind::Kernels}), IsEmpty());
}

TEST(NamedWork, ShorterEventsAreLeftOut)
{
    const Trace trace = nestedTrace();
    const auto calls = summed(trace, {WorkGroupKind::Calls, {}, 20});
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].count, 1);
    EXPECT_THAT(summed(trace, {WorkGroupKind::Calls, {}, 21}), IsEmpty());
}

TEST(NamedWork, CopiesAreAlikeByDirectionMemoryAndSize)
{
    test::SampleTrace sample;
    sample.kernel(0, 1000);
    sample.copy(EventKind::CopyH2D, 100, 200, MemoryKind::Pinned, kMiB, 8);
    sample.copy(EventKind::CopyH2D, 950, 1050, MemoryKind::Pinned, kMiB, 8);
    sample.copy(EventKind::CopyH2D, 1100, 1300, MemoryKind::Pageable, kMiB, 8);
    sample.copy(EventKind::CopyD2H, 1400, 1410, MemoryKind::Pinned, 4, 8);
    const auto copies = summed(sample.build(), {WorkGroupKind::Copies});
    ASSERT_EQ(copies.size(), 3u);
    EXPECT_EQ(copies[0].count + copies[1].count, 3);
    const auto pinned = copies[0].count == 2 ? copies[0] : copies[1];
    EXPECT_EQ(pinned.key.memory, MemoryKind::Pinned);
    EXPECT_EQ(pinned.totalNs, 200);
    EXPECT_EQ(pinned.exposedNs, 50) << "half of the second reaches out of the kernel";
    EXPECT_EQ(pinned.bytes, 2 * kMiB);
}

TEST(NamedWork, TheEventsOfARowComeInOrderOfStart)
{
    const Trace trace = nestedTrace();
    Progress progress;
    const NameQuery query{WorkGroupKind::HostWork};
    const auto host = summed(trace, query);
    const auto events = eventsOf(trace, host[0].key, query, progress).value();
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(trace.interval(events[0]), (Interval{10, 50}));
    EXPECT_EQ(trace.interval(events[1]), (Interval{200, 260}));
    EXPECT_EQ(keyOf(trace, events[1]), host[0].key);
    NameQuery longer = query;
    longer.leastNs = 50;
    EXPECT_EQ(eventsOf(trace, host[0].key, longer, progress).value().size(), 1u);
}

TEST(NamedWork, CanBeCancelled)
{
    test::SampleTrace sample;
    for (std::int64_t at = 0; at < 20'000; ++at)
        sample.host(EventKind::HostWork, at * 10, at * 10 + 5, "work");
    const Trace trace = sample.build();
    Progress progress;
    progress.cancel();
    const Analysis analysis(trace);
    EXPECT_TRUE(namedWork(trace, analysis, {WorkGroupKind::HostWork}, progress).isCancelled());
    const WorkKey key = keyOf(trace, EventIndex(0));
    EXPECT_TRUE(eventsOf(trace, key, {WorkGroupKind::HostWork}, progress).isCancelled());
}

// On recordings: rows add up to the events of their kinds, and each row to its events.
class RecordedNames : public testing::TestWithParam<const char*>
{
};

TEST_P(RecordedNames, RowsAddUpToTheirEvents)
{
    Progress progress;
    const Trace trace =
        readTrace(std::string(OVERLANE_SOURCE_DIR "/tests/data/traces/") + GetParam(), progress).value();
    const Analysis analysis(trace);
    int groups = 0;
    for (const WorkGroupRow& group : workGroups()) {
        const NameQuery query{group.kind, trace.span()};
        std::int64_t count = 0;
        std::int64_t totalNs = 0;
        for (const Track& track : trace.tracks())
            for (std::uint32_t at = track.events.first; !track.bookkeeping && at < track.events.last; ++at)
                if (groupOf(trace.columns().kind[at]) == group.kind &&
                    trace.span().contains(trace.columns().startNs[at])) {
                    ++count;
                    totalNs += trace.columns().durationNs[at];
                }
        const auto work = namedWork(trace, analysis, query, progress).value();
        groups += work.empty() ? 0 : 1;
        for (const NamedWork& row : work) {
            count -= row.count;
            totalNs -= row.totalNs;
            EXPECT_GE(row.selfNs, 0) << row.name;
            EXPECT_LE(row.selfNs, row.totalNs) << row.name;
            EXPECT_LE(row.exposedNs, row.totalNs) << row.name;
            EXPECT_LE(row.medianNs, row.highNs) << row.name;
            EXPECT_LE(row.highNs, row.longestNs) << row.name;
        }
        EXPECT_EQ(count, 0) << group.id;
        EXPECT_EQ(totalNs, 0) << group.id;
        for (std::size_t row = 0; row < std::min<std::size_t>(work.size(), 3); ++row)
            EXPECT_EQ(eventsOf(trace, work[row].key, query, progress).value().size(),
                      static_cast<std::size_t>(work[row].count))
                << work[row].name;
    }
    EXPECT_GE(groups, 3);
}

INSTANTIATE_TEST_SUITE_P(Samples, RecordedNames,
                         testing::Values("h200/w8_page_nb_side_d16.pt.trace.json.gz",
                                         "kineto/kineto_resnet50_nw4_2021-06.pt.trace.json.gz"));

}  // namespace
}  // namespace overlane
