// A Python script recorded with the hook of resources/pytorch, and a small torch in the shape of PyTorch's.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/io/format.h"
#include "core/recorder/record_session.h"
#include "tests/support/temp_dir.h"

namespace overlane::test
{

namespace fs = std::filesystem;

inline const std::string kFolder = OVERLANE_SOURCE_DIR "/tests/unit/pytorch";

class PytorchHookFixture : public testing::Test
{
protected:
    // The hook, compiled once for all processes, as an installed one whose folder may be written to.
    static std::string hook()
    {
        static const TempDir folder;
        static const std::string copy = [] {
            std::string made = folder.path("hook");
            fs::copy(OVERLANE_SOURCE_DIR "/resources/pytorch", made);
            static_cast<void>(std::system(("python3 -m compileall -q '" + made + "'").c_str()));
            return made;
        }();
        return copy;
    }
    void SetUp() override
    {
        static const bool hasPython =
            std::system("python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' > /dev/null 2>&1") == 0;
        if (!hasPython)
            GTEST_SKIP() << "no Python 3.8 here";
        fs::create_directories(m_folder);
        setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
        // What Python's own tracker of semaphores says on its way out where the machine is slow.
        setenv("PYTHONWARNINGS", "ignore:resource_tracker", 1);
        unsetenv("CUDA_INJECTION64_PATH");
        setenv("PYTHONPATH", (kFolder + "/fake_torch").c_str(), 1);
    }
    void TearDown() override
    {
        unsetenv("PYTHONPATH");
        unsetenv("PYTHONWARNINGS");
        unsetenv("FAKE_TORCH_UNKNOWN");
        unsetenv("FAKE_TORCH_FORM");
        fs::remove_all(m_folder);
    }

    RecordOptions options(const std::string& script, const std::vector<std::string>& arguments) const
    {
        RecordOptions options;
        options.program.command = {"python3", kFolder + "/scripts/" + script};
        options.program.command.insert(options.program.command.end(), arguments.begin(), arguments.end());
        options.program.outputFile = ::open(m_text.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        options.output = m_file;
        options.overwrite = true;
        options.gauges = false;
        options.library = "/dev/null";  // the scripts know nothing of CUDA
        options.pytorch = true;
        options.pytorchHook = hook();
        return options;
    }
    void record(const RecordOptions& options)
    {
        auto session = RecordSession::start(options);
        ASSERT_TRUE(session.ok()) << session.error();
        while (session.value()->poll())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        auto outcome = session.value()->finish();
        ::close(options.program.outputFile);
        ASSERT_TRUE(outcome.ok()) << outcome.error();
        m_warnings = outcome.value().warnings;
        m_exitCode = outcome.value().program->exitCode;
        Progress progress;
        auto trace = readTrace(m_file, progress);
        ASSERT_TRUE(trace.ok()) << trace.error();
        m_trace = std::make_unique<Trace>(std::move(trace).value());
    }
    void train(const std::vector<std::string>& arguments) { record(options("train.py", arguments)); }

    std::string output() const
    {
        std::ifstream file(m_text);
        return (std::stringstream() << file.rdbuf()).str();
    }
    // How often each event of a kind is on the tracks whose names begin so.
    std::map<std::string, int> events(EventKind kind, std::string_view track = {}) const
    {
        std::map<std::string, int> counts;
        for (std::uint32_t at = 0; at < m_trace->columns().kind.size(); ++at) {
            const EventIndex index(at);
            if (m_trace->kind(index) == kind && m_trace->track(m_trace->trackOf(index)).name.starts_with(track))
                ++counts[std::string(m_trace->name(index))];
        }
        return counts;
    }
    static int sum(const std::map<std::string, int>& counts, std::string_view start)
    {
        int total = 0;
        for (const auto& [name, count] : counts)
            total += name.starts_with(start) ? count : 0;
        return total;
    }
    static std::map<std::string, int> everyBatch(const std::string& start, int count, int times)
    {
        std::map<std::string, int> counts;
        for (int batch = 0; batch < count; ++batch)
            counts[start + std::to_string(batch)] = times;
        return counts;
    }
    std::vector<std::string> tracks(TrackKind kind) const
    {
        std::vector<std::string> names;
        for (const Track& track : m_trace->tracks())
            if (track.kind == kind)
                names.push_back(track.name);
        std::sort(names.begin(), names.end());
        return names;
    }
    std::vector<double> gauge(std::string_view name) const
    {
        for (const CounterSeries& series : m_trace->counters())
            if (m_trace->track(series.track).name == name)
                return series.values;
        return {};
    }

    std::string m_folder = testing::TempDir() + "overlane_pytorch_" + std::to_string(getpid());
    std::string m_file = m_folder + "/out.overlane";
    std::string m_text = m_folder + "/output";
    std::vector<std::string> m_warnings;
    int m_exitCode = -1;
    std::unique_ptr<Trace> m_trace;
};

}  // namespace overlane::test
