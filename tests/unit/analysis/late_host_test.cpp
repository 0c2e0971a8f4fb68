// What the verdict says of a late host, by what its stacks show: waiting, launching, compiling or work.
#include <cstdint>
#include <gmock/gmock.h>
#include <string>
#include <string_view>

#include "core/analysis/advice.h"
#include "core/analysis/verdict.h"
#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::int64_t kSteps = 20;

// Steps of 10 ms, of which the host needs 6 for something that it names nowhere before it launches a kernel of 4.
class LateHost
{
public:
    LateHost()
    {
        for (std::int64_t step = 0; step <= kSteps; ++step) {
            const std::int64_t atNs = step * 10 * kMs;
            const auto id = static_cast<std::uint32_t>(step + 1);
            m_sample.host(EventKind::Step, atNs - 6 * kMs, atNs + 4 * kMs, "ProfilerStep#" + std::to_string(step));
            m_sample.host(EventKind::RuntimeCall, atNs - 10 * kUs, atNs, "cudaLaunchKernel", id);
            m_sample.kernel(atNs, atNs + 4 * kMs, 7, id);
        }
    }
    TrackId stacks(std::int64_t thread = 101, std::string_view name = "stacks of main")
    {
        return m_sample.track(m_sample.process(), TrackKind::Stacks, thread, name, -1);
    }
    // Samples at every millisecond of the host's part of each step, outermost first.
    void look(TrackId track, std::string_view program, std::string_view recorder, std::string_view library)
    {
        for (std::int64_t step = 1; step <= kSteps; ++step)
            for (std::int64_t at = 0; at < 6; ++at) {
                const std::int64_t atNs = step * 10 * kMs - 6 * kMs + at * kMs + 100 * kUs;
                m_sample.add(track, EventKind::ProgramFrame, atNs, atNs + 50 * kUs, program);
                if (!recorder.empty())
                    m_sample.add(track, EventKind::ProgramFrame, atNs, atNs + 50 * kUs, recorder);
                if (!library.empty())
                    m_sample.add(track, EventKind::LibraryFrame, atNs, atNs + 50 * kUs, library);
            }
    }
    Verdict judge()
    {
        const Trace trace = m_sample.build();
        return verdict(trace, {4 * kMs, kSteps * 10 * kMs});
    }

private:
    SampleTrace m_sample;
};

TEST(LateHostTest, AThreadThatWaitsIsNotToldToMoveItsWork)
{
    LateHost host;
    host.look(host.stacks(), "train.py:41 batches", {}, "threading.py:355 Condition.wait");
    host.look(host.stacks(102, "stacks of idler"), "pool.py:7 run", {}, "queue.py:171 Queue.get");
    host.look(host.stacks(103, "stacks of reader"), "read.py:34 unpack", {}, "gzip.py:300 read");
    const Verdict found = host.judge();
    test::expectText(found.sentence);
    test::expectText(found.advice);
    EXPECT_THAT(found.advice, Not(HasSubstr("move")));
}

TEST(LateHostTest, WorkIsStillToBeMoved)
{
    LateHost host;
    host.look(host.stacks(), "train.py:51 main", {}, "torch/optim/sgd.py:380 _single_tensor_sgd");
    const Verdict found = host.judge();
    EXPECT_THAT(found.sentence, StartsWith("Host-bound: "));
    test::expectText(found.advice);
}

TEST(LateHostTest, CompilationIsCalledThat)
{
    LateHost host;
    host.look(host.stacks(), "train.py:63 main", {}, "jax/_src/compiler.py:395 backend_compile_and_load");
    const Verdict found = host.judge();
    test::expectText(found.sentence);
    test::expectText(found.advice);
}

TEST(LateHostTest, TheRecordersOwnFunctionsAreNotNamed)
{
    LateHost host;
    host.look(host.stacks(), "train.py:30 main", "pytorch/overlane_pytorch.py:318 _wrap_workers_start.__init__",
              "numpy/lib/npyio.py:9 load");
    const Verdict found = host.judge();
    test::expectText(found.sentence);
    EXPECT_THAT(found.sentence, Not(HasSubstr("overlane")));
    // A worker that was forked has the stack of the program that started it.
    LateHost forked;
    forked.look(forked.stacks(), "train.py:30 main", {}, "multiprocessing/process.py:314 BaseProcess._bootstrap");
    EXPECT_THAT(forked.judge().sentence, Not(HasSubstr("train.py:30")));
    LateHost alone;
    alone.look(alone.stacks(), "overlane_queues.py:45 ThreadInput.get", {}, "numpy/lib/npyio.py:9 load");
    test::expectText(alone.judge().sentence);
}

// Steps of 9 ms: 20 kernels of 50 us, 400 us apart, whose launches are as far apart; samples in all of the gaps.
Verdict judgeGaps(std::string_view program, std::string_view library)
{
    constexpr std::int64_t kApartNs = 450 * kUs;
    SampleTrace sample;
    const TrackId stacks = sample.track(sample.process(), TrackKind::Stacks, 101, "stacks of main", -1);
    std::uint32_t id = 0;
    for (std::int64_t step = 0; step < kSteps; ++step) {
        const std::int64_t startNs = step * 20 * kApartNs;
        sample.host(EventKind::Step, startNs, startNs + 20 * kApartNs, "ProfilerStep#" + std::to_string(step));
        for (std::int64_t at = 0; at < 20; ++at) {
            const std::int64_t atNs = startNs + at * kApartNs;
            sample.host(EventKind::RuntimeCall, atNs, atNs + 5 * kUs, "cudaLaunchKernel", ++id);
            sample.kernel(atNs + 5 * kUs, atNs + 55 * kUs, 7, id);
            sample.add(stacks, EventKind::ProgramFrame, atNs + 200 * kUs, atNs + 250 * kUs, program);
            if (!library.empty())
                sample.add(stacks, EventKind::LibraryFrame, atNs + 200 * kUs, atNs + 250 * kUs, library);
        }
    }
    const Trace trace = sample.build();
    return verdict(trace, {0, kSteps * 20 * kApartNs});
}

TEST(LateHostTest, AFrameworkBetweenLaunchesIsLaunching)
{
    const Verdict found = judgeGaps("train.py:77 main", "torch/autograd/graph.py:869 _engine_run_backward");
    ASSERT_TRUE(found.mainLoss);
    EXPECT_EQ(*found.mainLoss, LostCause::LaunchBound) << found.sentence;
    test::expectText(found.advice);
}

TEST(LateHostTest, AProgramsOwnWorkBetweenLaunchesIsNot)
{
    for (const std::string_view library : {"PIL/Image.py:2200 resize", "threading.py:355 Condition.wait", ""}) {
        const Verdict found = judgeGaps("train.py:77 main", library);
        ASSERT_TRUE(found.mainLoss);
        EXPECT_EQ(*found.mainLoss, LostCause::Host) << library << ": " << found.sentence;
    }
}

TEST(LateHostTest, TooFewSamplesAreSaidToBeThat)
{
    LateHost host;
    host.look(host.stacks(555, "stacks of other"), "other.py:1 f", {}, {});
    const Verdict found = host.judge();
    test::expectText(found.sentence);
}

}  // namespace
}  // namespace overlane
