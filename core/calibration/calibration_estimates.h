// Parts of the rules that make figures of measured series, and those rules that are about the host.
//
// Pure functions, any thread; internal to calibration_figures.cpp and calibration_host_figures.cpp. Nothing where
// the series are missing.
#pragma once

#include <optional>
#include <string>

#include "core/calibration/calibration_figures.h"

namespace overlane::estimates
{

using Estimate = std::optional<FigureEstimate>;
using Record = CalibrationRecord;

FigureSpread spreadOf(const SampleStatistics& s, double factor = 1);
// Bytes per second of a series of times; the slowest tenth is the lower end.
Estimate rate(const MeasuredSeries* series, std::string how, double bytesFactor = 1);
Estimate time(const MeasuredSeries* series, std::string how, double factor = 1);
// Without a spread; nothing for 0.
Estimate fact(std::int64_t value, std::string how);
Estimate rateOfLargest(const Record& record, const char* variant, const char* words);

Estimate memcpyAlone(const Record& record);
Estimate memcpyWarm(const Record& record);
Estimate hostWrite(const Record& record);
Estimate freshPages(const Record& record);
Estimate hostMemory(const Record& record);
Estimate handOver(const Record& record);
Estimate remoteMemory(const Record& record);
Estimate remoteDma(const Record& record);
Estimate deviceMemoryBytes(const Record& record);
Estimate cores(const Record& record);
Estimate nodes(const Record& record);
Estimate ram(const Record& record);
Estimate usedRam(const Record& record);
Estimate swap(const Record& record);

}  // namespace overlane::estimates
