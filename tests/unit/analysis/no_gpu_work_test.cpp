#include "core/analysis/no_gpu_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/kernel_record.h"
#include "core/trace/profiler_messages.h"
#include "core/trace/trace_builder.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;
using testing::Not;

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
    return withinRecord(verdict(trace, trace.span()), trace, analysis.summarise(trace.span()));
}

TEST(NoGpuWork, IsNoVerdictAndNoPraise)
{
    const Verdict none = told("kineto", {});
    EXPECT_EQ(none.tone, VerdictTone::Nothing);
    EXPECT_EQ(none.sentence, "No verdict: this trace has no GPU work.");
    EXPECT_THAT(none.advice, HasSubstr("ProfilerActivity.CUDA"));
    EXPECT_THAT(told("nsys", {}).advice, HasSubstr("nsys profile --trace=cuda"));
}

TEST(NoGpuWork, SaysThatTheProgramAskedForSome)
{
    const Verdict asked =
        told("kineto", {"cudaLaunchKernel", "hipExtModuleLaunchKernel", "cudaMemcpyAsync", "cudaMalloc"});
    EXPECT_EQ(
        asked.sentence,
        "No verdict: this trace has no GPU work. The program made 2 kernel launches and 1 call that copies, so its "
        "GPU worked and was not recorded.");
    EXPECT_THAT(told("nsys", {"cudaMalloc"}).sentence, Not(HasSubstr("The program")));
}

TEST(NoGpuWork, SaysWhatTheProfilerKnows)
{
    EXPECT_THAT(told("nsys", {}, "CUPTI_ERROR_NOT_INITIALIZED.").sentence,
                HasSubstr("The profiler says: CUPTI_ERROR_NOT_INITIALIZED."));
}

}  // namespace
}  // namespace overlane
