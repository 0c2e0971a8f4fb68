#include "core/analysis/no_gpu_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/kernel_record.h"
#include "core/trace/profiler_messages.h"
#include "core/trace/trace_builder.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;

Verdict told(const std::string& format, std::initializer_list<const char*> calls, const char* said = nullptr)
{
    TraceBuilder builder;
    const TrackId process = builder.addTrack({}, TrackKind::Process, "python");
    const TrackId thread = builder.addTrack(process, TrackKind::Thread, "main");
    std::int64_t atNs = 0;
    for (const char* name : calls) {
        Event event;
        event.track = thread;
        event.kind = EventKind::RuntimeCall;
        event.startNs = atNs += 10;
        event.durationNs = 5;
        event.name = builder.intern(name);
        builder.addEvent(event);
    }
    builder.metadata().format = format;
    if (said != nullptr)
        builder.metadata().properties[kProfilerSays] = said;
    const Trace trace = builder.build(false);
    const Analysis analysis(trace);
    return withinRecord(verdict(trace, trace.span()), trace, analysis.summarize(trace.span()));
}

TEST(NoGpuWork, IsNoVerdictAndNoPraise)
{
    const Verdict none = told("kineto", {});
    EXPECT_EQ(none.tone, VerdictTone::Nothing);
    test::expectText(none.sentence);
    EXPECT_THAT(none.advice, HasSubstr("ProfilerActivity.CUDA"));
    test::expectText(told("nsys", {}).advice);
}

TEST(NoGpuWork, SaysThatTheProgramAskedForSome)
{
    const Verdict asked =
        told("kineto", {"cudaLaunchKernel", "hipExtModuleLaunchKernel", "cudaMemcpyAsync", "cudaMalloc"});
    test::expectText(asked.sentence);
    test::expectText(told("nsys", {"cudaMalloc"}).sentence);
}

TEST(NoGpuWork, SaysWhatTheProfilerKnows)
{
    test::expectText(told("nsys", {}, "CUPTI_ERROR_NOT_INITIALIZED.").sentence);
}

}  // namespace
}  // namespace overlane
