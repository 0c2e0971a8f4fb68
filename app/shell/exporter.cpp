#include "app/shell/exporter.h"

#include <fmt/format.h>
#include <utility>

#include <QFileInfo>

#include "app/session/file_bytes.h"
#include "app/widgets/text.h"
#include "core/base/text_file.h"
#include "core/base/work_meter.h"
#include "core/io/format.h"
#include "core/report/html_report.h"
#include "core/report/timeline_picture.h"
#include "core/trace/trace_slice.h"

namespace overlane
{

void Exporter::run(const QString& path, Write write)
{
    if (m_worker.busy()) {
        m_waiting.emplace_back(path, std::move(write));
        return;
    }
    m_worker.run(
        u"Writing %1"_s.arg(QFileInfo(path).fileName()),
        [path, write = std::move(write)](Progress& progress) { return write(fileBytes(path), progress); },
        [this, path](const Result<void>& answer) {
            if (answer.ok())
                emit written(path, QFileInfo(path).size());
            else if (!answer.isCancelled())
                emit failed(text(answer.error()));
            if (m_waiting.empty())
                return;
            auto [next, job] = std::move(m_waiting.front());
            m_waiting.pop_front();
            run(next, std::move(job));
        },
        BackgroundWorker::Stale::Take);
}

void Exporter::writeReport(const AnalysedTrace& shown, const QString& path)
{
    run(path, [shown](const std::string& file, Progress& progress) -> Result<void> {
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
        const std::string page = htmlReport(input);
        return progress.cancelled() ? Result<void>(Error::cancelled()) : writeTextFile(file, page);
    });
}

void Exporter::writePicture(const AnalysedTrace& shown, Interval range, bool dark, const QString& path)
{
    run(path, [shown, range, dark](const std::string& file, Progress& progress) {
        const std::string caption = fmt::format("{}, {} to {}", shown.title.toStdString(),
                                                formatDuration(range.startNs), formatDuration(range.endNs));
        const std::string picture =
            timelinePicture(shown.pyramids->events, *shown.analysis, shown.steps.steps, range, dark, caption);
        return progress.cancelled() ? Result<void>(Error::cancelled()) : writeTextFile(file, picture);
    });
}

void Exporter::writePart(const AnalysedTrace& shown, Interval range, const QString& path)
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
