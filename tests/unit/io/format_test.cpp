#include "core/io/format.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "core/trace/trace_builder.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

TEST(Format, tells_how_to_export_a_nsight_systems_report)
{
    const test::TempDir dir;
    const std::string path = dir.write("run.nsys-rep", "not a database, not JSON");
    Progress progress;
    const Result<Trace> trace = readTrace(path, progress);
    ASSERT_FALSE(trace.ok());
    test::expectText(trace.error());
}

TEST(Format, names_what_it_opens_for_a_file_of_no_known_format)
{
    const test::TempDir dir;
    const std::string path = dir.write("run.txt", "not a database, not JSON");
    Progress progress;
    const Result<Trace> trace = readTrace(path, progress);
    ASSERT_FALSE(trace.ok());
    EXPECT_NE(trace.error().find(path), std::string::npos) << trace.error();
    test::expectText(trace.error());
}

TEST(Format, says_what_to_do_with_a_trace_that_is_cut)
{
    const test::TempDir dir;
    const std::string path = dir.write("run.overlane", "");
    TraceBuilder builder;
    const TrackId thread = builder.addTrack({}, TrackKind::Thread, "main");
    for (std::int64_t at = 0; at < 20'000; ++at)
        builder.addEvent({thread, at * at, 1 + at % 7, builder.intern("call"), EventKind::RuntimeCall, 0, 1, {}});
    Progress progress;
    ASSERT_TRUE(writeTrace(builder.build(), path, progress).ok());
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 3);
    const Result<Trace> trace = readTrace(path, progress);
    ASSERT_FALSE(trace.ok());
    test::expectText(trace.error());
}

TEST(Format, has_one_name_per_format)
{
    for (const TraceFormat* one : allFormats())
        for (const TraceFormat* other : allFormats())
            EXPECT_EQ(one == other, one->name() == other->name());
}

}  // namespace
}  // namespace overlane
