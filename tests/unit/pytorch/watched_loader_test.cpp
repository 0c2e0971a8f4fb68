// The hook in a recording in windows: a spool for each of them, and none between.
#include <gmock/gmock.h>

#include "core/recorder/watch_session.h"
#include "tests/unit/pytorch/hook_fixture.h"

namespace overlane
{
namespace
{

class WatchedLoader : public test::PytorchHookFixture
{
protected:
    // Every window's trace, named m_file and its number.
    std::vector<std::string> watch(const std::vector<std::string>& arguments)
    {
        setenv("TMPDIR", m_folder.c_str(), 1);
        WatchOptions watching;
        watching.program = options("train.py", arguments).program;
        watching.library = "/dev/null";
        watching.pythonHook = OVERLANE_SOURCE_DIR "/resources/pytorch";
        watching.everySeconds = 0.5;
        watching.longestSeconds = 0.4;  // without a GPU no process says that it has begun
        watching.afterIterations = 4;
        auto session = WatchSession::start(watching);
        EXPECT_TRUE(session.ok()) << session.error();
        std::vector<std::string> files;
        bool runs = session.ok();
        while (runs) {
            runs = session.value()->poll();
            if (const auto window = session.value()->takeWindow()) {
                files.push_back(m_file + std::to_string(window->number));
                const auto written = writeWindow(*window, files.back());
                EXPECT_TRUE(written.ok()) << written.error();
                m_warnings = written.ok() ? written.value().warnings : std::vector<std::string>();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        unsetenv("TMPDIR");
        return files;
    }
    void read(const std::string& file)
    {
        Progress progress;
        auto trace = readTrace(file, progress);
        ASSERT_TRUE(trace.ok()) << trace.error();
        m_trace = std::make_unique<Trace>(std::move(trace).value());
    }
};

TEST_F(WatchedLoader, EachWindowHasTheLoaderOfItsTime)
{
    const std::vector<std::string> files = watch({"--epochs", "40", "--pin"});
    EXPECT_EQ(output(), "batches: 400\n");
    ASSERT_GE(files.size(), 2u);
    std::int64_t lastEnd = 0;
    for (std::size_t at = 0; at < 2; ++at) {
        read(files[at]);
        EXPECT_THAT(m_warnings, testing::IsEmpty());
        EXPECT_GT(sum(events(EventKind::Step), "step "), 5);
        EXPECT_LT(sum(events(EventKind::Step), "step "), 390);
        EXPECT_FALSE(events(EventKind::Loader).empty()) << "what workers do";
        for (const ImportStat& note : m_trace->stats().all())
            EXPECT_NE(note.severity, Severity::Warning) << note.explanation;
        const std::int64_t beginNs = m_trace->metadata().startEpochNs;
        EXPECT_GT(beginNs, lastEnd) << "nothing of the window before";
        lastEnd = beginNs + m_trace->span().endNs;
    }
}

}  // namespace
}  // namespace overlane
