// RecordTest: a test that records a program which writes its spool itself, as the library in a CUDA program would, into
// a folder of its own that goes with the test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "core/recorder/record_session.h"
#include "core/spool/record_environment.h"

namespace overlane::test
{

class RecordTest : public testing::Test
{
protected:
    void SetUp() override
    {
        std::filesystem::create_directories(m_folder);
        unsetenv(record_environment::kCudaInjection);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    RecordOptions optionsOf(const std::string& program, const std::vector<std::string>& arguments) const
    {
        RecordOptions options;
        options.program.command = {program};
        options.program.command.insert(options.program.command.end(), arguments.begin(), arguments.end());
        options.output = m_file;
        options.gauges = false;
        options.library = "/dev/null";
        return options;
    }

    std::string m_folder = testing::TempDir() + "overlane_record_" + std::to_string(getpid());
    std::string m_file = m_folder + "/out.overlane";
};

}  // namespace overlane::test
