#include "core/cli/judged_trace.h"

#include <charconv>
#include <filesystem>

#include "core/analysis/kernel_record.h"
#include "core/findings/findings.h"

namespace overlane
{
namespace
{

Verdict verdictWithin(const Trace& trace, const Analysis& analysis, const StepSequence& steps)
{
    const Verdict judged = verdictOfTrace(analysis, steps.steps);
    return withinRecord(judged, trace, analysis.summarise(judged.range), judged.range);
}

}  // namespace

std::optional<StepNumbers> parsedStepNumbers(std::string_view text)
{
    StepNumbers numbers;
    const char* end = text.data() + text.size();
    auto parsed = std::from_chars(text.data(), end, numbers.first);
    numbers.last = numbers.first;
    if (parsed.ec == std::errc{} && parsed.ptr != end && *parsed.ptr == '-')
        parsed = std::from_chars(parsed.ptr + 1, end, numbers.last);
    if (parsed.ec != std::errc{} || parsed.ptr != end || numbers.last < numbers.first)
        return {};
    return numbers;
}

JudgedTrace::JudgedTrace(Trace read, const std::string& path)
    : trace(std::move(read)),
      name(std::filesystem::path(path).filename().string()),
      analysis(trace),
      steps(detectSteps(trace)),
      verdict(verdictWithin(trace, analysis, steps)),
      findings(overlane::findings(trace, analysis, steps.steps, judgedRange(analysis, steps.steps).range))
{
}

Result<std::unique_ptr<const JudgedTrace>> judgeFile(const std::string& path, LongTask::Drawing drawing)
{
    Result<Trace> read = readWithProgress(path, drawing);
    if (!read.ok())
        return Error{read.error()};
    LongTask judging("Judging", drawing);
    auto judged = std::make_unique<const JudgedTrace>(std::move(read).value(), path);
    if (judging.cancelled())
        return Error{Progress::kCancelled};
    return judged;
}

std::string damageOf(const Trace& trace)
{
    for (const ImportStat& stat : trace.stats().all())
        if (stat.severity == Severity::Error)
            return stat.explanation;
    return {};
}

}  // namespace overlane
