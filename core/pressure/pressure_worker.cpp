#include "core/pressure/pressure_worker.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <vector>

namespace overlane
{
namespace
{

using Clock = std::chrono::steady_clock;

constexpr std::size_t kWord = sizeof(std::uint64_t);

class Worker
{
public:
    Worker(const PressurePlan& plan, int readings, int go) : m_plan(plan), m_pipe(readings), m_go(go) {}

    [[noreturn]] void run()
    {
        m_workingSet = memory(m_plan.workingSetBytes);
        fill(m_workingSet, m_plan.workingSetBytes);
        m_scratch = memory(m_plan.batchBytes);
        makeData();
        for (std::size_t step = 0; step < m_plan.pinnedBytes.size(); ++step) {
            m_step = static_cast<std::int32_t>(step);
            pinUpTo(m_plan.pinnedBytes[step]);
            report(PressureReading::Kind::Locked, m_pinned);
            const auto until = Clock::now() + std::chrono::duration<double>(m_plan.secondsPerStep);
            while (Clock::now() < until)
                batch();
            report(PressureReading::Kind::StepDone, 0);
            char byte = 0;
            if (read(m_go, &byte, 1) != 1)
                _exit(1);
        }
        report(PressureReading::Kind::Done, 0);
        _exit(0);
    }

    [[noreturn]] void refuse(int reason)
    {
        report(PressureReading::Kind::Refused, reason);
        _exit(1);
    }

private:
    struct Block {
        char* memory;
        std::int64_t bytes;
    };

    // Whoever reads is gone: so is the experiment.
    void report(PressureReading::Kind kind, std::int64_t value) const
    {
        const PressureReading reading{kind, m_step, value};
        if (write(m_pipe, &reading, sizeof(reading)) != static_cast<ssize_t>(sizeof(reading)))
            _exit(1);
    }

    // In small pages: swap takes pages, and so does a loader's shared memory.
    char* memory(std::int64_t bytes)
    {
        void* const place =
            mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (place == MAP_FAILED)
            refuse(errno);
        madvise(place, static_cast<std::size_t>(bytes), MADV_NOHUGEPAGE);
        return static_cast<char*>(place);
    }

    // With bytes that do not compress, as pictures do not: some kernels keep compressed pages in RAM.
    void fill(char* place, std::int64_t bytes)
    {
        for (std::int64_t at = 0; at + static_cast<std::int64_t>(kWord) <= bytes; at += kWord) {
            m_random = m_random * 6364136223846793005ULL + 1442695040888963407ULL;
            const std::uint64_t word = m_random ^ m_random >> 29;
            std::memcpy(place + at, &word, kWord);
        }
    }

    // A file without a name: it goes with this process.
    void makeData()
    {
        m_data = open(m_plan.folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        if (m_data < 0)
            refuse(errno);
        for (std::int64_t at = 0; at < m_plan.dataBytes; at += m_plan.batchBytes) {
            const auto bytes = static_cast<std::size_t>(std::min(m_plan.batchBytes, m_plan.dataBytes - at));
            if (pwrite(m_data, m_workingSet, bytes, at) != static_cast<ssize_t>(bytes))
                refuse(errno == 0 ? ENOSPC : errno);
        }
        if (fsync(m_data) != 0)
            refuse(errno);
    }

    void pinUpTo(std::int64_t bytes)
    {
        const std::int64_t more = bytes - m_pinned;
        if (more <= 0)
            return;
        char* const place = memory(more);
        if (mlock(place, static_cast<std::size_t>(more)) != 0)
            refuse(errno);
        m_blocks.push_back({place, more});
        m_pinned = bytes;
    }

    // The next place for a batch in page-locked memory; none where there is too little.
    char* pinnedPlace()
    {
        for (std::size_t tried = 0; tried <= m_blocks.size(); ++tried) {
            if (m_blocks.empty())
                return nullptr;
            if (m_block < m_blocks.size() && m_blockAt + m_plan.batchBytes <= m_blocks[m_block].bytes) {
                char* const place = m_blocks[m_block].memory + m_blockAt;
                m_blockAt += m_plan.batchBytes;
                return place;
            }
            m_block = m_block + 1 < m_blocks.size() ? m_block + 1 : 0;
            m_blockAt = 0;
        }
        return nullptr;
    }

    void batch()
    {
        const auto start = Clock::now();
        const auto bytes = static_cast<std::size_t>(m_plan.batchBytes);
        m_slotAt = m_slotAt + 2 * m_plan.batchBytes > m_plan.workingSetBytes ? 0 : m_slotAt + m_plan.batchBytes;
        m_dataAt = m_dataAt + 2 * m_plan.batchBytes > m_plan.dataBytes ? 0 : m_dataAt + m_plan.batchBytes;
        if (pread(m_data, m_workingSet + m_slotAt, bytes, m_dataAt) < 0)
            refuse(errno);
        char* const pinned = pinnedPlace();
        std::memcpy(pinned != nullptr ? pinned : m_scratch, m_workingSet + m_slotAt, bytes);
        const auto took = Clock::now() - start;
        report(PressureReading::Kind::Batch, std::chrono::duration_cast<std::chrono::nanoseconds>(took).count());
    }

    const PressurePlan& m_plan;
    const int m_pipe;
    const int m_go;
    char* m_workingSet = nullptr;
    char* m_scratch = nullptr;  // for a batch while nothing is page-locked: the same work
    int m_data = -1;
    std::vector<Block> m_blocks;
    std::size_t m_block = 0;
    std::int64_t m_blockAt = 0;
    std::int64_t m_pinned = 0;
    std::int64_t m_slotAt = 0;
    std::int64_t m_dataAt = 0;
    std::uint64_t m_random = 1;
    std::int32_t m_step = 0;
};

}  // namespace

void runPressureWorker(const PressurePlan& plan, const MemoryGroup& group, pid_t owner, int readings, int go)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != owner)
        _exit(1);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
        signal(number, SIG_IGN);
    // Above all not the pipe by which the guardian sees that its owner is gone.
    unsigned next = STDERR_FILENO + 1;
    for (const int kept : {std::min(readings, go), std::max(readings, go)}) {
        if (static_cast<unsigned>(kept) > next)
            close_range(next, static_cast<unsigned>(kept) - 1, 0);
        next = static_cast<unsigned>(kept) + 1;
    }
    close_range(next, ~0U, 0);
    std::ofstream("/proc/self/oom_score_adj") << 1000;
    Worker worker(plan, readings, go);
    if (!group.add(getpid()).ok())
        worker.refuse(EACCES);
    worker.run();
}

}  // namespace overlane
