// A program without CUDA that does what the driver would do: loads the injection library and calls
// it. Prints what it would print anyway and exits with its own code.
//
// Usage: injected_program LIBRARY [ACTION...], with the fake driver named in FAKE_CUDA, if any.
// Actions, in order: fork; work=N kernels; iterations=N of three kernels, which a script counts; unfinished; take
// (somebody else takes CUPTI); kill (itself, with SIGKILL); control=STATE (as the recorder would set it); begun=N
// iterations (as a script would tell it); heap (prints its bytes in use); and waiting for the collector: flushed, quiet
// (it flushes no more), alone (its thread has ended), window=N (begins one of so many iterations, of a recording in
// windows), entered (this process records in it), end (of it), left (all have left it), on=KIND and off=KIND (of
// activity)
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <iterator>
#include <malloc.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "core/spool/record_control.h"
#include "core/spool/record_environment.h"
#include "core/spool/spool_clock.h"

namespace
{

constexpr int kOwnExitCode = 7;
constexpr int kChildExitCode = 3;

bool forkAndWait()
{
    const pid_t child = fork();
    if (child == 0)
        std::exit(kChildExitCode);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == kChildExitCode;
}

// For at most half a minute, which no machine needs.
void awaitLastThread()
{
    constexpr int kRounds = 3'000;
    constexpr useconds_t kRoundUs = 10'000;
    const auto threads = [] {
        const std::filesystem::directory_iterator tasks("/proc/self/task");
        return std::distance(tasks, std::filesystem::directory_iterator());
    };
    for (int round = 0; round < kRounds && threads() > 1; ++round)
        usleep(kRoundUs);
}

void awaitEntered(overlane::RecordControl& control)
{
    constexpr int kRounds = 30'000;
    constexpr useconds_t kRoundUs = 1'000;
    for (int round = 0; round < kRounds && control.page()->processes == 0; ++round)
        usleep(kRoundUs);
}

void awaitLeft(overlane::RecordControl& control)
{
    constexpr int kRounds = 3'000;
    constexpr useconds_t kRoundUs = 10'000;
    for (int round = 0; round < kRounds && control.page()->windowLeft == 0; ++round)
        usleep(kRoundUs);
}

// By the call that older systems have as well; this heap is far below the 2 GiB that it can tell.
std::size_t heapBytes()
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    const struct mallinfo info = mallinfo();
#pragma GCC diagnostic pop
    return static_cast<std::size_t>(info.uordblks) + static_cast<std::size_t>(info.hblkhd);
}

template <typename... Arguments>
void call(void* library, const char* name, Arguments... arguments)
{
    if (library == nullptr)
        std::exit(1);
    reinterpret_cast<void (*)(Arguments...)>(dlsym(library, name))(arguments...);
}

void runIterations(void* fake, std::uint32_t iterations)
{
    constexpr useconds_t kIterationUs = 3'000;
    auto page = overlane::RecordControl::open(std::getenv(overlane::record_environment::kSpoolDirectory));
    for (std::uint32_t begun = 1; begun <= iterations; ++begun) {
        page.page()->iterationsBegun = begun;
        call(fake, "fakeWork", 3);
        usleep(kIterationUs);
    }
}

}  // namespace

int main(int argc, char** argv)
{
    const char* fakePath = std::getenv("FAKE_CUDA");
    void* fake = fakePath != nullptr ? dlopen(fakePath, RTLD_NOW) : nullptr;
    void* library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : nullptr;
    auto* initialize =
        library != nullptr ? reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection")) : nullptr;
    if (initialize == nullptr || initialize() != 1 || initialize() != 1)
        return 1;
    for (int at = 2; at < argc; ++at) {
        const std::string action(argv[at], std::strcspn(argv[at], "="));
        const int number = std::atoi(argv[at] + std::strcspn(argv[at], "=") + (std::strchr(argv[at], '=') ? 1 : 0));
        if (action == "fork" && !forkAndWait())
            return 2;
        if (action == "work")
            call(fake, "fakeWork", number);
        if (action == "iterations")
            runIterations(fake, static_cast<std::uint32_t>(number));
        if (action == "unfinished")
            call(fake, "fakeUnfinishedKernel");
        if (action == "take")
            call(fake, "fakeTakeOver");
        if (action == "flushed")
            call(fake, "fakeAwaitFlush");
        if (action == "quiet")
            call(fake, "fakeAwaitQuiet");
        if (action == "on" || action == "off")
            call(fake, "fakeAwait", number, action == "on" ? 1 : 0);
        if (action == "control")
            overlane::RecordControl::open(std::getenv(overlane::record_environment::kSpoolDirectory))
                .setState(static_cast<overlane::RecordState>(number));
        if (action == "begun")
            overlane::RecordControl::open(std::getenv(overlane::record_environment::kSpoolDirectory))
                .page()
                ->iterationsBegun = static_cast<std::uint32_t>(number);
        if (action == "window" || action == "limited" || action == "entered" || action == "end" || action == "left") {
            auto page = overlane::RecordControl::open(std::getenv(overlane::record_environment::kSpoolDirectory));
            constexpr std::int64_t kLongNs = 600'000'000'000;
            if (action == "window")
                page.beginWindow(static_cast<std::uint32_t>(number), overlane::monotonicNs() + kLongNs, 0);
            else if (action == "limited")
                page.beginWindow(0, overlane::monotonicNs() + kLongNs, static_cast<std::uint64_t>(number));
            else if (action == "entered")
                awaitEntered(page);
            else if (action == "end")
                page.endWindow();
            else
                awaitLeft(page);
        }
        if (action == "alone")
            awaitLastThread();
        if (action == "heap") {
            std::printf("heap %zu\n", heapBytes());
        }
        if (action == "kill")
            kill(getpid(), SIGKILL);
    }
    std::puts("own output");
    return kOwnExitCode;
}
