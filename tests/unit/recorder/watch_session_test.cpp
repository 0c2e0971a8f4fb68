#include "core/recorder/watch_session.h"

#include <csignal>
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <thread>

#include "core/io/format.h"
#include "core/spool/record_environment.h"
#include "tests/support/expect_text.h"
#include "tests/unit/recorder/record_test.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

class WatchSessionTest : public test::RecordTest
{
protected:
    void SetUp() override
    {
        RecordTest::SetUp();
        setenv("TMPDIR", m_folder.c_str(), 1);
        setenv("OVERLANE_TEST_END", (m_folder + "/end").c_str(), 1);
    }
    void TearDown() override
    {
        unsetenv("TMPDIR");
        unsetenv("OVERLANE_TEST_END");
        RecordTest::TearDown();
    }
    WatchOptions watching(const std::vector<std::string>& arguments) const
    {
        WatchOptions options;
        options.program = optionsOf(OVERLANE_RECORDED_PROGRAM, arguments).program;
        options.library = "/dev/null";
        options.everySeconds = 0.1;
        options.iterations = 6;
        options.afterIterations = 4;
        return options;
    }
    // So many windows, then the program is told to end.
    std::vector<RecordedWindow> windowsOf(WatchSession& session, std::size_t count)
    {
        std::vector<RecordedWindow> windows;
        bool runs = true;
        while (runs) {
            runs = session.poll();
            if (auto window = session.takeWindow())
                windows.push_back(*std::move(window));
            if (windows.size() >= count)
                fs::create_directory(m_folder + "/end");
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return windows;
    }
    static std::int64_t kernelsIn(const std::string& file)
    {
        Progress progress;
        const auto trace = readTrace(file, progress);
        EXPECT_TRUE(trace.ok()) << trace.error();
        return trace.ok() ? std::count(trace.value().columns().kind.begin(), trace.value().columns().kind.end(),
                                       EventKind::Kernel)
                          : -1;
    }
    std::ptrdiff_t foldersLeft() const
    {
        return std::count_if(fs::directory_iterator(m_folder), fs::directory_iterator(), [](const auto& entry) {
            return entry.path().filename().string().starts_with("overlane-watch");
        });
    }
};

TEST_F(WatchSessionTest, EachWindowIsATraceOfItsIterations)
{
    auto session = WatchSession::start(watching({"0", "3", "windows"}));
    ASSERT_TRUE(session.ok()) << session.error();
    const auto windows = windowsOf(*session.value(), 3);
    ASSERT_GE(windows.size(), 3u);
    for (std::uint32_t number = 1; number <= 3; ++number) {
        const RecordedWindow& window = windows[number - 1];
        EXPECT_EQ(window.number, number);
        EXPECT_EQ(window.iterations, 6);
        EXPECT_EQ(window.cut, "");
        EXPECT_GT(window.endUnixNs, window.startUnixNs);
        const auto written = writeWindow(window, m_file + std::to_string(number));
        ASSERT_TRUE(written.ok()) << written.error();
        EXPECT_EQ(written.value().totals.processes, 1u);
        // Beside the whole ones the one in which it begins, and one more for the GPU.
        EXPECT_GE(kernelsIn(m_file + std::to_string(number)), 7);
        EXPECT_LE(kernelsIn(m_file + std::to_string(number)), 9);
        EXPECT_FALSE(fs::exists(window.folder)) << "its spools are gone";
    }
    EXPECT_EQ(session.value()->programEnd()->exitCode, 0);
    session.value().reset();
    EXPECT_EQ(foldersLeft(), 0);
}

// Or a cleaner of old temporary files takes the page away, and a process that starts then records without an end.
TEST_F(WatchSessionTest, ItsFolderStaysYoung)
{
    auto session = WatchSession::start(watching({"0", "3", "windows"}));
    ASSERT_TRUE(session.ok()) << session.error();
    std::string folder;
    for (const auto& entry : fs::directory_iterator(m_folder))
        if (entry.path().filename().string().starts_with("overlane-watch"))
            folder = entry.path().string();
    const auto old = fs::file_time_type::clock::now() - std::chrono::hours(240);
    for (const std::string& name : {folder + "/control", folder + "/window0"})
        fs::last_write_time(name, old);
    session.value()->poll();
    while (session.value()->windows() == 0)
        session.value()->poll();
    for (const std::string& name : {folder + "/control", folder + "/window0"})
        EXPECT_GT(fs::last_write_time(name), old + std::chrono::hours(200)) << name;
    windowsOf(*session.value(), 0);
}

TEST_F(WatchSessionTest, NoneBeginsWhileOneIsLookedAt)
{
    auto session = WatchSession::start(watching({"100", "3", "windows"}));
    ASSERT_TRUE(session.ok()) << session.error();
    session.value()->hold(true);
    EXPECT_TRUE(windowsOf(*session.value(), 9).empty());
    EXPECT_EQ(session.value()->windows(), 0u);
}

TEST_F(WatchSessionTest, IterationsThatDoNotComeEndItInTime)
{
    WatchOptions options = watching({"0", "3", "windows"});
    options.iterations = 1'000'000;
    options.longestSeconds = 0.05;
    auto session = WatchSession::start(options);
    ASSERT_TRUE(session.ok()) << session.error();
    const auto windows = windowsOf(*session.value(), 1);
    ASSERT_FALSE(windows.empty());
    test::expectText(test::withoutFigures(windows[0].cut));
    EXPECT_TRUE(writeWindow(windows[0], m_file).ok());
}

TEST_F(WatchSessionTest, TheProgramsEndEndsTheWindow)
{
    WatchOptions options = watching({"40", "3", "windows"});
    options.iterations = 1'000'000;
    auto session = WatchSession::start(options);
    ASSERT_TRUE(session.ok()) << session.error();
    const auto windows = windowsOf(*session.value(), 9);
    ASSERT_EQ(windows.size(), 1u);
    test::expectText(test::withoutFigures(windows[0].cut));
    const auto written = writeWindow(windows[0], m_file);
    ASSERT_TRUE(written.ok()) << written.error();
    EXPECT_GT(written.value().totals.kernels, 0);
}

// Killed at any moment: the program ends as it would have, a window does not go on for ever, and the next watch takes
// away what was left.
TEST_F(WatchSessionTest, KilledItLeavesTheProgramRunning)
{
    const pid_t watch = fork();
    if (watch == 0) {
        WatchOptions options = watching({"0", "3", "windows"});
        options.iterations = 30;
        auto session = WatchSession::start(options);
        while (session.ok() && session.value()->poll() && session.value()->windows() == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        raise(SIGKILL);
    }
    ASSERT_EQ(waitpid(watch, nullptr, 0), watch);
    ASSERT_EQ(foldersLeft(), 1);
    std::string folder;
    for (const auto& entry : fs::directory_iterator(m_folder))
        if (entry.path().filename().string().starts_with("overlane-watch"))
            folder = entry.path().string();
    RecordControl control = RecordControl::open(folder.c_str());
    ASSERT_TRUE(control.valid());
    const std::uint32_t begun = control.page()->iterationsBegun;
    const auto comes = [](const std::function<bool()>& holds) {
        for (int polls = 0; polls < 3'000 && !holds(); ++polls)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return holds();
    };
    EXPECT_TRUE(comes([&] { return control.page()->windowLeft == 1; })) << "the program ends the window itself";
    EXPECT_TRUE(comes([&] { return control.page()->iterationsBegun > begun + 50; })) << "the program goes on";
    auto next = WatchSession::start(watching({"5", "1", "windows"}));
    ASSERT_TRUE(next.ok()) << next.error();
    EXPECT_EQ(foldersLeft(), 1) << "the new one's";
    fs::create_directory(m_folder + "/end");
    windowsOf(*next.value(), 0);
}

}  // namespace
}  // namespace overlane
