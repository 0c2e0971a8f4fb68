// The sections of the report, each a piece of HTML; empty where the trace has nothing to say there.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lod/pyramid.h"
#include "core/report/html_report.h"

namespace overlane
{

std::string qualitySection(const Trace& trace);
std::string verdictSection(const ReportInput& input);
std::string timelineSection(const ReportInput& input, const Pyramid& pyramid);
std::string timeSection(const ReportInput& input);
std::string findingsSection(const ReportInput& input);
std::string stepsSection(const StepSequence& steps);
std::string comparisonSection(const ReportInput& input);
std::string copiesSection(const ReportInput& input);
std::string kernelsSection(const ReportInput& input);
std::string factsSection(const ReportInput& input);
std::string readingSection();

// The looks of the bars that a drawing of a trace may show, with what they mean.
std::string timelineLegend(const std::vector<const Trace*>& traces);

std::string htmlSection(std::string_view id, std::string_view title, std::string_view body,
                        std::string_view cssClass = {});

}  // namespace overlane
