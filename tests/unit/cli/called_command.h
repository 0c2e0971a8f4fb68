// The command line called as a function, and what every one of its answers must keep to.
#pragma once

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include "core/cli/cli.h"

namespace overlane::test
{

struct Outcome {
    int code = 0;
    std::string out;
    std::string err;
};

inline Outcome call(const std::vector<std::string>& arguments)
{
    std::ostringstream out, err;
    const int code = runCli(arguments, out, err);
    return {code, out.str(), err.str()};
}

// One sentence on the error stream, nothing on the other.
inline void expectFailure(const Outcome& outcome, int code, const std::string& part)
{
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_THAT(outcome.err, testing::StartsWith("overlane: "));
    EXPECT_THAT(outcome.err, testing::HasSubstr(part));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
}

// No line that a terminal of 100 columns would break.
inline void expectNarrow(const std::string& text)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(std::count_if(line.begin(), line.end(), [](char byte) { return (byte & 0xC0) != 0x80; }), 100)
            << line;
}

}  // namespace overlane::test
