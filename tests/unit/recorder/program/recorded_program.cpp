// Stands for a CUDA program with the injection library inside: writes a spool of copies and kernels,
// a step each, and ends as it is told. Arguments: STEPS [MILLISECONDS [EXIT-CODE | crash | hold | count | windows]];
// with hold it writes when the recorder asks to stop, and not before, with count it counts its steps as iterations,
// with windows it does so for a recorder that watches: STEPS 0 is until a file named OVERLANE_TEST_END is there, and
// while one named OVERLANE_TEST_SLOW is there, a step takes three times as long.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <thread>
#include <unistd.h>

#include "core/spool/record_control.h"
#include "core/spool/record_environment.h"
#include "core/spool/spool_writer.h"

using namespace overlane;

namespace
{

std::int64_t nowNs()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void begin(SpoolWriter& writer)
{
    spool::ProcessStart start;
    start.timeNs = nowNs();
    start.pid = static_cast<std::uint32_t>(getpid());
    start.parentPid = static_cast<std::uint32_t>(getppid());
    start.program = writer.intern("recorded_program");
    writer.add(start);
    spool::Device device;
    device.uuid[0] = 7;
    device.name = writer.intern("Test GPU");
    device.memoryBytes = 1u << 30;
    writer.add(device);
}

// A copy of 1 MiB, 100 us long, and a kernel of 200 us behind it.
void addStep(SpoolWriter& writer, std::uint32_t step)
{
    const std::int64_t atNs = nowNs();
    const std::uint32_t copyId = 2 * step + 1, kernelId = 2 * step + 2;
    spool::ApiCall call;
    call.thread = static_cast<std::uint32_t>(getpid());
    call.startNs = atNs;
    call.endNs = atNs + 5'000;
    call.correlation = copyId;
    call.name = writer.intern("cudaMemcpyAsync");
    writer.add(call);
    call.startNs = atNs + 10'000;
    call.endNs = atNs + 14'000;
    call.correlation = kernelId;
    call.name = writer.intern("cudaLaunchKernel");
    writer.add(call);
    spool::Copy copy;
    copy.startNs = atNs + 20'000;
    copy.endNs = atNs + 120'000;
    copy.bytes = 1u << 20;
    copy.stream = 7;
    copy.correlation = copyId;
    copy.direction = spool::Direction::HostToDevice;
    writer.add(copy);
    spool::Kernel kernel;
    kernel.startNs = atNs + 130'000;
    kernel.endNs = atNs + 330'000;
    kernel.stream = 7;
    kernel.correlation = kernelId;
    kernel.name = writer.intern("step_kernel");
    writer.add(kernel);
}

bool isThere(const char* variable)
{
    const char* file = std::getenv(variable);
    return file != nullptr && access(file, F_OK) == 0;
}

// As the collector does (cupti/collector/collector_windows.cpp).
int runInWindows(const char* directory, int steps, int pauseMs)
{
    RecordControl control = RecordControl::open(directory);
    SpoolWriter writer;
    std::uint32_t window = 0;
    control.waits();
    for (int step = 0; steps == 0 ? !isThere("OVERLANE_TEST_END") : step < steps; ++step) {
        control.countIterations(static_cast<std::uint32_t>(step) + 1);
        const bool records = control.state() == RecordState::Record;
        if (writer.isOpen() && (!records || window != control.window())) {
            writer.flush();
            writer.abandon();
            control.leftWindow();
        }
        if (records && window != control.window()) {
            window = control.window();
            if (writer.open(windowFolder(directory, window), static_cast<std::uint32_t>(getpid()), nowNs())) {
                begin(writer);
                control.beganRecording(true);
            }
        }
        if (writer.isOpen())
            addStep(writer, static_cast<std::uint32_t>(step));
        std::this_thread::sleep_for(std::chrono::milliseconds(pauseMs * (isThere("OVERLANE_TEST_SLOW") ? 3 : 1)));
    }
    if (writer.isOpen() && writer.flush())
        control.leftWindow();
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    const int steps = argc > 1 ? std::atoi(argv[1]) : 1;
    const int pauseMs = argc > 2 ? std::atoi(argv[2]) : 1;
    const std::string_view end = argc > 3 ? argv[3] : "0";
    const char* directory = std::getenv(record_environment::kSpoolDirectory);
    if (end == "windows" && directory != nullptr)
        return runInWindows(directory, steps, pauseMs);
    SpoolWriter writer;
    RecordControl control;
    if (directory != nullptr) {
        control = RecordControl::open(directory);
        if (writer.open(directory, static_cast<std::uint32_t>(getpid()), nowNs()))
            begin(writer);
    }
    const bool counts = end == "count" && control.valid();
    const bool waited = counts && control.state() == RecordState::Wait;
    bool began = false;
    if (waited)
        control.waits();
    std::printf("%d steps\n", steps);
    std::fflush(stdout);
    for (int step = 0; step < steps; ++step) {
        if (counts)
            control.countIterations(static_cast<std::uint32_t>(step) + 1);
        if (counts && !began && control.state() == RecordState::Record) {
            began = true;
            control.beganRecording(waited);
        }
        if (writer.isOpen() && (!control.valid() || control.state() == RecordState::Record)) {
            addStep(writer, static_cast<std::uint32_t>(step));
            if (end == "hold")
                continue;
            const std::uint64_t before = writer.writtenBytes();
            if (!writer.flush() && control.valid())
                control.tellWriteError(writer.error());
            if (control.valid())
                control.addBytes(writer.writtenBytes() - before);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(pauseMs));
    }
    if (end == "hold") {
        while (control.valid() && control.state() != RecordState::Stop)
            std::this_thread::sleep_for(std::chrono::milliseconds(pauseMs));
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        writer.flush();
    }
    if (end == "crash")
        std::raise(SIGKILL);
    return std::atoi(end.data());
}
