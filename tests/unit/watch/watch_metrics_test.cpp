#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "core/watch/metric_files.h"
#include "core/watch/otlp_json.h"
#include "core/watch/prometheus_text.h"
#include "tests/support/golden.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

WindowFigures window()
{
    WindowFigures figures;
    figures.number = 7;
    figures.endUnixNs = 1'795'773'912'500'000'000;
    figures.rangeNs = 231'000'000;
    figures.steps = 10;
    figures.stepNs = 23'100'000;
    GpuFigures gpu;
    gpu.kernels = 0.71;
    gpu.idle = 0.21;
    gpu.overlap = 0.82;
    gpu.exposedCopies = 0.031;
    gpu.exposedCommunication = 0.0123456789012;
    gpu.exposedCopiesNs = 716'100;
    gpu.toDeviceBytes = 50'331'648;
    gpu.losses = {{LostCause::Batches, 0.15}, {LostCause::Copies, 0.031}};
    figures.gpus.push_back(gpu);
    gpu.id = 1;
    gpu.overlap = {};
    gpu.losses.clear();
    figures.gpus.push_back(gpu);
    return figures;
}

WindowChange change()
{
    return {22'000'000, 0.05, Claim::Higher};
}

WatchedProgram program()
{
    return {"train \"big\"\\ \xC3\xA9\xFF", "3", "node7", "1.0"};
}

std::vector<Metric> metrics()
{
    return watchMetrics(window(), change(), {7, 1});
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

// The rules that Prometheus and OpenMetrics share; empty where they hold.
std::string brokenRule(const std::string& text)
{
    static const std::regex sample(
        R"re(([a-z][a-z0-9_]*)\{(([a-z_]+)="((\\["\\n]|[^"\\\n])*)"(,|(?=\})))+\} -?[0-9.]+(e[+-][0-9]+)?)re");
    std::set<std::string> families, series;
    std::string family;
    for (const std::string& line : linesOf(text)) {
        if (line.starts_with("# HELP ")) {
            family = line.substr(7, line.find(' ', 7) - 7);
            if (!families.insert(family).second)
                return "twice: " + family;
        } else if (line.starts_with("# TYPE ")) {
            if (line != "# TYPE " + family + " gauge")
                return line;
        } else if (line.starts_with("# UNIT ")) {
            const std::string unit = line.substr(line.rfind(' ') + 1);
            if (line != "# UNIT " + family + " " + unit || !family.ends_with("_" + unit))
                return line;
        } else if (line != "# EOF") {
            std::smatch match;
            if (!std::regex_match(line, match, sample) || match[1] != family ||
                !series.insert(line.substr(0, line.rfind(' '))).second)
                return line;
        }
    }
    return text.ends_with("\n# EOF\n") && !series.empty() ? "" : "no end";
}

TEST(WatchMetrics, ArePrometheusText)
{
    const std::string text = prometheusText(metrics(), program().labels());
    EXPECT_EQ(brokenRule(text), "");
    test::expectGolden("watch/metrics.prom", text);
}

// With the reader of Prometheus' own client, where it is installed.
TEST(WatchMetrics, AreReadByPrometheusClient)
{
    const test::TempDir dir;
    const std::string file = dir.path("watch.prom");
    ASSERT_TRUE(writeMetricFile(file, prometheusText(metrics(), program().labels())).ok());
    if (std::system("python3 -c 'import prometheus_client' > /dev/null 2>&1") != 0)
        GTEST_SKIP() << "no prometheus_client here";
    const std::string script = dir.path("read.py");
    ASSERT_TRUE(writeMetricFile(script, R"(import sys
from prometheus_client import parser
from prometheus_client.openmetrics import parser as openmetrics
text = open(sys.argv[1], encoding="utf-8").read()
both = [list(one.text_string_to_metric_families(text)) for one in (parser, openmetrics)]
for families in both:
    assert all(family.type == "gauge" and family.documentation for family in families), families
assert [f.samples for f in both[0]] == [f.samples for f in both[1]]
step = [s for f in both[1] for s in f.samples if s.name == "overlane_step_seconds"]
assert len(step) == 1 and step[0].value == 0.0231 and step[0].labels["rank"] == "3", step
)")
                    .ok());
    EXPECT_EQ(std::system(("python3 " + script + " " + file).c_str()), 0);
}

TEST(WatchMetrics, AreOtlp)
{
    const std::string line = otlpLine(metrics(), program(), window().endUnixNs);
    ASSERT_TRUE(line.ends_with("}\n"));
    EXPECT_EQ(linesOf(line).size(), 1u);
    test::expectGolden("watch/otlp.json", nlohmann::ordered_json::parse(line).dump(1) + "\n");
}

TEST(WatchMetrics, WhatAWindowDoesNotHaveIsLeftOut)
{
    WindowFigures empty;
    EXPECT_EQ(watchMetrics(empty, {}, {0, 1}).size(), 2u) << "the counts of windows";
    empty.number = 2;
    const std::string text = prometheusText(watchMetrics(empty, {}, {1, 1}), program().labels());
    EXPECT_EQ(brokenRule(text), "");
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("overlane_step")));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("_ratio")));
}

// The page and the rules for alerts name what is written, and the page all of it.
TEST(WatchMetrics, AreThoseOfTheDocuments)
{
    const auto named = [](const std::string& text) {
        static const std::regex name("overlane_[a-z_]+");
        std::set<std::string> names;
        for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at)
            names.insert(at->str());
        return names;
    };
    std::set<std::string> written;
    for (const Metric& metric : metrics())
        written.insert(std::string(metric.name));
    EXPECT_EQ(named(test::readFile(OVERLANE_SOURCE_DIR "/docs/watch.md")), written);
    const auto ruled = named(test::readFile(OVERLANE_SOURCE_DIR "/docs/watch-rules.yml"));
    EXPECT_GE(ruled.size(), 4u);
    EXPECT_TRUE(std::includes(written.begin(), written.end(), ruled.begin(), ruled.end()));
}

TEST(WatchMetrics, AFileIsReplacedAsAWholeAndReadableByOthers)
{
    const test::TempDir dir;
    const std::string file = dir.path("watch.prom");
    ASSERT_TRUE(writeMetricFile(file, "one\n").ok());
    ASSERT_TRUE(writeMetricFile(file, "two\n").ok());
    EXPECT_EQ(test::readFile(file), "two\n");
    EXPECT_EQ(std::filesystem::status(file).permissions() & std::filesystem::perms::others_read,
              std::filesystem::perms::others_read);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), std::filesystem::directory_iterator()), 1);
    EXPECT_FALSE(writeMetricFile(dir.path("none/watch.prom"), "x").ok());
}

TEST(WatchMetrics, LinesMakeRoomForThoseThatCome)
{
    const test::TempDir dir;
    const std::string file = dir.path("watch.jsonl");
    for (const char* line : {"1234\n", "5678\n", "90\n"})
        ASSERT_TRUE(appendMetricLine(file, line, 11).ok());
    EXPECT_EQ(test::readFile(file), "90\n");
    EXPECT_EQ(test::readFile(file + ".1"), "1234\n5678\n");
    EXPECT_FALSE(appendMetricLine(dir.path("none/watch.jsonl"), "x").ok());
}

}  // namespace
}  // namespace overlane
