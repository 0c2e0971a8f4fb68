#include "app/shell/exporter.h"

#include <fmt/format.h>
#include <utility>

#include <QFileInfo>
#include <QPrinter>

#include "app/session/file_bytes.h"
#include "app/shell/report_paper.h"
#include "app/shell/svg_drawing.h"
#include "app/widgets/text.h"
#include "core/base/text_file.h"
#include "core/base/work_meter.h"
#include "core/io/format.h"
#include "core/report/html_report.h"
#include "core/report/timeline_picture.h"
#include "core/trace/trace_slice.h"

namespace overlane
{

namespace
{

bool isPdf(const QString& path)
{
    return path.endsWith(u".pdf"_s, Qt::CaseInsensitive);
}

Result<std::string> reportOf(const AnalyzedTrace& shown, Progress& progress)
{
    ASSIGN_OR_RETURN(const Judgement judgement, attempt("judge the trace", &progress, [&](const WorkMeter& work) {
                         return judge({*shown.trace, *shown.analysis, shown.steps.steps}, {}, work);
                     }));
    ReportInput input;
    input.trace = shown.trace.get();
    input.analysis = shown.analysis.get();
    input.steps = &shown.steps;
    input.judgement = &judgement;
    input.name = shown.title.toStdString();
    input.version = OVERLANE_VERSION;
    std::string page = htmlReport(input);
    return progress.cancelled() ? Result<std::string>(Error::cancelled()) : Result<std::string>(std::move(page));
}

}  // namespace

void Exporter::run(const QString& path, Write write)
{
    run({u"Writing %1"_s.arg(QFileInfo(path).fileName()), fileBytes(path), std::move(write),
         [this, path] { emit written(path, QFileInfo(path).size()); }});
}

void Exporter::run(Job job)
{
    if (m_worker.busy()) {
        m_waiting.push_back(std::move(job));
        return;
    }
    m_worker.run(
        job.title,
        [path = std::move(job.path), write = std::move(job.write)](Progress& progress) {
            return write(path, progress);
        },
        [this, tell = std::move(job.tell)](const Result<void>& answer) {
            if (answer.ok())
                tell();
            else if (!answer.isCancelled())
                emit failed(text(answer.error()));
            if (m_waiting.empty())
                return;
            Job next = std::move(m_waiting.front());
            m_waiting.pop_front();
            run(std::move(next));
        },
        BackgroundWorker::Stale::Take);
}

void Exporter::writeReport(const AnalyzedTrace& shown, const QString& path)
{
    run(path, [shown, pdf = isPdf(path)](const std::string& file, Progress& progress) -> Result<void> {
        ASSIGN_OR_RETURN(const std::string page, reportOf(shown, progress));
        return pdf ? writeReportAsPdf(page, shown.title, file) : writeTextFile(file, page);
    });
}

void Exporter::printReport(const AnalyzedTrace& shown, const std::shared_ptr<QPrinter>& printer)
{
    const QString name = printer->outputFileName().isEmpty() ? printer->printerName() : printer->outputFileName();
    run({u"Printing the report"_s,
         {},
         [shown, printer](const std::string&, Progress& progress) -> Result<void> {
             ASSIGN_OR_RETURN(const std::string page, reportOf(shown, progress));
             drawReport(page, shown.title, *printer);
             return printer->printerState() == QPrinter::Error
                        ? Result<void>(Error{"The report was not printed; check the printer and its queue."})
                        : Result<void>();
         },
         [this, name] { emit printed(name); }});
}

void Exporter::writePicture(const AnalyzedTrace& shown, Interval range, bool dark, const QString& path)
{
    run(path, [shown, range, dark, pdf = isPdf(path)](const std::string& file, Progress& progress) -> Result<void> {
        const std::string caption = fmt::format("{}, {} to {}", shown.title.toStdString(),
                                                formatDuration(range.startNs), formatDuration(range.endNs));
        PictureRequest request;
        request.range = range;
        request.dark = dark;
        request.caption = caption;
        ASSIGN_OR_RETURN(const std::string picture,
                         timelinePicture(shown.pyramids->events, *shown.analysis, shown.steps.steps, request));
        if (progress.cancelled())
            return Error::cancelled();
        return pdf ? writeSvgAsPdf(QByteArray::fromStdString(picture), text(caption), file)
                   : writeTextFile(file, picture);
    });
}

void Exporter::writePart(const AnalyzedTrace& shown, Interval range, const QString& path)
{
    run(path, [shown, range](const std::string& file, Progress& progress) -> Result<void> {
        TraceMetadata metadata = shown.trace->metadata();
        metadata.sourceEvents = 0;  // of the whole
        metadata.properties["part"] =
            fmt::format("{} to {} of {}", formatDuration(range.startNs), formatDuration(range.endNs),
                        formatDuration(shown.trace->span().lengthNs()));
        const Trace part = sliceTrace(*shown.trace, range, std::move(metadata));
        if (part.eventCount() == 0)
            return Error{fmt::format("There is no event from {} to {} to write; show or select another range.",
                                     formatDuration(range.startNs), formatDuration(range.endNs))};
        return writeTrace(part, file, progress);
    });
}

}  // namespace overlane
