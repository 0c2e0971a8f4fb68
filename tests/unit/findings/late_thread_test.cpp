// What the finding on a late thread says and advises, by what that thread's stacks show.
#include <gmock/gmock.h>
#include <string_view>

#include "tests/support/expect_text.h"
#include "tests/unit/findings/loop_trace.h"

namespace overlane
{
namespace
{

using test::LoopTrace;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kSteps = 20;

// 6 ms of each step pass before its kernel is launched; samples of a thread are in them.
class LateLoop
{
public:
    LateLoop()
    {
        m_loop.eachStep(
            [&](std::int64_t startNs, std::int64_t) { m_loop.launch(startNs + 6 * kMs, startNs + 10 * kMs); });
    }
    void look(std::int64_t thread, std::string_view name, std::string_view program, std::string_view library)
    {
        test::SampleTrace& sample = m_loop.sample();
        const TrackId track = sample.track(sample.process(), TrackKind::Stacks, thread, name, -1);
        m_loop.eachStep([&](std::int64_t startNs, std::int64_t) {
            for (std::int64_t at = 0; at < 5; ++at) {
                const std::int64_t atNs = startNs + at * kMs + 100 * kUs;
                sample.add(track, EventKind::ProgramFrame, atNs, atNs + 50 * kUs, program);
                if (!library.empty())
                    sample.add(track, EventKind::LibraryFrame, atNs, atNs + 50 * kUs, library);
            }
        });
    }
    Finding late()
    {
        const FindingList list = m_loop.findings();
        const Finding* found = list.find(RuleId::HostLate);
        EXPECT_NE(found, nullptr);
        return found ? *found : Finding();
    }

private:
    LoopTrace m_loop{kSteps};
};

TEST(LateThread, ThatWaitsIsToldWhatItWaitsFor)
{
    LateLoop loop;
    loop.look(101, "stacks of main", "train.py:41 batches", "threading.py:355 Condition.wait");
    loop.look(103, "stacks of reader", "read.py:34 unpack", "gzip.py:300 read");
    const Finding late = loop.late();
    test::expectText(late.title);
    test::expectText(late.sentence);
    test::expectText(late.change);
}

TEST(LateThread, WithStacksElsewhereIsNotAdvisedToRecordStacks)
{
    LateLoop loop;
    loop.look(555, "stacks of other", "other.py:1 f", {});
    const Finding late = loop.late();
    test::expectText(late.sentence);
    for (const std::string& text : {late.change, late.changePyTorch})
        EXPECT_THAT(text, Not(HasSubstr("with_stack")));
}

}  // namespace
}  // namespace overlane
