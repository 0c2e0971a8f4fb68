#include "core/io/format.h"

#include <gtest/gtest.h>

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

TEST(Format, has_one_name_per_format)
{
    for (const TraceFormat* one : allFormats())
        for (const TraceFormat* other : allFormats())
            EXPECT_EQ(one == other, one->name() == other->name());
}

}  // namespace
}  // namespace overlane
