// A program with the library inside, watched from outside: all of a recording in windows but the GPU.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <thread>

#include "core/io/format.h"
#include "core/recorder/watch_session.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

TEST(WatchedProgram, EachWindowHasItsIterationsAndNothingIsOnBetween)
{
    const test::TempDir dir;
    setenv("TMPDIR", dir.path().c_str(), 1);
    WatchOptions options;
    options.program.command = {OVERLANE_PLAIN_PROGRAM, OVERLANE_INJECT_LIBRARY, "iterations=400"};
    options.program.environment = {{"FAKE_CUDA", OVERLANE_FAKE_CUDA},
                                   {"OVERLANE_CUPTI", OVERLANE_FAKE_CUDA},
                                   {"OVERLANE_FLUSH_MS", "50"},
                                   {"FAKE_CUPTI_LOG", dir.path("log")}};
    options.library = OVERLANE_INJECT_LIBRARY;
    options.everySeconds = 0.3;
    options.iterations = 8;
    options.afterIterations = 5;
    auto session = WatchSession::start(options);
    ASSERT_TRUE(session.ok()) << session.error();
    int whole = 0;
    for (bool runs = true; runs;) {
        runs = session.value()->poll();
        if (const auto window = session.value()->takeWindow()) {
            const std::string file = dir.path("w" + std::to_string(window->number) + ".overlane");
            const auto written = writeWindow(*window, file);
            ASSERT_TRUE(written.ok()) << written.error();
            EXPECT_THAT(written.value().warnings, testing::IsEmpty());
            if (!window->cut.empty())
                continue;  // the last one, which the program's end may cut
            ++whole;
            EXPECT_GE(written.value().totals.kernels, 8 * 3);
            Progress progress;
            const auto trace = readTrace(file, progress);
            ASSERT_TRUE(trace.ok()) << trace.error();
            EXPECT_EQ(trace.value().devices().size(), 1u);
            for (const ImportStat& note : trace.value().stats().all())
                EXPECT_NE(note.severity, Severity::Warning) << note.explanation;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    unsetenv("TMPDIR");
    EXPECT_EQ(session.value()->programEnd()->exitCode, 7) << "its own";
    EXPECT_GE(whole, 2);
    std::istringstream lines(test::readFile(dir.path("log")));
    int on = 0, off = 0;
    for (std::string line; std::getline(lines, line);) {
        on += line == "enable 10" ? 1 : 0;
        off += line == "disable 10" ? 1 : 0;
    }
    EXPECT_GE(on, whole);
    EXPECT_LE(on - off, 1) << "kernels, but in the window that the program's end cuts";
}

}  // namespace
}  // namespace overlane
