// RecordSessionTest: records the program of these tests, and looks into what came of it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

#include "core/io/format.h"
#include "core/recorder/record_session.h"
#include "core/spool/process_life.h"
#include "core/spool/spool_format.h"
#include "tests/unit/recorder/record_test.h"

namespace overlane::test
{

class RecordSessionTest : public RecordTest
{
protected:
    RecordOptions options(const std::vector<std::string>& arguments) const
    {
        RecordOptions options = optionsOf(OVERLANE_RECORDED_PROGRAM, arguments);
        options.program.outputFile = m_null;
        return options;
    }
    Result<RecordOutcome> record(const RecordOptions& options)
    {
        auto session = RecordSession::start(options);
        if (!session.ok())
            return Error{session.error()};
        while (session.value()->poll())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return session.value()->finish();
    }
    static std::int64_t count(const std::string& file, EventKind kind)
    {
        Progress progress;
        const auto trace = readTrace(file, progress);
        EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error());
        if (!trace.ok())
            return -1;
        const auto& kinds = trace.value().columns().kind;
        return std::count(kinds.begin(), kinds.end(), kind);
    }
    static bool waitUntil(const std::function<bool()>& holds)
    {
        for (int polls = 0; polls < 3'000; ++polls) {
            if (holds())
                return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }
    // Of the one spool there.
    static SpoolOwner writerOf(const std::string& folder)
    {
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == spool::kFileSuffix)
                return spoolOwner(entry.path().filename().string());
        return {};
    }
    static std::vector<std::string> notes(const std::string& file)
    {
        Progress progress;
        const auto trace = readTrace(file, progress);
        std::vector<std::string> sentences;
        if (trace.ok())
            for (const ImportStat& note : trace.value().stats().all())
                sentences.push_back(note.explanation);
        return sentences;
    }

    int m_null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
};

}  // namespace overlane::test
