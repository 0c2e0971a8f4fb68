#include "tests/support/faulty_engine.h"

#include <fmt/format.h>

namespace overlane
{
namespace
{

std::string_view nameOf(const Operation& operation)
{
    static constexpr std::string_view kNames[] = {
        "host work",
        "memcpy",
        "an allocation",
        "freeing memory",
        "cudaHostRegister",
        "cudaHostUnregister",
        "cudaMemcpyAsync",
        "cudaLaunchKernel",
        "cudaEventRecord",
        "cudaStreamWaitEvent",
        "cudaEventSynchronize",
        "cudaStreamSynchronize",
        "cudaDeviceSynchronize",
        "a queue",
        "a queue",
        "a queue",
    };
    static_assert(std::size(kNames) == std::variant_size_v<Operation>);
    return kNames[operation.index()];
}

bool isAt(Fault::At at, const Operation& operation)
{
    const bool copy = std::holds_alternative<op::Copy>(operation);
    const bool launch = std::holds_alternative<op::Launch>(operation);
    switch (at) {
        case Fault::At::Allocation:
            return std::holds_alternative<op::Allocate>(operation) || std::holds_alternative<op::Register>(operation);
        case Fault::At::Copy:
            return copy;
        case Fault::At::Launch:
            return launch;
        case Fault::At::Device:
            return copy || launch || std::holds_alternative<op::RecordEvent>(operation) ||
                   std::holds_alternative<op::StreamWaitEvent>(operation) ||
                   std::holds_alternative<op::SyncEvent>(operation) ||
                   std::holds_alternative<op::SyncStream>(operation) ||
                   std::holds_alternative<op::SyncDevice>(operation);
        case Fault::At::Any:
            break;
    }
    return true;
}

std::string sentence(Fault::At at, std::int64_t number, const Operation& operation)
{
    switch (at) {
        case Fault::At::Allocation:
            return fmt::format("Allocation {} failed: out of memory ({}).", number, nameOf(operation));
        case Fault::At::Copy:
            return fmt::format("Copy {} failed: cudaMemcpyAsync returned an error.", number);
        case Fault::At::Launch:
            return fmt::format("Kernel {} failed: cudaLaunchKernel returned an error.", number);
        case Fault::At::Device:
            return fmt::format("The GPU was lost during {}.", nameOf(operation));
        case Fault::At::Any:
            break;
    }
    return fmt::format("Operation {} failed ({}).", number, nameOf(operation));
}

}  // namespace

FaultyEngine::FaultyEngine(Engine& inner, Progress& progress, std::vector<Fault> faults)
    : m_inner(inner), m_progress(progress), m_faults(std::move(faults)), m_delayLabel(inner.label("injected delay"))
{
}

Result<void> FaultyEngine::run()
{
    Result<void> ended = m_inner.run();
    const std::lock_guard lock(m_mutex);
    if (!m_failure.empty())
        return Error{m_failure};
    return ended;
}

// Counts the operation; the first fault that strikes it, or nullptr.
const Fault* FaultyEngine::strikes(const Operation& operation)
{
    for (std::size_t at = 0; at < std::size(m_started); ++at)
        m_started[at] += isAt(static_cast<Fault::At>(at), operation);
    for (const Fault& fault : m_faults)
        if (isAt(fault.at, operation) && m_started[static_cast<std::size_t>(fault.at)] == fault.number)
            return &fault;
    return nullptr;
}

bool FaultyEngine::start(ActorId actor, const Operation& operation, std::int64_t& result,
                         std::coroutine_handle<> resume)
{
    const Fault* fault = nullptr;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_failure.empty())
            return false;
        fault = strikes(operation);
        if (fault && fault->what == Fault::What::Fail) {
            m_failure = sentence(fault->at, fault->number, operation);
            m_progress.cancel();
            return false;
        }
    }
    if (fault && fault->what == Fault::What::Cancel)
        m_progress.cancel();
    if (fault && fault->what == Fault::What::Delay)
        return delay(actor, fault->delayNs, operation, result, resume);
    return m_inner.start(actor, operation, result, resume);
}

bool FaultyEngine::delay(ActorId actor, std::int64_t delayNs, const Operation& operation, std::int64_t& result,
                         std::coroutine_handle<> resume)
{
    Call* call = nullptr;
    Task::Handle handle;
    {
        const std::lock_guard lock(m_mutex);
        call = &m_calls.emplace_back(Call{actor, &operation, &result, resume, false, false});
        handle = m_delays.emplace_back(delayed(*call, delayNs)).handle();
    }
    handle.resume();
    call->returned = true;
    return call->ended;
}

// On an engine that never suspends this has run to its end when delay() goes on.
Task FaultyEngine::delayed(Call& call, std::int64_t delayNs)
{
    co_await Await(m_inner, call.actor,
                   op::Work{.label = m_delayLabel, .durationNs = delayNs, .kind = EventKind::HostBlocked});
    call.ended = m_inner.start(call.actor, *call.operation, *call.result, call.resume);
    if (call.ended && call.returned)
        call.resume.resume();
}

}  // namespace overlane
