// Which calls come right behind copies that the host stages, and what they would take without them.
#include "core/replay/cold_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/times.h"

namespace overlane
{
namespace
{

using testing::Each;
using testing::ElementsAre;

// Calls of 10 us with 100 us before each, the first of which copies `bytes` to the device and holds the host.
ReplayProgram programOf(std::int64_t bytes, MemoryKind memory, std::size_t calls)
{
    ReplayProgram program;
    program.threads = 1;
    program.firstStep = 0;
    program.lastStep = 1;
    program.tasks.push_back({});
    program.tasks[0].lane = Lane::H2D;
    program.tasks[0].hostMemory = memory;
    program.tasks[0].bytes = bytes;
    for (std::size_t at = 0; at < calls; ++at) {
        HostCall call;
        call.kind = at == 0 ? CallKind::Launch : CallKind::Plain;
        call.holds = at == 0;
        call.lastTask = at == 0 ? 1 : 0;
        call.gapNs = 100 * kUs;
        call.costNs = 10 * kUs;
        call.step = 0;
        program.calls.push_back(call);
    }
    return program;
}

TEST(ColdCalls, ThoseBehindAStagedCopyAreCountedFromIt)
{
    const ReplayProgram program = programOf(8 << 20, MemoryKind::Pageable, 40);
    const ColdCalls cold = coldCalls(program, LibraryStaging::Never, false);
    EXPECT_EQ(cold[0], 0);
    EXPECT_EQ(cold[1], 1);
    EXPECT_EQ(cold[32], 32);
    EXPECT_EQ(cold[33], 0);
    // Where the host stages much, the caches are never quite what they would be.
    EXPECT_EQ(coldCalls(program, LibraryStaging::Never, true)[39], 33);
}

TEST(ColdCalls, NoneBehindSmallOrPageLockedCopies)
{
    EXPECT_THAT(coldCalls(programOf(1 << 20, MemoryKind::Pageable, 4), LibraryStaging::Never, true), Each(0));
    EXPECT_THAT(coldCalls(programOf(8 << 20, MemoryKind::Pinned, 4), LibraryStaging::Never, true), Each(0));
}

TEST(ColdCalls, AnotherThreadsCopyIsNone)
{
    ReplayProgram program = programOf(8 << 20, MemoryKind::Pageable, 3);
    program.threads = 2;
    program.calls[1].thread = 1;
    EXPECT_THAT(coldCalls(program, LibraryStaging::Never, false), ElementsAre(0, 0, 1));
}

TEST(ColdCalls, TheNearerTheCopyTheMoreIsGained)
{
    ReplayProgram program = programOf(8 << 20, MemoryKind::Pageable, 40);
    const std::int64_t goneNs = warmCalls(program, coldCalls(program, LibraryStaging::Never, false));
    EXPECT_EQ(program.calls[1].gapNs, 35 * kUs);
    EXPECT_EQ(program.calls[1].costNs, 3500);
    EXPECT_EQ(program.calls[8].gapNs, 60 * kUs);
    EXPECT_EQ(program.calls[16].gapNs, 70 * kUs);
    EXPECT_EQ(program.calls[32].gapNs, 85 * kUs);
    EXPECT_EQ(program.calls[33].gapNs, 100 * kUs);
    EXPECT_EQ(goneNs, 110 * kUs * (4 * 65 + 4 * 40 + 8 * 30 + 16 * 15) / 100);
}

TEST(ColdCalls, WhatTheHostComputesForLongStays)
{
    ReplayProgram program = programOf(8 << 20, MemoryKind::Pageable, 3);
    program.calls[1].gapNs = 900 * kUs;
    program.calls[2].gapNs = 2000 * kUs;
    warmCalls(program, coldCalls(program, LibraryStaging::Never, false));
    EXPECT_EQ(program.calls[1].gapNs, 750 * kUs);  // 150 us are the most that a pause gains
    EXPECT_EQ(program.calls[2].gapNs, 2000 * kUs);
}

}  // namespace
}  // namespace overlane
