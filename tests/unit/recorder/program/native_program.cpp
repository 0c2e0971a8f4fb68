// Stands for a CUDA program in C++ whose stacks the recorder looks at: writes a spool as the injection library does,
// waits until it is looked at, or until the file NATIVE_PROGRAM_GOES is there, and does what is asked for. Arguments:
// [unlink] [burn | pause | wait | threads | train | exec]...; unlink removes the program's own file first, exec starts
// it anew, burn, wait and threads go on until the file NATIVE_PROGRAM_LEAVES is there, where one is named.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/spool/record_environment.h"
#include "core/spool/spool_clock.h"
#include "core/spool/spool_writer.h"
#include "core/spool/this_process.h"

using namespace overlane;

namespace pipeline
{

constexpr std::int64_t kTimeNs = 300'000'000;
std::atomic<std::uint64_t> made{0};

// Of processor time, so that a busy machine changes nothing.
template <typename Pixel>
[[gnu::noinline]] void augment(std::int64_t timeNs)
{
    const std::int64_t untilNs = threadCpuNs() + timeNs;
    while (threadCpuNs() < untilNs)
        for (Pixel pixel = 0; pixel < 10'000; ++pixel)
            made.fetch_add(static_cast<std::uint64_t>(pixel), std::memory_order_relaxed);
}

[[gnu::noinline]] void receive(std::int64_t timeNs)
{
    const timespec time = {timeNs / 1'000'000'000, timeNs % 1'000'000'000};
    nanosleep(&time, nullptr);
    ++made;
}

// Steps in which the host works for long before it launches a kernel of 1 ms.
[[gnu::noinline]] void train(SpoolWriter& writer)
{
    spool::Device device;
    device.uuid[0] = 7;
    device.name = writer.intern("Test GPU");
    writer.add(device);
    for (std::uint32_t step = 1; step <= 40; ++step) {
        augment<std::int16_t>(10'000'000);
        const std::int64_t atNs = monotonicNs();
        spool::ApiCall call;
        call.thread = static_cast<std::uint32_t>(getpid());
        call.startNs = atNs;
        call.endNs = atNs + 5'000;
        call.correlation = step;
        call.name = writer.intern("cudaLaunchKernel");
        writer.add(call);
        spool::Kernel kernel;
        kernel.startNs = atNs + 10'000;
        kernel.endNs = atNs + 1'010'000;
        kernel.stream = 7;
        kernel.correlation = step;
        kernel.name = writer.intern("step_kernel");
        writer.add(kernel);
    }
    writer.flush();
}

// Once, and again until it may leave.
template <typename Once>
void atLeastOnce(Once once)
{
    const char* leaves = std::getenv("NATIVE_PROGRAM_LEAVES");
    do
        once();
    while (leaves != nullptr && !std::filesystem::exists(leaves));
}

[[gnu::noinline]] void work(std::string_view what, SpoolWriter& writer)
{
    if (what == "train")
        train(writer);
    if (what == "burn")
        atLeastOnce([] { augment<std::int32_t>(kTimeNs); });
    if (what == "pause")
        receive(2 * kTimeNs);
    if (what == "wait")
        atLeastOnce([] { receive(2 * kTimeNs); });
    if (what == "threads") {
        constexpr int kThreads = 3;
        std::vector<std::thread> threads;
        threads.reserve(kThreads);
        for (int thread = 0; thread < kThreads; ++thread)
            threads.emplace_back([] { atLeastOnce([] { augment<std::int64_t>(kTimeNs); }); });
        for (std::thread& thread : threads)
            thread.join();
    }
    ++made;
}

}  // namespace pipeline

namespace
{

// Whether somebody else wrote a spool of this process since it began its own: "PID-TIME.spool".
bool isLookedAt(const std::string& folder, std::int64_t sinceNs)
{
    std::error_code error;
    const std::string start = std::to_string(getpid()) + "-";
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(start) && std::atoll(name.c_str() + start.size()) > sinceNs)
            return true;
    }
    return false;
}

}  // namespace

int main(int argc, char** argv)
{
    const char* folder = std::getenv(record_environment::kSpoolDirectory);
    SpoolWriter writer;
    // One time for both: the recorder may begin its spool as soon as this one is there.
    spool::ProcessStart start = thisProcess(monotonicNs());
    if (folder == nullptr || !writer.open(folder, start.pid, start.timeNs))
        return 2;
    start.program = writer.intern("native_program");
    writer.add(start);
    writer.flush();
    if (argc > 1 && std::string_view(argv[1]) == "unlink")
        unlink(argv[0]);
    const char* goes = std::getenv("NATIVE_PROGRAM_GOES");
    constexpr std::int64_t kPatienceNs = 30'000'000'000;
    const std::int64_t untilNs = monotonicNs() + kPatienceNs;
    while (!isLookedAt(folder, start.timeNs) && (goes == nullptr || !std::filesystem::exists(goes)))
        if (std::this_thread::sleep_for(std::chrono::milliseconds(5)); monotonicNs() > untilNs)
            return 3;
    for (int at = 1; at < argc; ++at) {
        pipeline::work(argv[at], writer);
        if (std::string_view(argv[at]) == "exec")
            execl("/proc/self/exe", argv[0], "burn", nullptr);
    }
    return 0;
}
