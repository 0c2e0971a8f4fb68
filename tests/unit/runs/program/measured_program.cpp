// Stands for `overlane gpu-run SCENARIO RESULT` on a GPU: writes the spool of a run that has a
// preparation, a clock that starts, and steps, in each of which a worker works 1 ms, waits 0.2 ms, and the pin
// thread works 0.3 ms; both made calls of CUDA before anybody said what they are. It ends after OVERLANE_TEST_STEPS of
// them, or as soon as SIGINT comes, unless OVERLANE_TEST_DEAF is set.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

#include "core/engine/gpu_backend.h"
#include "core/spool/record_environment.h"
#include "core/spool/spool_clock.h"
#include "core/spool/spool_writer.h"
#include "core/trace/track.h"

using namespace overlane;

namespace
{

volatile std::sig_atomic_t g_stop = 0;

void addKernel(SpoolWriter& writer, const char* name)
{
    spool::Kernel kernel;
    kernel.startNs = monotonicNs();
    kernel.endNs = kernel.startNs + 100'000;
    kernel.stream = 7;
    kernel.name = writer.intern(name);
    writer.add(kernel);
}

constexpr std::uint32_t kWorker = 101;
constexpr std::uint32_t kPinThread = 102;

void addCall(SpoolWriter& writer, std::uint32_t thread)
{
    const std::int64_t nowNs = monotonicNs();
    writer.add(spool::ApiCall{nowNs, nowNs + 1000, thread, 0, writer.intern("cudaSetDevice_v3020"), 0});
}

void addActor(SpoolWriter& writer, std::uint32_t thread, const char* name, std::int32_t place)
{
    writer.add(spool::ThreadName{thread, writer.intern(name)});
    writer.add(
        spool::Lane{thread, writer.intern(name), static_cast<std::uint32_t>(TrackKind::LoaderActor), place, thread, 0});
}

void addWork(SpoolWriter& writer)
{
    const std::int64_t nowNs = monotonicNs();
    const auto add = [&](std::uint32_t lane, EventKind kind, std::int64_t startNs, std::int64_t endNs) {
        writer.add(spool::LaneEvent{startNs, endNs, lane, writer.intern("batch"), static_cast<std::uint32_t>(kind), 0});
    };
    add(kWorker, EventKind::Loader, nowNs, nowNs + 1'000'000);
    add(kWorker, EventKind::LoaderWait, nowNs + 1'000'000, nowNs + 1'200'000);
    add(kPinThread, EventKind::Loader, nowNs, nowNs + 300'000);
}

void addToRunLane(SpoolWriter& writer, EventKind kind, std::int64_t startNs, std::int64_t endNs)
{
    writer.add(spool::LaneEvent{startNs, endNs, 1, writer.intern(kMeasuredRun), static_cast<std::uint32_t>(kind), 0});
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 4)
        return 2;
    const char* wanted = std::getenv("OVERLANE_TEST_STEPS");
    const int steps = wanted != nullptr ? std::atoi(wanted) : 1'000'000;
    std::signal(SIGINT, [](int) {
        if (std::getenv("OVERLANE_TEST_DEAF") == nullptr)
            g_stop = 1;
    });
    SpoolWriter writer;
    if (!writer.open(std::getenv(record_environment::kSpoolDirectory), static_cast<std::uint32_t>(getpid()),
                     monotonicNs()))
        return 3;
    spool::ProcessStart start;
    start.timeNs = monotonicNs();
    start.pid = static_cast<std::uint32_t>(getpid());
    start.program = writer.intern("overlane");
    start.command = writer.intern("/somewhere/overlane gpu-run /tmp/x.json");
    writer.add(start);
    spool::Device device;
    device.uuid[0] = 7;
    device.name = writer.intern("Test GPU");
    writer.add(device);
    spool::Lane lane;
    lane.id = 1;
    lane.name = writer.intern("Run");
    lane.kind = static_cast<std::uint32_t>(TrackKind::Annotations);
    lane.bookkeeping = 1;
    writer.add(lane);

    addKernel(writer, "preparation");
    addCall(writer, kWorker);
    addCall(writer, kPinThread);
    writer.flush();
    addActor(writer, kWorker, "worker 0", 0);
    addActor(writer, kPinThread, "pin thread", 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::int64_t originNs = monotonicNs();
    if (std::getenv("OVERLANE_TEST_NO_CLOCK") == nullptr)
        addToRunLane(writer, EventKind::Instant, originNs, originNs);
    for (int step = 0; step < steps && !g_stop; ++step) {
        addKernel(writer, "step");
        addWork(writer);
        writer.flush();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    const std::int64_t endNs = monotonicNs();
    addToRunLane(writer, EventKind::Annotation, originNs, endNs);
    writer.flush();
    std::ofstream result(argv[3]);
    if (g_stop)
        result << R"({"stopped":true})";
    else
        result << R"({"wall_ns":)" << endNs - originNs << R"(,"device":"Test GPU","results_checked":3})";
    return 0;
}
