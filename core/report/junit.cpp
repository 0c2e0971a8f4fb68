#include "core/report/junit.h"

#include <fmt/format.h>

#include "core/content/markup.h"

namespace overlane
{
namespace
{

struct Counts {
    std::size_t tests = 0;
    std::size_t failures = 0;
    std::size_t errors = 0;
    std::size_t skipped = 0;

    // The common schemas know skipped tests of a suite only, not of all suites.
    std::string attributes(bool ofSuite) const
    {
        const std::string left = ofSuite ? fmt::format(" skipped=\"{}\"", skipped) : std::string();
        return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"{} time=\"0\"", tests, failures, errors, left);
    }
};

Counts countsOf(const FileCheck& file)
{
    Counts counts;
    counts.failures = file.count(CheckOutcome::Fired);
    counts.skipped = file.count(CheckOutcome::NotChecked);
    counts.errors = (file.error.empty() ? 0u : 1u) + (file.withoutGpuWork.empty() ? 0u : 1u);
    counts.tests = file.results.size() + counts.errors;
    return counts;
}

std::string testText(const std::string& suite, std::string_view name, std::string_view body)
{
    const std::string head =
        fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\"", markupText(suite), markupText(name));
    return body.empty() ? head + "/>\n" : fmt::format("{}>\n{}    </testcase>\n", head, body);
}

// A severity that several findings reach has one test for each: the names must differ.
std::string testName(const CheckResult& result)
{
    if (result.finding && result.finding->id != result.limit.name)
        return fmt::format("{} ({})", result.limit.text, result.finding->id);
    return result.limit.text;
}

std::string bodyOf(const CheckResult& result)
{
    switch (result.outcome) {
        case CheckOutcome::Fired:
            return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                               markupText(result.finding ? result.finding->id : std::string_view(result.limit.name)),
                               markupText(result.sentence),
                               markupText(result.finding ? result.finding->change : std::string()));
        case CheckOutcome::NotChecked:
            return fmt::format("      <skipped message=\"{}\"/>\n", markupText(result.sentence));
        case CheckOutcome::Passed:
            break;
    }
    return {};
}

}  // namespace

std::string junitText(std::span<const FileCheck> files)
{
    Counts all;
    std::string suites;
    for (const FileCheck& file : files) {
        const Counts counts = countsOf(file);
        all.tests += counts.tests;
        all.failures += counts.failures;
        all.errors += counts.errors;
        suites += fmt::format("  <testsuite name=\"{}\" {}>\n", markupText(file.file), counts.attributes(true));
        if (!file.error.empty())
            suites += testText(file.file, "readable",
                               fmt::format("      <error type=\"{}\" message=\"{}\"/>\n",
                                           file.damaged ? "damaged" : "unreadable", markupText(file.error)));
        if (!file.withoutGpuWork.empty())
            suites += testText(
                file.file, "gpu-work",
                fmt::format("      <error type=\"no-gpu-work\" message=\"{}\"/>\n", markupText(file.withoutGpuWork)));
        for (const CheckResult& result : file.results)
            suites += testText(file.file, testName(result), bodyOf(result));
        suites += "  </testsuite>\n";
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"overlane check\" {}>\n{}</testsuites>\n",
        all.attributes(false), suites);
}

}  // namespace overlane
