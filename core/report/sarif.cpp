#include "core/report/sarif.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/printable_text.h"
#include "core/findings/rule.h"

namespace overlane
{
namespace
{

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

// A path as a URI reference (RFC 3986): absolute ones as file URIs.
std::string uriOf(std::string_view path)
{
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char byte : path) {
        const auto code = static_cast<unsigned char>(byte);
        if (std::isalnum(code) || std::string_view("-._~/").find(byte) != std::string_view::npos)
            uri += byte;
        else
            uri += fmt::format("%{:02X}", code);
    }
    return uri;
}

Json text(std::string_view words)
{
    return {{"text", printableText(words)}};
}

std::string_view levelOf(FindingSeverity severity)
{
    switch (severity) {
        case FindingSeverity::Hazard:
        case FindingSeverity::Problem:
            return "warning";
        case FindingSeverity::Hint:
            return "note";
        case FindingSeverity::Good:
            break;
    }
    return "none";
}

// Rules of the tool: findings first, then figures, in the order of limitNames().
Json rulesJson()
{
    Json rules = Json::array();
    for (const Rule& rule : allRules()) {
        Json entry{{"id", rule.id}, {"shortDescription", text(rule.title)}};
        std::string change(rule.changePyTorch);
        if (!rule.changeCuda.empty())
            change += (change.empty() ? "" : " In CUDA: ") + std::string(rule.changeCuda);
        if (!change.empty())
            entry["help"] = text(change);
        rules.push_back(std::move(entry));
    }
    for (const auto& [name, sentence] : limitGroups())
        rules.push_back({{"id", name}, {"shortDescription", text(sentence)}});
    return rules;
}

std::size_t ruleIndex(std::string_view id)
{
    const std::vector<std::string_view> names = limitNames();
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), id) - names.begin());
}

Json locationsOf(std::size_t artifact, const std::string& file)
{
    return Json::array({{{"physicalLocation", {{"artifactLocation", {{"uri", uriOf(file)}, {"index", artifact}}}}}}});
}

Json resultJson(std::string_view rule, std::string_view level, std::string_view sentence, std::size_t artifact,
                const std::string& file)
{
    return {{"ruleId", rule},
            {"ruleIndex", ruleIndex(rule)},
            {"kind", level == "none" ? "informational" : "fail"},
            {"level", level},
            {"message", text(sentence)},
            {"locations", locationsOf(artifact, file)},
            {"partialFingerprints", {{"overlaneRule/v1", fmt::format("{}:{}", printableText(file), rule)}}}};
}

Json costJson(const FindingCost& cost)
{
    return {{"gpu_idle_ns", cost.gpuIdleNs},
            {"gpu_idle_per_step_ns", cost.gpuIdlePerStepNs},
            {"host_blocked_ns", cost.hostBlockedNs},
            {"host_blocked_per_step_ns", cost.hostBlockedPerStepNs},
            {"share_of_wall", cost.shareOfWall}};
}

void addResults(const FileCheck& file, std::size_t artifact, Json& results)
{
    std::vector<const Finding*> told;
    for (const CheckResult& check : file.results) {
        if (check.outcome != CheckOutcome::Fired)
            continue;
        Json result = resultJson(check.finding ? check.finding->id : std::string_view(check.limit.name), "error",
                                 check.sentence, artifact, file.file);
        result["properties"] = {{"limit", check.limit.text}};
        if (check.finding)
            result["properties"]["cost"] = costJson(check.finding->cost);
        results.push_back(std::move(result));
        told.push_back(check.finding);
    }
    for (const Finding& finding : file.findings.findings) {
        if (std::find(told.begin(), told.end(), &finding) != told.end())
            continue;
        Json result = resultJson(finding.id, levelOf(finding.severity), finding.sentence, artifact, file.file);
        result["properties"] = {{"cost", costJson(finding.cost)}};
        results.push_back(std::move(result));
    }
}

void addNotifications(const FileCheck& file, std::size_t artifact, Json& notifications)
{
    for (const std::string& problem : {file.error, file.withoutGpuWork})
        if (!problem.empty())
            notifications.push_back(
                {{"level", "error"}, {"message", text(problem)}, {"locations", locationsOf(artifact, file.file)}});
    for (const NotChecked& rule : file.findings.notChecked)
        notifications.push_back({{"level", "note"},
                                 {"message", text(fmt::format("{} was not checked: {}", rule.id, rule.reason))},
                                 {"locations", locationsOf(artifact, file.file)},
                                 {"associatedRule", {{"id", rule.id}, {"index", ruleIndex(rule.id)}}}});
}

}  // namespace

std::string sarifText(std::span<const FileCheck> files, std::string_view version, int exitCode)
{
    Json artifacts = Json::array();
    Json results = Json::array();
    Json notifications = Json::array();
    bool readAll = true;
    for (std::size_t i = 0; i < files.size(); ++i) {
        artifacts.push_back({{"location", {{"uri", uriOf(files[i].file)}}}});
        addResults(files[i], i, results);
        addNotifications(files[i], i, notifications);
        readAll &= !files[i].unreadable();
    }
    Json driver{{"name", "Overlane"}, {"version", version}, {"rules", rulesJson()}};
    Json invocation{{"executionSuccessful", readAll}, {"exitCode", exitCode}};
    if (!notifications.empty())
        invocation["toolExecutionNotifications"] = std::move(notifications);
    Json run{{"tool", {{"driver", std::move(driver)}}},
             {"invocations", Json::array({std::move(invocation)})},
             {"artifacts", std::move(artifacts)},
             {"results", std::move(results)},
             {"columnKind", "unicodeCodePoints"}};
    const Json log{{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
    return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace overlane
