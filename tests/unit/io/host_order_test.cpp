#include "core/io/host_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;

class HostOrderTest : public testing::Test
{
protected:
    TrackId process(std::string_view name)
    {
        const TrackId id = m_builder.addTrack({}, TrackKind::Process, name);
        m_order.addProcess(id);
        return id;
    }
    TrackId thread(TrackId process, std::string_view name, bool isMain = false)
    {
        const TrackId id = m_builder.addTrack(process, TrackKind::Thread, name);
        m_order.addThread(process, id, isMain);
        return id;
    }
    // "name", with a star for bookkeeping, roots first, each followed by its children.
    std::vector<std::string> names()
    {
        m_order.finish();
        const Trace trace = m_builder.build();
        std::vector<std::string> result;
        const auto add = [&](TrackId id) {
            result.push_back(trace.track(id).name + (trace.track(id).bookkeeping ? "*" : ""));
        };
        for (const TrackId root : trace.roots()) {
            add(root);
            for (const TrackId child : trace.track(root).children)
                add(child);
        }
        return result;
    }

    TraceBuilder m_builder;
    HostOrder m_order{m_builder};
};

TEST_F(HostOrderTest, LaunchingThreadsStandLastAndMainBelowThem)
{
    const TrackId python = process("python");
    const TrackId main = thread(python, "main", true);
    const TrackId autograd = thread(python, "autograd");
    const TrackId pin = thread(python, "pin_memory");
    m_order.note(main, EventKind::RuntimeCall, "cudaLaunchKernel");
    m_order.note(autograd, EventKind::RuntimeCall, "cuLaunchKernelEx");
    m_order.note(pin, EventKind::RuntimeCall, "cudaEventQuery");
    EXPECT_THAT(names(), ElementsAre("python", "pin_memory", "autograd", "main"));
}

TEST_F(HostOrderTest, ProcessesThatLaunchStandBelowThoseThatPrepare)
{
    const TrackId trainer = process("trainer");
    m_order.note(thread(trainer, "t"), EventKind::RuntimeCall, "cudaMemcpyAsync");
    const TrackId worker = process("worker");
    m_order.note(thread(worker, "w"), EventKind::HostWork, "decode");
    EXPECT_THAT(names(), ElementsAre("worker", "w", "trainer", "t"));
}

TEST_F(HostOrderTest, TheSourcesOrderDecidesTheRest)
{
    const TrackId python = process("python");
    for (const auto& [name, order] : {std::pair("b", 2), std::pair("a", 1), std::pair("c", 3)}) {
        const TrackId id = thread(python, name);
        m_order.note(id, EventKind::HostWork, "x");
        m_order.setSourceOrder(id, order);
    }
    EXPECT_THAT(names(), ElementsAre("python", "a", "b", "c"));
}

TEST_F(HostOrderTest, TheProfilersOwnIsMarkedAndLast)
{
    const TrackId overhead = process("-1");
    m_order.note(thread(overhead, "0"), EventKind::Overhead, "flush");
    const TrackId spans = process("Spans");
    m_order.note(thread(spans, "PyTorch Profiler"), EventKind::Annotation, "PyTorch Profiler (0)");
    m_order.markBookkeeping(spans);
    const TrackId python = process("python");
    const TrackId buffers = thread(python, "buffers");
    m_order.note(thread(python, "main"), EventKind::HostWork, "x");
    m_order.note(buffers, EventKind::Overhead, "flush");
    test::expectText(names());
}

TEST_F(HostOrderTest, TracksItWasNotToldOfStayAsTheyAre)
{
    const TrackId other = m_builder.addTrack({}, TrackKind::Device, "GPU", 0);
    m_order.note(other, EventKind::RuntimeCall, "cudaLaunchKernel");
    m_order.setSourceOrder(other, 3);
    m_order.markBookkeeping(other);
    EXPECT_THAT(names(), ElementsAre("GPU"));
}

}  // namespace
}  // namespace overlane
