// Exporter: what the window writes for others: a report, on paper too, a picture of what is in sight, a part of the
// trace.
//
// Lives on the GUI thread, which never writes: one worker does, a file after another. Files are replaced as a whole
// or stay as they were. Parts are traces.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>

#include <QObject>

#include "app/session/analyzed_trace.h"
#include "app/session/background_worker.h"
#include "core/base/interval.h"

class QPrinter;

namespace overlane
{

class Exporter : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    // Of the range that the verdict is about: one page of HTML, or a PDF where the path ends in .pdf.
    void writeReport(const AnalyzedTrace& shown, const QString& path);
    // The same on paper. The printer is used on the worker and released here.
    void printReport(const AnalyzedTrace& shown, const std::shared_ptr<QPrinter>& printer);
    // Vectors in the colors of the window: SVG, or a PDF where the path ends in .pdf.
    void writePicture(const AnalyzedTrace& shown, Interval range, bool dark, const QString& path);
    // What touches the range, as an .overlane file that opens as the whole does.
    void writePart(const AnalyzedTrace& shown, Interval range, const QString& path);

    BackgroundWorker* worker() { return &m_worker; }

signals:
    void written(const QString& path, qint64 bytes);
    void printed(const QString& printer);
    void failed(const QString& sentence);

private:
    using Write = std::function<Result<void>(const std::string& path, Progress& progress)>;
    struct Job {
        QString title;  // of the work
        std::string path;
        Write write;
        std::function<void()> tell;  // that it is done
    };
    void run(const QString& path, Write write);
    void run(Job job);

    std::deque<Job> m_waiting;  // the worker would keep the last of them only
    BackgroundWorker m_worker;
};

}  // namespace overlane
