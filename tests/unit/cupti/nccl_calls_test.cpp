// Ranges as NCCL makes them, through NVTX's own headers; see program/nccl_program.cpp.
#include "cupti/collector/nccl_calls.h"

#include <gtest/gtest.h>

#include "tests/support/golden.h"
#include "tests/unit/cupti/outcome.h"

namespace overlane
{
namespace
{

TEST(NcclCalls, TellBytesGroupAndNumberOfCollectives)
{
    const test::Outcome outcome =
        test::runCommand(std::string("env -u NVTX_INJECTION64_PATH ") + OVERLANE_NCCL_PROGRAM);
    if (outcome.exitCode == 77)
        GTEST_SKIP() << "CUDA's headers have no NVTX with payloads";
    ASSERT_EQ(outcome.exitCode, 0) << outcome.output;
    test::expectGolden("cupti/nccl_calls.txt", outcome.output);
}

}  // namespace
}  // namespace overlane
