#include "core/recorder/perf_record.h"

#include <algorithm>
#include <bit>
#include <linux/perf_event.h>
#if defined(__x86_64__) || defined(__aarch64__)
#include <asm/perf_regs.h>
#endif

namespace overlane
{
namespace
{

#if defined(__x86_64__)
// DWARF's number of each register, in the order of the kernel's numbers of those that are asked for.
constexpr std::array<std::uint8_t, kDwarfRegisters> kNumbers = {0, 3, 2,  1,  4,  5,  6,  7, 16,
                                                                8, 9, 10, 11, 12, 13, 14, 15};
constexpr std::uint64_t kRegisters =
    ((std::uint64_t{1} << (PERF_REG_X86_IP + 1)) - 1) | (std::uint64_t{0xFF} << PERF_REG_X86_R8);
#elif defined(__aarch64__)
constexpr std::uint64_t kRegisters = (std::uint64_t{1} << PERF_REG_ARM64_MAX) - 1;
#else
constexpr std::uint64_t kRegisters = 0;
#endif

// Reads words one after the other, as far as there are any.
class Words
{
public:
    explicit Words(std::span<const std::byte> bytes) : m_left(bytes) {}

    std::uint64_t next()
    {
        std::uint64_t word = 0;
        const std::span<const std::byte> bytes = take(sizeof(word));
        if (!bytes.empty())
            std::memcpy(&word, bytes.data(), sizeof(word));
        return word;
    }
    std::span<const std::byte> take(std::uint64_t count)
    {
        m_complete = m_complete && count <= m_left.size();
        if (!m_complete)
            return {};
        const std::span<const std::byte> taken = m_left.first(static_cast<std::size_t>(count));
        m_left = m_left.subspan(taken.size());
        return taken;
    }
    bool complete() const { return m_complete; }

private:
    std::span<const std::byte> m_left;
    bool m_complete = true;
};

void setRegister(StackDump& sample, std::size_t at, std::uint64_t value)
{
#if defined(__x86_64__)
    const std::size_t number = kNumbers[at];
#else
    const std::size_t number = at;
#endif
    if (number == kProgramCounter)
        sample.pc = value;
    if (number < sample.registers.size())
        sample.registers[number] = value;
}

bool readSample(Words words, StackDump& sample)
{
    sample.thread = static_cast<std::uint32_t>(words.next() >> 32);  // behind the process
    sample.timeNs = static_cast<std::int64_t>(words.next());
    if (words.next() != PERF_SAMPLE_REGS_ABI_64)
        return false;
    for (int at = 0; at < std::popcount(kRegisters); ++at)
        setRegister(sample, static_cast<std::size_t>(at), words.next());
    sample.allKnown = true;
    const std::uint64_t size = words.next();
    const std::span<const std::byte> stack = words.take(size);
    const std::uint64_t valid = size > 0 ? words.next() : 0;
    sample.stack = stack.first(static_cast<std::size_t>(std::min<std::uint64_t>(valid, stack.size())));
    return words.complete();
}

}  // namespace

const std::uint64_t kPerfSampleType =
    PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
const std::uint64_t kPerfRegisters = kRegisters;

PerfRecord decodePerfRecord(std::span<const std::byte> record)
{
    PerfRecord decoded;
    perf_event_header header = {};
    if (record.size() < sizeof(header))
        return decoded;
    std::memcpy(&header, record.data(), sizeof(header));
    if (header.size < sizeof(header) || header.size > record.size())
        return decoded;
    Words words(record.first(header.size).subspan(sizeof(header)));
    if (header.type == PERF_RECORD_LOST) {
        words.next();  // whose
        decoded.lost = words.next();
        decoded.kind = PerfRecord::Kind::Lost;
    } else if (kNativeStacksFit && header.type == PERF_RECORD_SAMPLE && readSample(words, decoded.sample)) {
        decoded.kind = PerfRecord::Kind::Sample;
    }
    return decoded;
}

}  // namespace overlane
