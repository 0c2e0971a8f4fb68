#include "core/report/trace_check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "core/analysis/steps.h"
#include "core/base/units.h"
#include "core/findings/rule.h"

namespace overlane
{
namespace
{

using Named = std::pair<std::string_view, std::string_view>;

constexpr std::array<Named, 7> kGroups{{
    {"hazard", "any finding after which results may be wrong"},
    {"problem", "any hazard, and any finding that costs time which a change would win back"},
    {"any", "any finding but what is as it should be"},
    {"step-time", "the average step, warm-up left out"},
    {"exposed-copy", "copies to the device while no kernel runs"},
    {"gpu-idle", "a device does nothing at all"},
    {"host-held", "the GPU runtime blocks a host thread"},
}};

constexpr std::string_view kCostHelp = "write a time per step (2ms), a time in all (40ms/run) or a share (5%)";

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// A number above or equal to 0 and what follows it.
std::optional<std::pair<double, std::string_view>> parsedNumber(std::string_view text)
{
    double number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (parsed.ec != std::errc() || !std::isfinite(number) || number < 0)
        return {};
    return std::pair(number, trimmed(text.substr(static_cast<std::size_t>(parsed.ptr - text.data()))));
}

bool parseCost(std::string_view text, RuleLimit& limit)
{
    const auto parsed = parsedNumber(trimmed(text));
    if (!parsed)
        return false;
    std::string_view unit = parsed->second;
    if (unit == "%") {
        limit.unit = LimitUnit::Share;
        limit.share = parsed->first / 100;
        return true;
    }
    limit.unit = LimitUnit::PerStep;
    for (const std::string_view suffix : {"/run", "/step"})
        if (unit.ends_with(suffix)) {
            limit.unit = suffix == "/run" ? LimitUnit::Total : LimitUnit::PerStep;
            unit.remove_suffix(suffix.size());
            unit = trimmed(unit);
        }
    constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
        {{"ns", 1}, {"us", 1e3}, {"\u00b5s", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
    for (const auto& [name, ns] : kUnits)
        if (unit == name && parsed->first * ns < 9e18) {
            limit.limitNs = std::llround(parsed->first * ns);
            return true;
        }
    return false;
}

// What a limit is held against.
struct Cost {
    std::int64_t perStepNs = 0;
    std::int64_t totalNs = 0;
    double share = 0;
};

Cost costOf(const Finding& finding, Interval range)
{
    const FindingCost& cost = finding.cost;
    Cost asked;
    asked.perStepNs = std::max(cost.gpuIdlePerStepNs, cost.hostBlockedPerStepNs);
    asked.totalNs = std::max(cost.gpuIdleNs, cost.hostBlockedNs);
    const auto wall = static_cast<double>(std::max<std::int64_t>(1, range.lengthNs()));
    asked.share = std::max(cost.shareOfWall, static_cast<double>(cost.hostBlockedNs) / wall);
    return asked;
}

std::int64_t inUnit(const Cost& cost, LimitUnit unit, bool hasSteps)
{
    return unit == LimitUnit::PerStep && hasSteps ? cost.perStepNs : cost.totalNs;
}

// Whether a cost reaches the limit. Without steps a time per step is held against the whole range:
// rather a false alarm than a silent pass.
bool reaches(const Cost& cost, const RuleLimit& limit, bool hasSteps)
{
    switch (limit.unit) {
        case LimitUnit::Any:
            return true;
        case LimitUnit::Share:
            return cost.share >= limit.share;
        case LimitUnit::PerStep:
        case LimitUnit::Total:
            break;
    }
    return inUnit(cost, limit.unit, hasSteps) >= limit.limitNs;
}

std::string costText(const Cost& cost, LimitUnit unit, bool hasSteps)
{
    if (unit == LimitUnit::Share)
        return formatShare(cost.share);
    const bool perStep = hasSteps && unit != LimitUnit::Total;
    const std::string text = formatDuration(perStep ? cost.perStepNs : cost.totalNs);
    return text + (perStep ? " per step" : " in all");
}

std::string againstText(const Cost& cost, const RuleLimit& limit, bool hasSteps)
{
    if (limit.unit == LimitUnit::Any)
        return costText(cost, limit.unit, hasSteps);
    return fmt::format("{}, the limit is {}{}", costText(cost, limit.unit, hasSteps), limit.limitText(),
                       limit.unit == LimitUnit::PerStep && !hasSteps ? " (the trace has no steps: of the whole)" : "");
}

// The severities that a name stands for: up to and with this one; none for rules and figures.
std::optional<FindingSeverity> groupSeverity(std::string_view name)
{
    if (name == "hazard")
        return FindingSeverity::Hazard;
    if (name == "problem")
        return FindingSeverity::Problem;
    if (name == "any")
        return FindingSeverity::Hint;
    return {};
}

CheckResult resultOf(const RuleLimit& limit, const Cost& cost, bool hasSteps)
{
    CheckResult result;
    result.limit = limit;
    result.costNs = inUnit(cost, limit.unit, hasSteps);
    result.share = cost.share;
    result.outcome = reaches(cost, limit, hasSteps) ? CheckOutcome::Fired : CheckOutcome::Passed;
    return result;
}

CheckResult checkFinding(const Finding& finding, const RuleLimit& limit, const FindingList& list)
{
    const Cost cost = costOf(finding, list.range);
    CheckResult result = resultOf(limit, cost, list.steps > 0);
    result.finding = &finding;
    result.sentence = fmt::format("{}: {}. {}", finding.id, againstText(cost, limit, list.steps > 0), finding.sentence);
    return result;
}

CheckResult passed(const RuleLimit& limit, std::string sentence)
{
    CheckResult result;
    result.limit = limit;
    result.sentence = std::move(sentence);
    return result;
}

void checkGroup(const RuleLimit& limit, FindingSeverity severity, const FindingList& list,
                std::vector<CheckResult>& results)
{
    const std::size_t before = results.size();
    for (const Finding& finding : list.findings) {
        if (finding.severity > severity)
            continue;
        CheckResult result = checkFinding(finding, limit, list);
        if (result.outcome == CheckOutcome::Fired)
            results.push_back(std::move(result));
    }
    if (results.size() == before)
        results.push_back(passed(
            limit, fmt::format("no finding of this kind{}", limit.unit == LimitUnit::Any ? "" : " reaches the limit")));
}

CheckResult checkRule(const RuleLimit& limit, const FindingList& list)
{
    for (const Finding& finding : list.findings)
        if (finding.id == limit.name)
            return checkFinding(finding, limit, list);
    for (const NotChecked& rule : list.notChecked)
        if (rule.id == limit.name) {
            CheckResult result = passed(limit, fmt::format("{}: not checked. {}", rule.id, rule.reason));
            result.outcome = CheckOutcome::NotChecked;
            return result;
        }
    return passed(limit, fmt::format("{}: not found", limit.name));
}

// Of the device that has most of it.
std::optional<Cost> figureCost(std::string_view name, const CheckedRange& range)
{
    const std::int64_t steps = range.findings->steps;
    const auto wall = static_cast<double>(std::max<std::int64_t>(1, range.summary.range.lengthNs()));
    const auto ofTotal = [&](std::int64_t totalNs) {
        return Cost{steps > 0 ? perStepNs(totalNs, range.summary.range, range.stepNs) : 0, totalNs,
                    static_cast<double>(totalNs) / wall};
    };
    if (name == "step-time") {
        if (range.stepNs == 0 || range.findings->steps == 0)
            return std::nullopt;
        return Cost{range.stepNs, range.summary.range.lengthNs(), 1};
    }
    std::int64_t mostNs = name == "host-held" ? range.summary.hostBlockedNs : 0;
    for (const DeviceSummary& device : range.summary.devices)
        mostNs = std::max(mostNs, name == "exposed-copy" ? device.exposedCopyNs
                                  : name == "gpu-idle"   ? device.idleNs
                                                         : 0);
    return ofTotal(mostNs);
}

CheckResult checkFigure(const RuleLimit& limit, const CheckedRange& range)
{
    const std::optional<Cost> cost = figureCost(limit.name, range);
    if (!cost) {
        CheckResult result = passed(limit, fmt::format("{}: not checked. The trace has no steps.", limit.name));
        result.outcome = CheckOutcome::NotChecked;
        return result;
    }
    const bool hasSteps = range.findings->steps > 0;
    CheckResult result = resultOf(limit, *cost, hasSteps);
    if (limit.unit == LimitUnit::Any)  // a figure is no fault by itself
        result.outcome = result.costNs > 0 ? CheckOutcome::Fired : CheckOutcome::Passed;
    result.sentence = fmt::format("{}: {}.", limit.name, againstText(*cost, limit, hasSteps));
    return result;
}

}  // namespace

std::string RuleLimit::limitText() const
{
    switch (unit) {
        case LimitUnit::PerStep:
            return formatDuration(limitNs) + " per step";
        case LimitUnit::Total:
            return formatDuration(limitNs) + " in all";
        case LimitUnit::Share:
            return formatShare(share);
        case LimitUnit::Any:
            break;
    }
    return "any cost";
}

Result<RuleLimit> parseRuleLimit(std::string_view text)
{
    RuleLimit limit;
    text = trimmed(text);
    limit.text = text;
    const std::size_t colon = text.find(':');
    limit.name = trimmed(text.substr(0, colon));
    if (limit.name.empty())
        return Error{fmt::format("'{}' names no rule.", text)};
    if (colon != std::string_view::npos && !parseCost(text.substr(colon + 1), limit))
        return Error{fmt::format("'{}' is no cost; {}.", text.substr(colon + 1), kCostHelp)};
    return limit;
}

Result<std::vector<RuleLimit>> parseRuleLimits(std::string_view lines)
{
    std::vector<RuleLimit> limits;
    for (std::size_t number = 1; !lines.empty(); ++number) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        std::string_view line = lines.substr(0, end);
        lines.remove_prefix(std::min(end + 1, lines.size()));
        line = trimmed(line.substr(0, line.find('#')));
        if (line.empty())
            continue;
        Result<RuleLimit> limit = parseRuleLimit(line);
        if (!limit.ok())
            return limit.failure().in(fmt::format("line {}", number));
        limits.push_back(std::move(limit).value());
    }
    return limits;
}

std::vector<std::string_view> limitNames()
{
    std::vector<std::string_view> names;
    for (const Rule& rule : allRules())
        names.push_back(rule.id);
    for (const auto& [name, sentence] : kGroups)
        names.push_back(name);
    return names;
}

std::span<const Named> limitGroups()
{
    return kGroups;
}

std::string_view outcomeName(CheckOutcome outcome)
{
    switch (outcome) {
        case CheckOutcome::Passed:
            return "passed";
        case CheckOutcome::Fired:
            return "fired";
        case CheckOutcome::NotChecked:
            break;
    }
    return "not_checked";
}

namespace
{

// Whether a limit speaks of work of a GPU, of which a trace without any says nothing.
bool isOfGpu(const RuleLimit& limit)
{
    return limit.name != "step-time" && limit.name != "host-held";
}

}  // namespace

std::vector<CheckResult> checkTrace(const CheckedRange& range, std::span<const RuleLimit> limits)
{
    std::vector<CheckResult> results;
    for (const RuleLimit& limit : limits) {
        if (!range.hasGpuWork && isOfGpu(limit)) {
            results.push_back(passed(limit, fmt::format("{}: not checked. The trace has no GPU work.", limit.name)));
            results.back().outcome = CheckOutcome::NotChecked;
        } else if (const auto severity = groupSeverity(limit.name))
            checkGroup(limit, *severity, *range.findings, results);
        else if (findRule(limit.name))
            results.push_back(checkRule(limit, *range.findings));
        else
            results.push_back(checkFigure(limit, range));
    }
    return results;
}

std::size_t FileCheck::count(CheckOutcome outcome) const
{
    return static_cast<std::size_t>(std::count_if(
        results.begin(), results.end(), [outcome](const CheckResult& result) { return result.outcome == outcome; }));
}

}  // namespace overlane
