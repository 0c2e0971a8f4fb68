#include "core/recorder/perf_record.h"

#include <bit>
#include <cstring>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <string>

#include "core/recorder/stack_budget.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

// A record as the kernel writes it.
class Made
{
public:
    explicit Made(std::uint32_t type) : m_type(type) {}
    Made& word(std::uint64_t value)
    {
        m_bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
        return *this;
    }
    std::string bytes() const
    {
        perf_event_header header = {};
        header.type = m_type;
        header.size = static_cast<std::uint16_t>(sizeof(header) + m_bytes.size());
        return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + m_bytes;
    }

private:
    std::uint32_t m_type;
    std::string m_bytes;
};

PerfRecord decoded(const std::string& bytes)
{
    return decodePerfRecord(std::as_bytes(std::span(bytes)));
}

constexpr std::uint64_t kFirstRegister = 1000;
constexpr std::size_t kStackWords = 4;

Made sample(std::uint64_t valid = 8 * kStackWords)
{
    Made made(PERF_RECORD_SAMPLE);
    made.word(std::uint64_t{77} << 32 | 70).word(123'456).word(PERF_SAMPLE_REGS_ABI_64);
    for (int at = 0; at < std::popcount(kPerfRegisters); ++at)
        made.word(kFirstRegister + static_cast<std::uint64_t>(at));
    made.word(8 * kStackWords);
    for (std::size_t at = 0; at < kStackWords; ++at)
        made.word(500 + at);
    return made.word(valid);
}

TEST(PerfRecord, ASampleHasThreadTimeRegistersAndStack)
{
    if (!kNativeStacksFit)
        GTEST_SKIP() << "no stacks are read on this processor";
    const std::string bytes = sample(24).bytes();
    const PerfRecord record = decoded(bytes);
    ASSERT_EQ(record.kind, PerfRecord::Kind::Sample);
    EXPECT_EQ(record.sample.thread, 77u);
    EXPECT_EQ(record.sample.timeNs, 123'456);
    EXPECT_TRUE(record.sample.allKnown);
    EXPECT_EQ(record.sample.stack.size(), 24u) << "what the kernel could copy";
    const std::uint64_t at = record.sample.stackAt();
    std::uint64_t word = 0;
    EXPECT_TRUE(record.sample.word(at + 16, word));
    EXPECT_EQ(word, 502u);
    EXPECT_FALSE(record.sample.word(at + 24, word));
    EXPECT_FALSE(record.sample.word(at + 17, word));
    EXPECT_FALSE(record.sample.word(at - 8, word));
    EXPECT_FALSE(record.sample.word(~std::uint64_t{0}, word));
#if defined(__x86_64__)
    // The kernel's order: ax bx cx dx si di bp sp ip, r8 to r15; DWARF's: ax dx cx bx si di bp sp, r8 to r15, ip.
    EXPECT_EQ(record.sample.registers[0], kFirstRegister);
    EXPECT_EQ(record.sample.registers[3], kFirstRegister + 1);
    EXPECT_EQ(record.sample.registers[1], kFirstRegister + 3);
    EXPECT_EQ(record.sample.registers[6], kFirstRegister + 6);
    EXPECT_EQ(record.sample.registers[kStackPointer], kFirstRegister + 7);
    EXPECT_EQ(record.sample.pc, kFirstRegister + 8);
    EXPECT_EQ(record.sample.registers[8], kFirstRegister + 9);
    EXPECT_EQ(record.sample.registers[15], kFirstRegister + 16);
#endif
}

TEST(PerfRecord, WhatIsNoStackOf64BitsIsLeftOut)
{
    EXPECT_EQ(decoded(Made(PERF_RECORD_SAMPLE).word(1).word(2).word(PERF_SAMPLE_REGS_ABI_32).bytes()).kind,
              PerfRecord::Kind::Other);
    EXPECT_EQ(decoded(Made(PERF_RECORD_SAMPLE).word(1).word(2).word(PERF_SAMPLE_REGS_ABI_NONE).word(0).bytes()).kind,
              PerfRecord::Kind::Other);
    EXPECT_EQ(decoded(Made(PERF_RECORD_EXIT).word(1).bytes()).kind, PerfRecord::Kind::Other);
}

TEST(PerfRecord, LostRecordsAreCounted)
{
    const PerfRecord record = decoded(Made(PERF_RECORD_LOST).word(9).word(12).bytes());
    EXPECT_EQ(record.kind, PerfRecord::Kind::Lost);
    EXPECT_EQ(record.lost, 12u);
}

TEST(PerfRecord, OneThatIsCutAnywhereIsNoSample)
{
    const std::string whole = sample().bytes();
    for (std::size_t size = 0; size < whole.size(); size += 4) {
        std::string cut = whole.substr(0, size);
        EXPECT_EQ(decoded(cut).kind, PerfRecord::Kind::Other) << size;
        const auto said = static_cast<std::uint16_t>(size);
        if (size >= sizeof(perf_event_header))
            std::memcpy(cut.data() + offsetof(perf_event_header, size), &said, sizeof(said));
        EXPECT_EQ(decoded(cut).kind, PerfRecord::Kind::Other) << size;
    }
    std::string huge = Made(PERF_RECORD_SAMPLE).word(1).word(2).word(PERF_SAMPLE_REGS_ABI_64).bytes();
    for (int at = 0; at < std::popcount(kPerfRegisters) + 1; ++at)
        huge.append(8, '\xFF');
    EXPECT_EQ(decoded(huge).kind, PerfRecord::Kind::Other);
}

TEST(StackBudget, SpendsAShareOfTheTimeAndWhatIsSaved)
{
    StackBudget budget;
    EXPECT_TRUE(budget.hasTime(1, 1));
    EXPECT_TRUE(budget.hasTime(900 * kMs, 900 * kMs)) << "saved for what is dear once";
    EXPECT_FALSE(budget.hasTime(1200 * kMs, 1200 * kMs));
    EXPECT_FALSE(budget.hasTime(1300 * kMs, 1200 * kMs));
    EXPECT_TRUE(budget.hasTime(3000 * kMs, 1200 * kMs));
    // Whatever was spent, the wait is bounded.
    EXPECT_FALSE(budget.hasTime(4000 * kMs, 900'000 * kMs));
    EXPECT_TRUE(budget.hasTime(15'000 * kMs, 900'000 * kMs));
}

}  // namespace
}  // namespace overlane
