#include "core/analysis/host_stacks.h"

#include <gmock/gmock.h>
#include <string>

#include "core/analysis/analysis.h"
#include "core/analysis/python_frame.h"
#include "core/analysis/verdict.h"
#include "core/trace/track_names.h"
#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;
using testing::IsEmpty;
using testing::SizeIs;

// 20 steps of 10 ms, of which the host needs 6 for code that it names nowhere before it launches a kernel of 4.
class SampledHost
{
public:
    explicit SampledHost(std::int64_t steps = 20) : m_steps(steps)
    {
        for (std::int64_t step = 0; step <= steps; ++step) {
            const std::int64_t atNs = step * 10 * kMs;
            const auto id = static_cast<std::uint32_t>(step + 1);
            m_sample.host(EventKind::Step, atNs - 6 * kMs, atNs + 4 * kMs, "ProfilerStep#" + std::to_string(step));
            m_sample.host(EventKind::RuntimeCall, atNs - 10 * kUs, atNs, "cudaLaunchKernel", id);
            m_sample.kernel(atNs, atNs + 4 * kMs, 7, id);
        }
    }
    SampleTrace& sample() { return m_sample; }
    TrackId stacks(std::int64_t thread = 101, std::string_view name = "stacks of main")
    {
        return m_sample.track(m_sample.process(), TrackKind::Stacks, thread, name, -1);
    }
    // Samples of 50 us at every millisecond of the host's part of each step: the first four here, the others there.
    void look(TrackId track, std::string_view here, std::string_view there, std::string_view library = {})
    {
        for (std::int64_t step = 1; step <= m_steps; ++step)
            for (std::int64_t at = 0; at < 6; ++at) {
                const std::int64_t atNs = step * 10 * kMs - 6 * kMs + at * kMs + 100 * kUs;
                m_sample.add(track, EventKind::ProgramFrame, atNs, atNs + 50 * kUs, at < 4 ? here : there);
                if (!library.empty())
                    m_sample.add(track, EventKind::LibraryFrame, atNs, atNs + 50 * kUs, library);
            }
    }
    Interval range() const { return {4 * kMs, m_steps * 10 * kMs}; }

private:
    SampleTrace m_sample;
    std::int64_t m_steps;
};

std::vector<CodeShare> sharesOf(const Trace& trace, Interval range)
{
    const Analysis analysis(trace);
    const DeviceActivity& device = analysis.devices().front();
    std::vector<Interval> gaps;
    for (const IdleGap& gap : device.idle)
        gaps.push_back(gap.interval);
    return analysis.stacks().behind(device, analysis.host(), IntervalSet(std::move(gaps)), range);
}

TEST(HostStacks, SharesAreOfTheSamplesInTheTimeThatIsAskedAbout)
{
    SampledHost host;
    host.look(host.stacks(), "train.py:88 augment", "train.py:30 log", "PIL/Image.py:2200 resize");
    const std::vector<CodeShare> shares = sharesOf(host.sample().build(), host.range());
    ASSERT_THAT(shares, SizeIs(2));
    EXPECT_EQ(shares[0].place, "train.py:88 augment");
    EXPECT_EQ(shares[0].innermost, "PIL/Image.py:2200 resize");
    EXPECT_NEAR(shares[0].share, 4.0 / 6, 1e-6);
    EXPECT_NEAR(shares[1].share, 2.0 / 6, 1e-6);
    test::expectText(codeSharesText(shares));
}

TEST(HostStacks, WhatIsSeenWhileTheDeviceWorksCountsNothing)
{
    SampledHost host;
    const TrackId track = host.stacks();
    host.look(track, "train.py:88 augment", "train.py:88 augment");
    for (std::int64_t step = 1; step < 20; ++step)
        host.sample().add(track, EventKind::ProgramFrame, step * 10 * kMs + kMs, step * 10 * kMs + kMs + 50 * kUs,
                          "train.py:50 wait");
    const std::vector<CodeShare> shares = sharesOf(host.sample().build(), host.range());
    ASSERT_THAT(shares, SizeIs(1));
    EXPECT_EQ(shares[0].place, "train.py:88 augment");
}

TEST(HostStacks, TheLinesOfAFunctionAreOnePlace)
{
    SampledHost host;
    host.look(host.stacks(), "train.py:88 augment", "train.py:90 augment");
    const std::vector<CodeShare> shares = sharesOf(host.sample().build(), host.range());
    ASSERT_THAT(shares, SizeIs(1));
    EXPECT_EQ(shares[0].place, "train.py:88 augment");
    EXPECT_EQ(shares[0].innermost, "");
    EXPECT_DOUBLE_EQ(shares[0].share, 1);
}

TEST(HostStacks, FewSamplesSayNothing)
{
    SampledHost host;
    const TrackId track = host.stacks();
    for (std::int64_t step = 1; step <= 4; ++step)
        host.sample().add(track, EventKind::ProgramFrame, step * 10 * kMs - 2 * kMs, step * 10 * kMs - kMs,
                          "train.py:88 augment");
    EXPECT_THAT(sharesOf(host.sample().build(), host.range()), IsEmpty());
    SampledHost none;
    EXPECT_THAT(sharesOf(none.sample().build(), none.range()), IsEmpty());
}

TEST(HostStacks, AThreadWithoutStacksStandsForTheMainThread)
{
    SampledHost host;
    host.look(host.stacks(100, "stacks of python main"), "train.py:12 main", "train.py:12 main");
    EXPECT_THAT(sharesOf(host.sample().build(), host.range()), SizeIs(1));
    SampledHost other;
    other.look(other.stacks(555, "stacks of reader"), "train.py:12 read", "train.py:12 read");
    EXPECT_THAT(sharesOf(other.sample().build(), other.range()), IsEmpty());
}

TEST(HostStacks, OfAWorkerStandBelowATrackForAllAndAreAskedForByTheWorker)
{
    SampledHost host;
    TraceBuilder& builder = host.sample().builder();
    const TrackId worker = builder.addTrack(host.sample().process(), TrackKind::LoaderActor, "worker 0", -1, 0);
    host.sample().add(worker, EventKind::Loader, 0, 200 * kMs, "batch 0");
    const TrackId all = builder.addTrack(host.sample().process(), TrackKind::Stacks, kWorkerStacksTrackName, -1, 0);
    host.look(builder.addTrack(all, TrackKind::Stacks, "stacks of worker 0", -1, 0), "data.py:7 __getitem__",
              "data.py:9 decode");
    const Analysis analysis(host.sample().build());
    test::expectText(codeSharesText(analysis.stacks().of({{worker, IntervalSet({host.range()})}}, host.range())));
    EXPECT_THAT(analysis.stacks().of({{host.sample().thread(), IntervalSet({host.range()})}}, host.range()), IsEmpty());
}

TEST(HostStacks, FunctionsOfAProfilerCountByTheirTime)
{
    SampledHost host;
    for (std::int64_t step = 1; step <= 20; ++step) {
        const std::int64_t atNs = step * 10 * kMs - 6 * kMs;
        host.sample().host(EventKind::HostWork, atNs, atNs + 5900 * kUs, "train.py(10): step");
        host.sample().host(EventKind::HostWork, atNs + kMs, atNs + 5 * kMs, "torch/nn/modules/module.py(7): _call");
        host.sample().host(EventKind::HostWork, atNs + 2 * kMs, atNs + 5 * kMs, "data/augment.py(88): flip");
        host.sample().host(EventKind::HostWork, atNs + 3 * kMs, atNs + 5 * kMs, "PIL/Image.py(22): resize");
        host.sample().host(EventKind::HostWork, atNs + 3 * kMs, atNs + 5 * kMs, "<built-in function flip>");
    }
    const std::vector<CodeShare> shares = sharesOf(host.sample().build(), host.range());
    ASSERT_THAT(shares, SizeIs(2));
    EXPECT_EQ(shares[0].place, "data/augment.py:88 flip");
    EXPECT_EQ(shares[0].innermost, "PIL/Image.py:22 resize");
    EXPECT_NEAR(shares[0].share, 3.0 / 5.9, 1e-6);
    EXPECT_EQ(shares[1].place, "train.py:10 step");
}

TEST(HostStacks, TheVerdictNamesTheCodeThatIsLate)
{
    SampledHost host;
    host.look(host.stacks(), "train.py:88 augment", "train.py:30 log");
    const Trace trace = host.sample().build();
    const Verdict said = verdict(trace, host.range());
    test::expectText(said.sentence);
    SampledHost bare;
    const Trace unsampled = bare.sample().build();
    test::expectText(verdict(unsampled, bare.range()).sentence);
}

TEST(CodeShares, APlaceHasAFileALineAndAFunction)
{
    const CodePlace usual = codePlace("train.py:88 augment");
    EXPECT_EQ(usual.file, "train.py");
    EXPECT_EQ(usual.line, 88);
    EXPECT_EQ(usual.function, "augment");
    const CodePlace odd = codePlace("my 2:1 files/train.py:7 <lambda>");
    EXPECT_EQ(odd.file, "my 2:1 files/train.py");
    EXPECT_EQ(odd.line, 7);
    EXPECT_EQ(odd.function, "<lambda>");
    const CodePlace none = codePlace("std::sort(int*, int*)");
    EXPECT_EQ(none.file, "");
    EXPECT_EQ(none.function, "std::sort(int*, int*)");
}

TEST(CodeShares, SayWhatPartOfAPlaceIsOnItsLineAndInWhatItCalled)
{
    const std::vector<CodeShare> script{{"train.py:38 main", "zlib.py:5 pack", 0.9, 0.5, 0.2},
                                        {"a.py:3 f", {}, 0.1, 0.1, 0}};
    test::expectText(codeSharesText(script));
    test::expectText(firstShareText(script));
    const std::vector<CodeShare> one{{"train.py:88 augment", "image.py:9 resize", 0.6, 0.58, 0.5}};
    test::expectText(codeSharesText(one));
    EXPECT_EQ(calledSentence(script), "");
    test::expectText(calledSentence(one));
    test::expectText(firstShareText(one));
}

TEST(PythonFrame, ReadsTheNamesOfPyTorchsProfiler)
{
    const auto place = [](std::string_view name) {
        const auto frame = pythonFrame(name);
        return frame ? (frame->isProgram ? "own " : "other ") + frame->place : std::string("none");
    };
    EXPECT_EQ(place("train.py(88): augment"), "own train.py:88 augment");
    EXPECT_EQ(place("data/augment.py(88): flip"), "own data/augment.py:88 flip");
    EXPECT_EQ(place("/home/me/job/train.py(12): <module>"), "own /home/me/job/train.py:12 <module>");
    EXPECT_EQ(place("<string>(7): <module>"), "own <string>:7 <module>");
    EXPECT_EQ(place("<string>(3): augment"), "own <string>:3 augment");
    // A process that multiprocessing starts, a dataclass, a binder of Triton.
    EXPECT_EQ(place("<string>(1): <module>"), "other <string>:1 <module>");
    EXPECT_EQ(place("<string>(2): __init__"), "other <string>:2 __init__");
    EXPECT_EQ(place("<string>(2): dynamic_func"), "other <string>:2 dynamic_func");
    EXPECT_EQ(place("/usr/lib/python3.11/json/decoder.py(337): decode"),
              "other /usr/lib/python3.11/json/decoder.py:337 decode");
    EXPECT_EQ(place("/venv/site-packages/tool/x.py(3): f"), "other /venv/site-packages/tool/x.py:3 f");
    EXPECT_EQ(place("torch/nn/modules/module.py(1518): _call_impl"),
              "other torch/nn/modules/module.py:1518 _call_impl");
    EXPECT_EQ(place("threading.py(655): wait"), "other threading.py:655 wait");
    EXPECT_EQ(place("<frozen importlib._bootstrap>(1176): _find"), "none");
    EXPECT_EQ(place("<built-in method view of Tensor object at 0x7ce279c5bf20>"), "none");
    EXPECT_EQ(place("nn.Module: Linear_3"), "none");
    EXPECT_EQ(place("aten::to"), "none");
    EXPECT_EQ(place("x.py(): f"), "none");
    EXPECT_EQ(place("x.py(12"), "none");
}

}  // namespace
}  // namespace overlane
