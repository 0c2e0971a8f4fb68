// The tracks of a real export as text. OVERLANE_UPDATE_GOLDEN=1 writes the file anew.
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>

#include "core/io/nsys_format.h"

namespace overlane
{
namespace
{

void describe(const Trace& trace, TrackId id, int depth, std::string& text)
{
    const Track& track = trace.track(id);
    text += fmt::format("{:{}}{} [kind {}, device {}, native {}, rows {}]", "", 2 * depth, track.name,
                        static_cast<int>(track.kind), track.device, track.nativeId, track.rows.size());
    std::map<std::string_view, int> kinds;
    for (std::uint32_t at = track.events.first; at < track.events.last; ++at)
        ++kinds[kindName(trace.kind(EventIndex(at)))];
    for (const auto& [kind, count] : kinds)
        text += fmt::format(", {} {}", count, kind);
    text += '\n';
    for (const TrackId child : track.children)
        describe(trace, child, depth + 1, text);
}

TEST(NsysGolden, TracksOfTwoH100)
{
    const std::string source = OVERLANE_SOURCE_DIR;
    Progress progress;
    const Result<Trace> read = nsysFormat().read(source + "/tests/data/traces/nsys/nsys_h100_2gpu.sqlite", progress);
    ASSERT_TRUE(read.ok()) << read.error();
    const Trace& trace = read.value();
    std::string text = fmt::format("span {} ns, epoch {} ns, {} events, {} names\n", trace.span().lengthNs(),
                                   trace.metadata().startEpochNs, trace.eventCount(), trace.strings().size());
    for (const TrackId root : trace.roots())
        describe(trace, root, 0, text);
    const std::string golden = source + "/tests/golden/nsys/nsys_h100_2gpu.txt";
    if (std::getenv("OVERLANE_UPDATE_GOLDEN"))
        std::ofstream(golden) << text;
    std::ifstream stream(golden);
    EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(stream), {}));
}

}  // namespace
}  // namespace overlane
