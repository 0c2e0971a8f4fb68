#include "core/trace/trace_origin.h"

#include <gtest/gtest.h>
#include <string>

#include "core/trace/trace_builder.h"

namespace overlane
{
namespace
{

// Files hold them.
TEST(TraceOriginTest, IdsNeverChange)
{
    std::string ids;
    for (const TraceOriginRow& row : traceOrigins())
        ids += std::string(row.id) + ' ';
    EXPECT_EQ(ids, "simulated measured predicted recorded kineto nsys  ");
}

TEST(TraceOriginTest, AnIdNamesItsOrigin)
{
    ASSERT_EQ(traceOrigins().size(), static_cast<std::size_t>(kTraceOriginCount));
    for (const TraceOriginRow& row : traceOrigins()) {
        EXPECT_EQ(originOf(row.id), row.origin) << row.id;
        EXPECT_FALSE(row.howToRecordGpu.empty()) << row.id;
        EXPECT_FALSE(row.howToShowHost.empty()) << row.id;
    }
}

TEST(TraceOriginTest, AnyOtherTextIsOther)
{
    for (const char* text : {"Kineto", "kineto ", "simulate", "overlane", "rocprof", "\xff"})
        EXPECT_EQ(originOf(text), TraceOrigin::Other) << text;
}

TEST(TraceOriginTest, ATraceKeepsTheTextOfItsFile)
{
    TraceBuilder builder;
    builder.metadata().format = "nsys";
    EXPECT_EQ(builder.build().origin().origin, TraceOrigin::Nsys);
    builder.metadata().format = "of tomorrow";
    const Trace unknown = builder.build();
    EXPECT_EQ(unknown.origin().origin, TraceOrigin::Other);
    EXPECT_EQ(unknown.metadata().format, "of tomorrow");
    EXPECT_EQ(Trace().origin().origin, TraceOrigin::Other);
}

}  // namespace
}  // namespace overlane
