#include "core/cli/check_text.h"

#include <fmt/format.h>

#include "core/content/terminal.h"

namespace overlane
{
namespace
{

std::string_view mark(CheckOutcome outcome)
{
    switch (outcome) {
        case CheckOutcome::Passed:
            return "passed";
        case CheckOutcome::Fired:
            return "FIRED";
        case CheckOutcome::NotChecked:
            break;
    }
    return "not checked";
}

}  // namespace

std::string checkText(std::span<const FileCheck> files)
{
    std::string text;
    for (const FileCheck& file : files) {
        if (file.unreadable()) {
            text += fmt::format("{}: not checked, it could not be read\n", file.file);
            continue;
        }
        const std::size_t fired = file.count(CheckOutcome::Fired);
        const std::size_t open = file.count(CheckOutcome::NotChecked);
        std::string answer = fired == 0   ? "no rule fired"
                             : fired == 1 ? "1 rule fired"
                                          : fmt::format("{} rules fired", fired);
        if (open > 0 && open == file.results.size())
            answer = "nothing checked";
        text += fmt::format("{}: {}\n", file.file, answer);
        if (!file.withoutGpuWork.empty())
            text += wrapText(file.withoutGpuWork, "  ");
        for (const CheckResult& result : file.results) {
            text += fmt::format("  {:<11}  {}\n", mark(result.outcome), result.limit.text);
            text += wrapText(result.sentence, "               ");
            if (result.outcome == CheckOutcome::Fired && result.finding && !result.finding->change.empty())
                text += wrapText(result.finding->change, "               ");
        }
    }
    return text;
}

OrderedJson checkJson(std::span<const FileCheck> files, int exitCode)
{
    OrderedJson json;
    std::size_t fired = 0;
    OrderedJson& list = json["files"] = OrderedJson::array();
    for (const FileCheck& file : files) {
        OrderedJson entry{{"file", file.file}};
        entry["error"] = file.error.empty() ? OrderedJson() : OrderedJson(file.error);
        entry["without_gpu_work"] = file.withoutGpuWork.empty() ? OrderedJson() : OrderedJson(file.withoutGpuWork);
        entry["range_ns"] = {file.findings.range.startNs, file.findings.range.endNs};
        entry["steps"] = file.findings.steps;
        entry["step_ns"] = file.stepNs;
        OrderedJson& results = entry["results"] = OrderedJson::array();
        for (const CheckResult& result : file.results) {
            results.push_back({{"limit", result.limit.text},
                               {"rule", result.finding ? std::string(result.finding->id) : result.limit.name},
                               {"outcome", outcomeName(result.outcome)},
                               {"cost_ns", result.costNs},
                               {"share", result.share},
                               {"sentence", result.sentence}});
            fired += result.outcome == CheckOutcome::Fired ? 1 : 0;
        }
        list.push_back(std::move(entry));
    }
    json["fired"] = fired;
    json["exit_code"] = exitCode;
    return json;
}

}  // namespace overlane
