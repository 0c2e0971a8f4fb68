#include "core/report/html_report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <vector>

#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/content/html.h"
#include "core/io/format.h"
#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/unit/compare/training_trace.h"
#include "tests/unit/report/report_trace.h"

namespace overlane
{
namespace
{

using test::around;
using test::ReportTrace;
using test::TrainingRun;
using test::trainingTrace;
using ::testing::HasSubstr;
using ::testing::Not;

// The first tag that is closed without being open, or left open; empty for a page whose tags nest.
std::string firstMisnested(const std::string& page)
{
    static const std::vector<std::string> kVoid{"meta", "br", "!DOCTYPE"};
    std::vector<std::string> open;
    const std::regex tag("<(/?)([A-Za-z!][A-Za-z0-9]*)([^<>]*?)(/?)>");
    for (std::sregex_iterator match(page.begin(), page.end(), tag), end; match != end; ++match) {
        const std::string name = (*match)[2];
        if ((*match)[4] == "/" || std::find(kVoid.begin(), kVoid.end(), name) != kVoid.end())
            continue;
        if ((*match)[1] != "/") {
            open.push_back(name);
            continue;
        }
        if (open.empty() || open.back() != name)
            return "</" + name + ">" + (open.empty() ? "" : " within <" + open.back() + ">");
        open.pop_back();
    }
    return open.empty() ? "" : "<" + open.back() + ">";
}

std::string sectionIds(const std::string& page)
{
    std::string ids;
    const std::regex section("<section id=\"([a-z]+)\"");
    for (std::sregex_iterator match(page.begin(), page.end(), section), end; match != end; ++match)
        ids += std::string((*match)[1]) + " ";
    return ids;
}

TEST(HtmlReportTest, HoldsEverySectionAndNests)
{
    const ReportTrace run(trainingTrace({around(2'000'000, 12)}));
    const std::string page = htmlReport(run.input());
    EXPECT_EQ(sectionIds(page), "verdict timeline time findings steps copies kernels facts reading ");
    EXPECT_EQ(firstMisnested(page), "");
    test::expectText(test::pageText(page));
}

// Of this trace verdict and findings count causes together: a late host and its code between two events.
TEST(HtmlReportTest, ALossTakesWhatTheVerdictSays)
{
    Progress progress;
    const std::string file = OVERLANE_SOURCE_DIR "/tests/data/traces/h200/w4_page_b_main_d4.pt.trace.json.gz";
    const ReportTrace run(std::move(readTrace(file, progress).value()));
    const std::string page = htmlReport(run.input());
    ASSERT_GE(run.judgement.verdict.losses.size(), 3U);
    for (const Verdict::Loss& loss : run.judgement.verdict.losses) {
        const std::size_t row = page.find(fmt::format("</svg>{}<", lostCauseName(loss.cause)));
        ASSERT_NE(row, std::string::npos) << lostCauseName(loss.cause);
        const std::size_t cell = page.find("<td class=\"n\">", row);
        EXPECT_THAT(page.substr(cell, 60),
                    HasSubstr(withWholeNumbers(fmt::format(">{}<", formatDuration(loss.lostNs)))));
    }
}

TEST(HtmlReportTest, NeedsNothingFromElsewhere)
{
    const ReportTrace run(trainingTrace({around(2'000'000, 12)}));
    const std::string page = htmlReport(run.input());
    for (const char* reference : {"<script", "http:", "https:", "src=", "@import", "<link", "href="})
        EXPECT_THAT(page, Not(HasSubstr(reference)));
    EXPECT_THAT(page, HasSubstr("@media print"));
    EXPECT_THAT(page, HasSubstr("prefers-color-scheme:dark"));
}

TEST(HtmlReportTest, NamesOfStrangersStayText)
{
    const std::string evil = "<script>alert(1)</script>\" onload='x' \xff";
    TrainingRun strange{around(2'000'000, 8)};
    strange.kernelName = evil;
    ReportTrace run(trainingTrace(strange));
    ReportInput input = run.input();
    input.name = evil;
    const std::string page = htmlReport(input);
    EXPECT_THAT(page, Not(HasSubstr("<script")));
    EXPECT_THAT(page, Not(HasSubstr("onload='")));
    EXPECT_THAT(page, Not(HasSubstr("\xff")));
    EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)"));
    EXPECT_EQ(firstMisnested(page), "");
}

TEST(HtmlReportTest, AMillionEventsFitInHalfAMegabyte)
{
    test::SampleTrace sample;
    const TrackId compute = sample.stream(TrackKind::EngineCompute, 7);
    const TrackId copies = sample.stream(TrackKind::EngineH2D, 20);
    constexpr std::int64_t kSteps = 2'000;
    constexpr std::int64_t kKernels = 225;
    for (std::int64_t step = 0; step < kSteps; ++step) {
        const std::int64_t startNs = step * 1'000'000;
        sample.host(EventKind::Step, startNs, startNs + 1'000'000, "ProfilerStep#" + std::to_string(step));
        for (std::int64_t i = 0; i < kKernels; ++i) {
            const std::int64_t timeNs = startNs + i * 4'000;
            const std::string name = "void kernel_with_a_long_name<float, " + std::to_string(i) + ">(Arguments)";
            sample.add(compute, EventKind::Kernel, timeNs, timeNs + 1'000 + i * 9, name);
            sample.host(EventKind::RuntimeCall, timeNs, timeNs + 700, "cudaLaunchKernel");
            if (i % 4 == 0)
                sample.add(copies, EventKind::Memset, timeNs + 2'000, timeNs + 2'900, "Memset");
        }
    }
    const ReportTrace run(sample.build());
    EXPECT_GT(run.trace.eventCount(), 1'000'000U);
    const std::string page = htmlReport(run.input());
    EXPECT_LT(page.size(), 500'000U);
    EXPECT_EQ(firstMisnested(page), "");
}

TEST(HtmlReportTest, ATraceWithoutGpuWorkStillMakesAPage)
{
    test::SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 1000, "work");
    const ReportTrace run(sample.build());
    const std::string page = htmlReport(run.input());
    EXPECT_EQ(firstMisnested(page), "");
    EXPECT_THAT(sectionIds(page), HasSubstr("verdict"));
    const ReportTrace empty{Trace()};
    EXPECT_EQ(firstMisnested(htmlReport(empty.input())), "");
}

TEST(HtmlReportTest, WhatIsMissingIsSaidFirst)
{
    test::SampleTrace sample;
    sample.kernel(0, 1000);
    sample.builder().stats().add("dropped", "records were dropped by <CUPTI>", Severity::Warning, 3);
    const ReportTrace run(sample.build());
    const std::string page = htmlReport(run.input());
    test::expectText(test::pageText(page));
}

// An older recording holds the note as a warning.
TEST(HtmlReportTest, AProgramWithoutALoaderIsComplete)
{
    test::SampleTrace sample;
    sample.kernel(0, 1000);
    sample.builder().stats().add("recording_note_0", "notes of the recording: No loader.", Severity::Warning);
    const ReportTrace run(sample.build());
    const std::string page = htmlReport(run.input());
    EXPECT_THAT(sectionIds(page), Not(HasSubstr("quality")));
    test::expectText(test::pageText(page));
}

// Remarks would else push the figures out of the page, and a thin space would break a number.
TEST(HtmlReportTest, FiguresStayInSightAndWhole)
{
    const ReportTrace run(trainingTrace({around(2'000'000, 12)}));
    const std::string page = htmlReport(run.input());
    EXPECT_THAT(page, HasSubstr("class=\"muted remark\""));
    EXPECT_THAT(page, HasSubstr(".remark{display:block;white-space:normal;"));
    EXPECT_THAT(page, Not(HasSubstr("\u2009")));
    EXPECT_THAT(page, HasSubstr("\u202f%"));
}

TEST(HtmlReportTest, AgainstABaselineItSaysWhatChanged)
{
    const ReportTrace before(trainingTrace({around(2'000'000, 12)}));
    const ReportTrace after(trainingTrace({around(400'000, 12), 500'000, MemoryKind::Pinned}));
    const Result<Comparison> comparison =
        compare({&before.trace, &before.analysis, &before.steps}, {&after.trace, &after.analysis, &after.steps});
    ASSERT_TRUE(comparison.ok());
    ReportInput input = after.input();
    input.baseline = {"before.json", &comparison.value(), &before.judgement.findings};
    const std::string page = htmlReport(input);
    EXPECT_THAT(sectionIds(page), HasSubstr("comparison"));
    test::expectText(test::pageText(page));
    EXPECT_THAT(page, HasSubstr("before.json"));
    EXPECT_EQ(firstMisnested(page), "");
}

TEST(HtmlReportTest, AmongWhatChangedNoKernelIsThatDidNot)
{
    const ReportTrace run(trainingTrace({around(2'000'000, 12)}));
    const CompareSide side{&run.trace, &run.analysis, &run.steps};
    const Result<Comparison> comparison = compare(side, side);
    ASSERT_TRUE(comparison.ok());
    ASSERT_FALSE(comparison.value().devices.front().kernels.empty());
    ReportInput input = run.input();
    input.baseline = {"itself.json", &comparison.value(), nullptr};
    test::expectText(test::pageText(htmlReport(input)));
}

TEST(TypicalRangeTest, PicksTheThreeMostUsualStepsInARow)
{
    std::vector<std::int64_t> times{9'000'000, 400'000, 450'000, 401'000, 402'000, 403'000, 900'000, 402'500};
    const ReportTrace run(trainingTrace({times}));
    const Interval range = typicalRange(run.steps, run.judgement.range);
    EXPECT_EQ(range.startNs, run.steps.steps[3].interval.startNs);
    EXPECT_EQ(range.endNs, run.steps.steps[6].interval.startNs);
    const ReportTrace few(trainingTrace({around(400'000, 3)}));
    EXPECT_EQ(typicalRange(few.steps, few.judgement.range), few.judgement.range);
}

}  // namespace
}  // namespace overlane
