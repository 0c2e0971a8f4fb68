// The four ranks of one job that PyTorch recorded (tests/data/traces/README.md), as digests.
#pragma once

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/io/format.h"
#include "core/job/rank_collectives.h"
#include "core/judgement/judgement.h"

namespace overlane::test
{

inline Trace dlrmTrace(int rank)
{
    constexpr std::array<const char*, 4> kNames{
        "worker0_step_12.1694128201545.pt.trace.json.gz", "worker1_step_12.1694128201556.pt.trace.json.gz",
        "worker2_step_12.1694128201554.pt.trace.json.gz", "worker3_step_12.1694128201557.pt.trace.json.gz"};
    Progress progress;
    Result<Trace> trace = readTrace(std::string(OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/dlrm_4rank/") +
                                        kNames[static_cast<std::size_t>(rank)],
                                    progress);
    EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error());
    return trace.ok() ? std::move(trace).value() : Trace();
}

}  // namespace overlane::test
