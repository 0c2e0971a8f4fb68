#include "core/names/call_tree.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>

#include "core/io/format.h"
#include "core/names/call_tree_text.h"
#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

CallTree treeOf(const Trace& trace, const CallQuery& query = {})
{
    Progress progress;
    return callTree(trace, query, progress).value();
}

CallTree turned(const CallTree& tree)
{
    Progress progress;
    return invertedTree(tree, progress).value();
}

// "outer;inner" -> self, total and count.
using Figures = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
std::map<std::string, Figures> figuresOf(const CallTree& tree)
{
    std::map<std::string, Figures> figures;
    for (std::uint32_t node = 1; node < tree.nodes().size(); ++node) {
        std::string path = tree.name(node);
        for (std::uint32_t at = tree.nodes()[node].parent; at != 0; at = tree.nodes()[at].parent)
            path.insert(0, tree.name(at) + ";");
        const CallTree::Node& own = tree.nodes()[node];
        figures[path] = {own.selfNs, own.totalNs, own.count};
    }
    EXPECT_EQ(figures.size() + 1, tree.nodes().size()) << "a path stands once";
    return figures;
}

void expectWhole(const CallTree& tree)
{
    std::int64_t selfNs = 0;
    for (std::uint32_t node = 0; node < tree.nodes().size(); ++node) {
        const CallTree::Node& own = tree.nodes()[node];
        selfNs += own.selfNs;
        std::int64_t belowNs = own.selfNs;
        std::int64_t beforeNs = own.totalNs;
        for (std::uint32_t child = node + 1; child < own.last; child = tree.nodes()[child].last) {
            EXPECT_EQ(tree.nodes()[child].parent, node);
            EXPECT_EQ(tree.nodes()[child].depth, own.depth + 1);
            EXPECT_LE(tree.nodes()[child].totalNs, beforeNs) << "most time first";
            beforeNs = tree.nodes()[child].totalNs;
            belowNs += beforeNs;
        }
        EXPECT_EQ(own.totalNs, belowNs);
    }
    EXPECT_EQ(selfNs, tree.root().totalNs);
}

Trace callsTrace()
{
    test::SampleTrace sample;
    sample.host(EventKind::Step, 0, 100, "step 1");
    sample.host(EventKind::HostWork, 10, 60, "forward");
    sample.host(EventKind::RuntimeCall, 20, 30, "cudaLaunchKernel");
    sample.host(EventKind::RuntimeCall, 40, 45, "cudaLaunchKernel");
    sample.host(EventKind::RuntimeCall, 70, 90, "cudaLaunchKernel");
    sample.host(EventKind::Instant, 50, 50, "mark");
    sample.host(EventKind::Step, 100, 200, "step 2");
    sample.host(EventKind::HostWork, 110, 150, "forward");
    sample.kernel(0, 200);
    return sample.build();
}

TEST(CallTree, SumsByPathAndStepsWithoutTheirNumber)
{
    const CallTree tree = treeOf(callsTrace());
    expectWhole(tree);
    EXPECT_THAT(figuresOf(tree), ElementsAre(std::pair("step", Figures{90, 200, 2}),
                                             std::pair("step;cudaLaunchKernel", Figures{20, 20, 1}),
                                             std::pair("step;forward", Figures{75, 90, 2}),
                                             std::pair("step;forward;cudaLaunchKernel", Figures{15, 15, 2})));
    EXPECT_EQ(tree.depth(), 3u);
}

TEST(CallTree, BatchesAreAlikeAndFunctionsAreNot)
{
    test::SampleTrace sample;
    sample.host(EventKind::Loader, 0, 10, "batch 9");
    sample.host(EventKind::Loader, 10, 30, "batch 10");
    sample.host(EventKind::HostWork, 15, 18, "collate batch 10");
    sample.host(EventKind::HostWork, 40, 45, "aten::log10");
    sample.host(EventKind::HostWork, 50, 51, "12");
    EXPECT_THAT(
        figuresOf(treeOf(sample.build())),
        ElementsAre(std::pair("12", Figures{1, 1, 1}), std::pair("aten::log10", Figures{5, 5, 1}),
                    std::pair("batch", Figures{27, 30, 2}), std::pair("batch;collate batch", Figures{3, 3, 1})));
}

TEST(CallTree, ClipsToTheRange)
{
    const CallTree tree = treeOf(callsTrace(), {Interval{25, 42}});
    expectWhole(tree);
    EXPECT_THAT(figuresOf(tree),
                ElementsAre(std::pair("step", Figures{0, 17, 1}), std::pair("step;forward", Figures{10, 17, 1}),
                            std::pair("step;forward;cudaLaunchKernel", Figures{7, 7, 2})));
    EXPECT_TRUE(treeOf(callsTrace(), {Interval{300, 400}}).empty());
    EXPECT_TRUE(treeOf(callsTrace(), {Interval{50, 50}}).empty());
}

TEST(CallTree, OfTwoThatOverlapTheLaterOneGoesOnAlone)
{
    test::SampleTrace sample;
    sample.host(EventKind::Annotation, 0, 50, "load");
    sample.host(EventKind::Annotation, 30, 80, "train");
    sample.host(EventKind::HostWork, 40, 60, "work");
    const CallTree tree = treeOf(sample.build());
    expectWhole(tree);
    EXPECT_EQ(tree.root().totalNs, 80) << "each moment once";
    EXPECT_THAT(figuresOf(tree),
                ElementsAre(std::pair("load", Figures{30, 50, 1}), std::pair("load;train", Figures{10, 20, 1}),
                            std::pair("load;train;work", Figures{10, 10, 1}), std::pair("train", Figures{20, 30, 0}),
                            std::pair("train;work", Figures{10, 10, 0})));
}

TEST(CallTree, ThreadsTogetherOrEachForItself)
{
    test::SampleTrace sample;
    const TrackId other = sample.track(sample.process(), TrackKind::Thread, 102, "loader");
    sample.host(EventKind::HostWork, 0, 10, "work");
    sample.add(other, EventKind::HostWork, 5, 25, "work");
    const Trace trace = sample.build();
    EXPECT_THAT(figuresOf(treeOf(trace)), ElementsAre(std::pair("work", Figures{30, 30, 2})));
    const auto threads = callTracks(trace, CallSource::Events);
    ASSERT_EQ(threads.size(), 2u);
    EXPECT_THAT(figuresOf(treeOf(trace, {.tracks = {threads[1]}})), ElementsAre(std::pair("work", Figures{20, 20, 1})));
    EXPECT_THAT(figuresOf(treeOf(trace, {.byThread = true})),
                ElementsAre(std::pair("loader", Figures{0, 20, 0}), std::pair("loader;work", Figures{20, 20, 1}),
                            std::pair("main", Figures{0, 10, 0}), std::pair("main;work", Figures{10, 10, 1})));
}

TEST(CallTree, SamplesAreATreeOfTheirOwn)
{
    test::SampleTrace sample;
    const TrackId stacks = sample.track(sample.process(), TrackKind::Stacks, 101, "stacks of main");
    sample.add(stacks, EventKind::LibraryFrame, 0, 40, "run");
    sample.add(stacks, EventKind::ProgramFrame, 0, 20, "train");
    const TrackId thread = sample.thread();
    EXPECT_EQ(bestCallSource(sample.build()), CallSource::Samples) << "nothing else is there";

    test::SampleTrace both;
    both.add(both.track(both.process(), TrackKind::Stacks, 101, "stacks of main"), EventKind::LibraryFrame, 0, 40,
             "run");
    both.add(thread, EventKind::HostWork, 0, 10, "work");
    const Trace trace = both.build();
    EXPECT_EQ(bestCallSource(trace), CallSource::Events);
    EXPECT_EQ(treeOf(trace).root().totalNs, 10);
    EXPECT_EQ(treeOf(trace, {.source = CallSource::Samples}).root().totalNs, 40);
}

TEST(CallTree, FromCallsUpEveryNameHasItsSelfTimeAndItsCallers)
{
    const CallTree tree = turned(treeOf(callsTrace()));
    expectWhole(tree);
    EXPECT_EQ(tree.root().totalNs, 200);
    EXPECT_THAT(
        figuresOf(tree),
        ElementsAre(std::pair("cudaLaunchKernel", Figures{0, 35, 3}),
                    std::pair("cudaLaunchKernel;forward", Figures{0, 15, 2}),
                    std::pair("cudaLaunchKernel;forward;step", Figures{15, 15, 2}),
                    std::pair("cudaLaunchKernel;step", Figures{20, 20, 1}), std::pair("forward", Figures{0, 75, 2}),
                    std::pair("forward;step", Figures{75, 75, 2}), std::pair("step", Figures{90, 90, 2})));
}

TEST(CallTree, NamesThatMatchCountOnceWhereTheyNest)
{
    test::SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 100, "walk");
    sample.host(EventKind::HostWork, 10, 60, "walk");
    sample.host(EventKind::HostWork, 20, 30, "look");
    sample.host(EventKind::HostWork, 100, 110, "look");
    const CallTree tree = treeOf(sample.build());
    std::vector<bool> matches(tree.names().size());
    for (std::size_t name = 0; name < matches.size(); ++name)
        matches[name] = tree.names()[name] == "walk";
    EXPECT_EQ(tree.matchedNs(matches), 100);
    matches.flip();
    EXPECT_EQ(tree.matchedNs(matches), 20) << "not of the root, which is none";
}

// At every moment, which events are open: what the tree must sum to.
std::map<std::string, std::int64_t> selfByMoments(const Trace& trace, const Track& track, Interval range)
{
    std::vector<std::uint32_t> events(track.events.size());
    std::iota(events.begin(), events.end(), track.events.first);
    const auto interval = [&](std::uint32_t at) { return trace.interval(EventIndex(at)); };
    std::stable_sort(events.begin(), events.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(interval(a).startNs, -interval(a).endNs) < std::pair(interval(b).startNs, -interval(b).endNs);
    });
    std::map<std::string, std::int64_t> self;
    for (std::int64_t now = range.startNs; now < range.endNs; ++now) {
        std::string path;
        for (const std::uint32_t at : events)
            if (interval(at).contains(now))
                path += (path.empty() ? "" : ";") + std::string(trace.name(EventIndex(at)));
        if (!path.empty())
            ++self[path];
    }
    return self;
}

TEST(CallTree, EqualsTheSumOverEveryMoment)
{
    int crossed = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        std::mt19937 random(seed);
        const auto upTo = [&](std::int64_t limit) { return static_cast<std::int64_t>(random()) % limit; };
        test::SampleTrace sample;
        const std::string names = "abcd";
        const auto name = [&] { return std::string(1, names[static_cast<std::size_t>(upTo(4))]); };
        const std::function<void(Interval, int)> nest = [&](Interval within, int depth) {
            for (std::int64_t now = within.startNs + upTo(4); depth < 6 && now < within.endNs;) {
                const Interval call{now, std::min(within.endNs, now + 1 + upTo(within.lengthNs()))};
                sample.host(EventKind::HostWork, call.startNs, call.endNs, name());
                nest(call, depth + 1);
                now = call.endNs + upTo(5);
            }
        };
        nest({0, 150}, 0);
        for (std::int64_t more = seed % 2 == 0 ? 0 : 12; more > 0; --more, ++crossed) {
            const std::int64_t start = upTo(140);
            sample.host(EventKind::HostWork, start, start + 1 + upTo(40), name());
        }
        const Trace trace = sample.build();
        for (const Interval range : {trace.span(), Interval{20, 90}}) {
            const CallTree tree = treeOf(trace, {range});
            expectWhole(tree);
            std::map<std::string, std::int64_t> self;
            for (const auto& [path, figures] : figuresOf(tree))
                if (std::get<0>(figures) > 0)
                    self[path] = std::get<0>(figures);
            EXPECT_EQ(self, selfByMoments(trace, trace.track(sample.thread()), range)) << "seed " << seed;
            const CallTree up = turned(tree);
            expectWhole(up);
            EXPECT_EQ(up.root().totalNs, tree.root().totalNs);
            std::map<std::string, std::int64_t> bottomSelf;
            for (const auto& [path, ns] : self)
                bottomSelf[std::string(path.rbegin(), path.rend())] = ns;
            std::map<std::string, std::int64_t> upSelf;
            for (const auto& [path, figures] : figuresOf(up))
                if (std::get<0>(figures) > 0)
                    upSelf[path] = std::get<0>(figures);
            EXPECT_EQ(upSelf, bottomSelf) << "each path the other way round";
        }
    }
    EXPECT_GT(crossed, 100);
}

TEST(CallTree, DepthAndPathsHaveALimitAndNoTimeIsLost)
{
    constexpr std::int64_t kDeep = 700;
    test::SampleTrace deep;
    for (std::int64_t at = 0; at < kDeep; ++at)
        deep.host(EventKind::HostWork, at, 2 * kDeep - at, "again");
    const CallTree tree = treeOf(deep.build());
    EXPECT_EQ(tree.depth(), CallTree::kMostDepth);
    EXPECT_EQ(tree.leftOut(), kDeep - std::int64_t{CallTree::kMostDepth});
    EXPECT_EQ(tree.root().totalNs, 2 * kDeep);

    test::SampleTrace wide;
    constexpr std::int64_t kMany = CallTree::kMostNodes + 1000;
    wide.host(EventKind::HostWork, 0, 2 * kMany, "outer");
    for (std::int64_t at = 0; at < kMany; ++at)
        wide.host(EventKind::HostWork, 2 * at, 2 * at + 1, "f" + std::to_string(at));
    const CallTree cut = treeOf(wide.build());
    EXPECT_EQ(cut.nodes().size(), CallTree::kMostNodes);
    EXPECT_EQ(cut.leftOut(), 1002);
    EXPECT_EQ(cut.root().totalNs, 2 * kMany);
}

TEST(CallTree, FromCallsUpTheLimitLeavesOutCallersOfLittleTime)
{
    constexpr std::int64_t kDeep = 500;
    constexpr std::int64_t kLong = 10'000;
    test::SampleTrace sample;
    for (std::int64_t at = 0; at < kDeep; ++at) {
        sample.host(EventKind::HostWork, 10 * at, 10 * kDeep + kLong, "f" + std::to_string(at));
        for (std::int64_t leaf = 0; leaf < 3; ++leaf)
            sample.host(EventKind::HostWork, 10 * at + 2 * leaf + 1, 10 * at + 2 * leaf + 2,
                        "leaf" + std::to_string(3 * at + leaf));
    }
    sample.host(EventKind::HostWork, 10 * kDeep, 10 * kDeep + kLong, "last");
    const CallTree tree = treeOf(sample.build());
    ASSERT_EQ(tree.leftOut(), 0);
    const CallTree up = turned(tree);
    expectWhole(up);
    EXPECT_EQ(up.nodes().size(), CallTree::kMostNodes);
    EXPECT_GT(up.leftOut(), 100);
    EXPECT_EQ(up.root().totalNs, tree.root().totalNs);
    EXPECT_EQ(up.root().selfNs, 0) << "each name has its time";
    EXPECT_EQ(up.name(1), "last");
    EXPECT_EQ(up.nodes()[1].last, 2 + kDeep) << "with all its callers";
    std::map<std::string, std::int64_t> self;
    for (std::uint32_t node = 1; node < tree.nodes().size(); ++node)
        self[tree.name(node)] += tree.nodes()[node].selfNs;
    for (std::uint32_t node = 1; node < up.nodes().size(); node = up.nodes()[node].last)
        EXPECT_EQ(up.nodes()[node].totalNs, self[up.name(node)]);
}

TEST(CallTree, CanBeCancelled)
{
    test::SampleTrace sample;
    for (std::int64_t at = 0; at < 20'000; ++at)
        sample.host(EventKind::HostWork, at * 10, at * 10 + 5, "f" + std::to_string(at));
    const Trace trace = sample.build();
    const CallTree tree = treeOf(trace);
    Progress progress;
    progress.cancel();
    EXPECT_TRUE(callTree(trace, {}, progress).isCancelled());
    EXPECT_TRUE(invertedTree(tree, progress).isCancelled());
    EXPECT_TRUE(eventsOfCall(trace, "f1", {}, progress).isCancelled());
}

TEST(CallTree, TheEventsOfACallReachIntoTheRange)
{
    const Trace trace = callsTrace();
    Progress progress;
    const auto events = eventsOfCall(trace, "step", {Interval{50, 120}}, progress).value();
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(trace.interval(events[0]), (Interval{0, 100}));
    EXPECT_EQ(eventsOfCall(trace, "forward", {Interval{60, 120}}, progress).value().size(), 1u);
    EXPECT_THAT(eventsOfCall(trace, "gemm", {}, progress).value(), IsEmpty()) << "kernels are no calls";
}

TEST(CallTree, FoldedStacksAreALineForEachPathWithSelfTime)
{
    test::SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 30, "a;b");
    sample.host(EventKind::HostWork, 10, 20, "f(int, char)");
    EXPECT_EQ(foldedStacks(treeOf(sample.build())), "a,b 20\na,b;f(int, char) 10\n");
    EXPECT_EQ(foldedStacks(treeOf(callsTrace())),
              "step 90\nstep;forward 75\nstep;forward;cudaLaunchKernel 15\nstep;cudaLaunchKernel 20\n");
    EXPECT_EQ(foldedStacks({}), "");
}

TEST(CallTree, TheTableLeavesOutWhatOnlyCallsAnother)
{
    test::SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 100, "main.py(1): main");
    sample.host(EventKind::HostWork, 0, 100, "main.py(2): train");
    sample.host(EventKind::HostWork, 0, 60, "forward");
    sample.host(EventKind::HostWork, 60, 90, "backward");
    const CallTree tree = treeOf(sample.build());
    const auto names = [&](std::size_t most) {
        std::vector<std::string> all;
        for (const Table::Row& row : callTable(tree, most).rows)
            all.push_back(row.cells[0].text);
        return all;
    };
    EXPECT_THAT(names(10), ElementsAre("train", "  forward", "  backward"));
    EXPECT_THAT(names(2), ElementsAre("train", "  forward"));
    EXPECT_THAT(names(0), IsEmpty());
}

TEST(CallTree, OnARecordingItSumsToTheTimeInWhichAnythingIsOpen)
{
    Progress progress;
    const Trace trace =
        readTrace(OVERLANE_SOURCE_DIR "/tests/data/traces/h200/w8_page_nb_side_d16.pt.trace.json.gz", progress).value();
    const CallTree tree = treeOf(trace);
    expectWhole(tree);
    EXPECT_GT(tree.nodes().size(), 50u);
    EXPECT_GT(tree.depth(), 3u);
    const CallTree up = turned(tree);
    expectWhole(up);
    EXPECT_EQ(up.root().totalNs, tree.root().totalNs);
}

}  // namespace
}  // namespace overlane
