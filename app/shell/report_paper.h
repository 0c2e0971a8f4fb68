// ReportPaper: the page of the report (core/report/html_report.h) on A4, for a PDF file or a printer.
//
// Any thread, one at a time. Words and figures are those of the page; drawings are vectors. Links lead nowhere on
// paper and are left out.
#pragma once

#include <string>

#include <QString>

#include "core/base/result.h"

class QPagedPaintDevice;

namespace overlane
{

// `title` stands below each page. The page size and margins are the device's.
void drawReport(const std::string& page, const QString& title, QPagedPaintDevice& paper);
// The Error names the file, which is replaced as a whole or stays as it was.
Result<void> writeReportAsPdf(const std::string& page, const QString& title, const std::string& path);

}  // namespace overlane
