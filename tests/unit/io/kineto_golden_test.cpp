// Small public traces as readable text; OVERLANE_UPDATE_GOLDEN=1 writes the files anew.
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

#include "core/io/format.h"

namespace overlane
{
namespace
{

const std::string kTests = std::string(OVERLANE_SOURCE_DIR) + "/tests/";
constexpr std::uint32_t kEventsPerTrack = 4;

std::string describe(const Trace& trace, EventIndex index)
{
    const Event event = trace.event(index);
    std::string text = fmt::format("{} +{} {} \"{}\"", event.startNs, event.durationNs, kindName(event.kind),
                                   trace.name(index).substr(0, 60));
    if (event.correlation != 0)
        text += fmt::format(" #{}{}", event.correlation, trace.link(index).valid() ? " linked" : "");
    if (event.copy) {
        const char* flag = event.copy->async == AsyncFlag::Async  ? "async"
                           : event.copy->async == AsyncFlag::Sync ? "sync"
                                                                  : "unknown";
        text += fmt::format(" {} bytes {} -> {} {}", event.copy->bytes, memoryKindName(event.copy->source),
                            memoryKindName(event.copy->destination), flag);
    }
    return text;
}

void printTrack(const Trace& trace, TrackId id, int indent, std::string& out)
{
    const Track& track = trace.track(id);
    out += fmt::format("{:{}}{} [id {}, {} events, {} rows]\n", "", indent * 2, track.name, track.nativeId,
                       track.events.size(), track.rows.size());
    const std::uint32_t shown = std::min(track.events.size(), kEventsPerTrack);
    for (std::uint32_t at = 0; at < shown; ++at)
        out += fmt::format("{:{}}- {}\n", "", indent * 2 + 2, describe(trace, EventIndex(track.events.first + at)));
    for (const TrackId child : track.children)
        printTrack(trace, child, indent + 1, out);
}

std::string printTrace(const Trace& trace)
{
    std::string out = fmt::format("{}: {} source events, {} on tracks, span {} ns, t = 0 at {} ns\n",
                                  trace.metadata().format, trace.metadata().sourceEvents, trace.eventCount(),
                                  trace.span().lengthNs(), trace.metadata().startEpochNs);
    for (const DeviceInfo& device : trace.devices())
        out += fmt::format("device {}: \"{}\", {} bytes\n", device.id, device.name, device.memoryBytes);
    for (const ImportStat& stat : trace.stats().all())
        out += fmt::format("skipped {}: {} ({})\n", stat.reason, stat.count, stat.explanation);
    for (const TrackId root : trace.roots())
        printTrack(trace, root, 0, out);
    return out;
}

class GoldenTest : public testing::TestWithParam<const char*>
{
};

TEST_P(GoldenTest, readsAsBefore)
{
    Progress progress;
    const Result<Trace> trace = readTrace(fmt::format("{}data/traces/kineto/{}.json.gz", kTests, GetParam()), progress);
    ASSERT_TRUE(trace.ok()) << trace.error();
    const std::string actual = printTrace(trace.value());
    const std::string path = fmt::format("{}golden/kineto/{}.txt", kTests, GetParam());
    if (std::getenv("OVERLANE_UPDATE_GOLDEN") != nullptr)
        std::ofstream(path) << actual;
    std::ifstream file(path);
    const std::string expected{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(actual, expected) << "run again with OVERLANE_UPDATE_GOLDEN=1 if the new text is right";
}

INSTANTIATE_TEST_SUITE_P(Kineto, GoldenTest,
                         testing::Values("hta_event_sync_multi_stream", "hta_mi250_minitoy_rocm6.2",
                                         "hta_large_integer"));

}  // namespace
}  // namespace overlane
