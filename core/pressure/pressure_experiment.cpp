#include "core/pressure/pressure_experiment.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/base/statistics.h"
#include "core/base/text_file.h"
#include "core/base/units.h"
#include "core/system/memory_status.h"
#include "core/system/swap_file.h"

namespace overlane
{
namespace
{

// The swap file's header, and pages on their way.
constexpr std::int64_t kSwapSlackBytes = std::int64_t{16} << 20;
// Of the file beyond what the group has there: somebody else's memory.
constexpr std::int64_t kForeignSwapBytes = std::int64_t{48} << 20;

std::int64_t nowNs()
{
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace

double PressureReport::slowdown() const
{
    if (steps.size() < 2 || steps.front().medianBatchNs == 0)
        return 0;
    return static_cast<double>(steps.back().medianBatchNs) / static_cast<double>(steps.front().medianBatchNs);
}

Result<PressureExperiment> PressureExperiment::start(const PressurePlan& plan, const PressureFacts& facts)
{
    ASSIGN_OR_RETURN(const auto traces, pressureTraces(facts.hierarchy, facts.folder));
    auto guardian = PressureGuardian::start(traces);  // before there is anything to clean up
    if (!guardian.ok())
        return guardian.failure();
    PressurePlan settled = plan;
    settled.folder = facts.folder;
    PressureExperiment experiment(std::move(settled), facts, traces, std::move(guardian).value());
    RETURN_IF_ERROR(experiment.begin());
    return experiment;
}

PressureExperiment::PressureExperiment(PressurePlan plan, PressureFacts facts, PressureTraces traces,
                                       PressureGuardian guardian)
    : m_plan(std::move(plan)), m_facts(std::move(facts)), m_traces(std::move(traces)), m_guardian(std::move(guardian))
{
}

PressureExperiment::PressureExperiment(PressureExperiment&& other) noexcept
    : m_plan(std::move(other.m_plan)),
      m_facts(std::move(other.m_facts)),
      m_traces(std::move(other.m_traces)),
      m_guardian(std::move(other.m_guardian)),
      m_group(std::move(other.m_group)),
      m_worker(std::exchange(other.m_worker, -1)),
      m_pipe(std::exchange(other.m_pipe, -1)),
      m_go(std::exchange(other.m_go, -1)),
      m_now(other.m_now),
      m_report(std::move(other.m_report)),
      m_batchesNs(std::move(other.m_batchesNs)),
      m_stepStart(other.m_stepStart),
      m_stepStartNs(other.m_stepStartNs),
      m_stepOpen(other.m_stepOpen),
      m_done(other.m_done)
{
}

PressureExperiment::~PressureExperiment()
{
    endWorker();
}

Result<void> PressureExperiment::begin()
{
    if (auto swap = startSwapFile(m_traces.swapFile, m_plan.swapBytes + kSwapSlackBytes); !swap.ok())
        return swap;
    ASSIGN_OR_RETURN(auto group,
                     MemoryGroup::create(m_facts.hierarchy, m_traces.group, {m_plan.limitBytes, m_plan.swapBytes}));
    m_group = std::move(group);
    int readings[2];
    int go[2];
    if (pipe2(readings, O_CLOEXEC | O_NONBLOCK) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, go) != 0)
        return Error{fmt::format("The experiment cannot be started ({}).", std::strerror(errno))};
    fcntl(readings[1], F_SETFL, 0);  // the loader's end waits
    m_pipe = readings[0];
    m_go = go[1];
    const pid_t owner = getpid();
    m_worker = fork();
    if (m_worker == 0)
        runPressureWorker(m_plan, *m_group, owner, readings[1], go[0]);
    close(readings[1]);
    close(go[0]);
    if (m_worker < 0)
        return Error{fmt::format("The experiment cannot be started ({}).", std::strerror(errno))};
    return {};
}

bool PressureExperiment::poll()
{
    if (m_done)
        return false;
    PressureReading reading;
    for (;;) {
        const ssize_t got = read(m_pipe, &reading, sizeof(reading));  // whole ones: they are short
        if (got == static_cast<ssize_t>(sizeof(reading))) {
            take(reading);
            continue;
        }
        if (got == 0 && !m_done)  // the loader is gone without a word
            stop(m_group->read().killed > 0 ? "The kernel ended the loader: its group was out of memory."
                                            : "The loader ended unexpectedly.");
        break;
    }
    if (m_done)
        return false;
    m_now.usage = m_group->read();
    watchOverOthers();
    return !m_done;
}

void PressureExperiment::take(const PressureReading& reading)
{
    switch (reading.kind) {
        case PressureReading::Kind::Batch:
            m_now.lastBatchNs = reading.value;
            m_batchesNs.push_back(reading.value);
            break;
        case PressureReading::Kind::Locked: {
            m_now.step = static_cast<std::size_t>(reading.step);
            PressureStep step;
            step.pinnedBytes = reading.value;
            step.expected = expectedAt(m_plan, reading.value);
            m_report.steps.push_back(step);
            m_stepStart = m_group->read();
            m_stepStartNs = nowNs();
            m_stepOpen = true;
            break;
        }
        case PressureReading::Kind::StepDone:
            closeStep();
            if (send(m_go, "", 1, MSG_NOSIGNAL) != 1)
                stop("The loader ended unexpectedly.");
            break;
        case PressureReading::Kind::Refused:
            stop(fmt::format("The system refused the loader's memory ({}).",
                             std::strerror(static_cast<int>(reading.value))));
            break;
        case PressureReading::Kind::Done:
            stop("");
            break;
    }
}

void PressureExperiment::closeStep()
{
    if (!std::exchange(m_stepOpen, false))
        return;
    PressureStep& step = m_report.steps.back();
    const double seconds = std::max(1e-3, static_cast<double>(nowNs() - m_stepStartNs) * 1e-9);
    step.usage = m_group->read();
    step.batches = static_cast<std::int64_t>(m_batchesNs.size());
    step.medianBatchNs = median(m_batchesNs);
    step.slowBatchNs = quantile(m_batchesNs, 0.9);
    step.majorFaultsPerSecond = static_cast<double>(step.usage.majorFaults - m_stepStart.majorFaults) / seconds;
    step.refaultedBytesPerSecond = static_cast<double>(step.usage.refaultedPages - m_stepStart.refaultedPages) *
                                   static_cast<double>(sysconf(_SC_PAGESIZE)) / seconds;
    step.pressurePercent = step.usage.pressurePercent >= 0 ? step.usage.pressurePercent : m_now.pressurePercent;
    m_batchesNs.clear();
}

void PressureExperiment::watchOverOthers()
{
    m_now.availableBytes = machineMemory().availableBytes;
    const MemoryPressure machine = parseMemoryPressure(textOfFile("/proc/pressure/memory"));
    m_now.pressurePercent = m_now.usage.pressurePercent >= 0 ? m_now.usage.pressurePercent : machine.somePercent;
    if (m_now.availableBytes < pressureReserveBytes(m_facts.ramBytes))
        stop(fmt::format("Stopped: only {} of the machine's memory were left.", formatBytes(m_now.availableBytes)));
    for (const SwapArea& area : swapAreas())
        if (area.path == m_traces.swapFile && area.usedBytes > m_now.usage.swapBytes + kForeignSwapBytes)
            stop("Stopped: memory of other programs went to the experiment's swap file.");
    if (!m_guardian.watches())
        stop("Stopped: the guardian that cleans up is gone.");
}

void PressureExperiment::stop(const std::string& reason)
{
    if (m_done)
        return;
    closeStep();
    m_report.ended = reason;
    m_done = true;
}

void PressureExperiment::endWorker()
{
    if (m_worker > 0) {
        kill(m_worker, SIGKILL);
        while (waitpid(m_worker, nullptr, 0) < 0 && errno == EINTR) {
        }
        m_worker = -1;
    }
    for (int* pipe : {&m_pipe, &m_go})
        if (*pipe >= 0)
            close(std::exchange(*pipe, -1));
}

Result<PressureReport> PressureExperiment::finish()
{
    stop("Stopped before its end.");
    endWorker();
    RETURN_IF_ERROR(m_guardian.finish());
    return std::move(m_report);
}

}  // namespace overlane
