#include "core/api/opened_trace.h"

#include <algorithm>
#include <filesystem>

#include "core/io/format.h"

namespace overlane
{

OpenedTrace::OpenedTrace(Trace trace, std::string place)
    : m_trace(std::make_shared<const Trace>(std::move(trace))), m_place(std::move(place))
{
}

Result<std::unique_ptr<OpenedTrace>> OpenedTrace::read(const std::string& path, Progress& progress)
{
    Result<Trace> trace = readTrace(path, progress);
    // A cancel that came after the reader last looked counts all the same.
    if (progress.cancelled())
        return Error::cancelled();
    if (!trace.ok())
        return trace.failure();
    return std::make_unique<OpenedTrace>(std::move(trace).value(), path);
}

Result<std::shared_ptr<const JudgedTrace>> OpenedTrace::judged(const JudgedBy& by, Progress& progress) const
{
    const auto known = [&] {
        return std::find_if(m_judged.begin(), m_judged.end(), [&](const auto& each) { return each.first == by; });
    };
    {
        const std::lock_guard lock(m_mutex);
        if (const auto found = known(); found != m_judged.end())
            return found->second;
    }
    TraceRequest request;
    request.iteration = by.iteration;
    request.steps = parsedStepNumbers(by.steps);
    request.range = by.range;
    Result<std::unique_ptr<const JudgedTrace>> made = attempt("judge the trace", &progress, [&](const WorkMeter& work) {
        return JudgedTrace::make(m_trace, std::filesystem::path(m_place).filename().string(), request, work);
    });
    if (!made.ok())
        return made.failure().in(m_place);
    std::shared_ptr<const JudgedTrace> judged = std::move(made).value();
    const std::lock_guard lock(m_mutex);
    if (known() == m_judged.end())
        m_judged.emplace_back(by, judged);
    if (m_judged.size() > kMostKept)
        m_judged.erase(m_judged.begin());
    return judged;
}

}  // namespace overlane
