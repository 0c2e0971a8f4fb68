// Every public trace against figures computed by an independent reader.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

#include "core/io/format.h"

namespace overlane
{
namespace
{

const std::string kTraces = std::string(OVERLANE_SOURCE_DIR) + "/tests/data/traces/";

using Intervals = std::vector<Interval>;

// Sorted and disjoint; written plainly on purpose, apart from the analysis it will be compared with.
Intervals unionOf(Intervals intervals)
{
    std::sort(intervals.begin(), intervals.end(), [](Interval a, Interval b) { return a.startNs < b.startNs; });
    Intervals merged;
    for (const Interval interval : intervals) {
        if (!merged.empty() && interval.startNs <= merged.back().endNs)
            merged.back().endNs = std::max(merged.back().endNs, interval.endNs);
        else
            merged.push_back(interval);
    }
    return merged;
}

std::int64_t lengthOf(const Intervals& intervals)
{
    std::int64_t sum = 0;
    for (const Interval interval : intervals)
        sum += interval.lengthNs();
    return sum;
}

std::int64_t common(const Intervals& a, const Intervals& b)
{
    std::int64_t sum = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        sum += std::max<std::int64_t>(0, a[i].intersected(b[j]).lengthNs());
        (a[i].endNs < b[j].endNs ? i : j) += 1;
    }
    return sum;
}

struct Work {
    Intervals kernels, h2d, d2h;
    int otherCopies = 0;
};

std::map<int, Work> workByDevice(const Trace& trace)
{
    std::map<int, Work> devices;
    for (const Track& track : trace.tracks()) {
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            const EventIndex event(at);
            const EventKind kind = trace.kind(event);
            if (kind == EventKind::Kernel)
                devices[track.device].kernels.push_back(trace.interval(event));
            else if (kind == EventKind::CopyH2D)
                devices[track.device].h2d.push_back(trace.interval(event));
            else if (kind == EventKind::CopyD2H)
                devices[track.device].d2h.push_back(trace.interval(event));
            else if (isCopy(kind))
                ++devices[track.device].otherCopies;
        }
    }
    return devices;
}

class ReferenceTest : public testing::TestWithParam<std::string>
{
};

std::int64_t nanoseconds(const nlohmann::json& microseconds)
{
    return std::llround(microseconds.get<double>() * 1000.0);
}

TEST_P(ReferenceTest, agreesToTheNanosecond)
{
    const auto line = nlohmann::json::parse(GetParam());
    Progress progress;
    const Result<Trace> trace = readTrace(kTraces + line["file"].get<std::string>(), progress);
    ASSERT_TRUE(trace.ok()) << trace.error();
    const auto devices = workByDevice(trace.value());
    const auto& expected = line["ref"];
    EXPECT_EQ(devices.size(), expected.size());
    EXPECT_EQ(trace.value().devices().size(), expected.size());
    for (const auto& [id, reference] : expected.items()) {
        ASSERT_TRUE(devices.contains(std::stoi(id)));
        const Work& work = devices.at(std::stoi(id));
        EXPECT_EQ(work.kernels.size(), reference["kernels"]);
        EXPECT_EQ(work.h2d.size(), reference["h2d"]);
        EXPECT_EQ(work.d2h.size(), reference["d2h"]);
        EXPECT_EQ(work.otherCopies, reference["other_copies"]);
        const Intervals kernels = unionOf(work.kernels);
        const Intervals h2d = unionOf(work.h2d);
        const Intervals d2h = unionOf(work.d2h);
        EXPECT_EQ(lengthOf(kernels), nanoseconds(reference["kernel_busy_us"]));
        EXPECT_EQ(lengthOf(h2d), nanoseconds(reference["h2d_busy_us"]));
        EXPECT_EQ(lengthOf(d2h), nanoseconds(reference["d2h_busy_us"]));
        EXPECT_EQ(common(h2d, kernels), nanoseconds(reference["h2d_ov_kernel_us"]));
        EXPECT_EQ(common(d2h, kernels), nanoseconds(reference["d2h_ov_kernel_us"]));
    }
}

TEST_P(ReferenceTest, accountsForEveryEvent)
{
    const auto line = nlohmann::json::parse(GetParam());
    Progress progress;
    const Result<Trace> trace = readTrace(kTraces + line["file"].get<std::string>(), progress);
    ASSERT_TRUE(trace.ok()) << trace.error();
    std::int64_t counted = 0;
    for (const ImportStat& stat : trace.value().stats().all()) {
        EXPECT_FALSE(stat.explanation.empty());
        EXPECT_NE(stat.severity, Severity::Error) << stat.reason;
        counted += stat.count;
    }
    EXPECT_EQ(static_cast<std::int64_t>(trace.value().eventCount()) + counted, trace.value().metadata().sourceEvents);
}

std::vector<std::string> references()
{
    std::ifstream file(kTraces + "reference_overlap.jsonl");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

INSTANTIATE_TEST_SUITE_P(PublicTraces, ReferenceTest, testing::ValuesIn(references()), [](const auto& each) {
    std::string name = nlohmann::json::parse(each.param)["file"];
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
});

struct SourceCount {
    const char* file;
    std::int64_t objects;
};

// Objects in "traceEvents", counted by another JSON reader.
TEST(KinetoSourceEvents, matchAnotherReadersCount)
{
    for (const SourceCount expected : {SourceCount{"kineto/tracelens_h100_owlv2.json.gz", 132152},
                                       SourceCount{"kineto/kittibox_tf1_timeline.json.gz", 10019},
                                       SourceCount{"kineto/hta_rank_non_gpu.json.gz", 2467},
                                       SourceCount{"kineto/hta_trace_diff_control.json.gz", 109123},
                                       SourceCount{"kineto/hta_large_integer.json.gz", 2}}) {
        Progress progress;
        const Result<Trace> trace = readTrace(kTraces + expected.file, progress);
        ASSERT_TRUE(trace.ok()) << trace.error();
        EXPECT_EQ(trace.value().metadata().sourceEvents, expected.objects) << expected.file;
    }
}

}  // namespace
}  // namespace overlane
