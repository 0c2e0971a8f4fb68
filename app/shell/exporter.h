// Exporter: what the window writes for others: a report, a picture of what is in sight, a part of the trace.
//
// Lives on the GUI thread, which never writes: one worker does, a file after another. Files are replaced as a whole
// or stay as they were. Parts are traces.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>

#include <QObject>

#include "app/session/analysed_trace.h"
#include "app/session/background_worker.h"
#include "core/base/interval.h"

namespace overlane
{

class Exporter : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    // One page of HTML, of the range that the verdict is about.
    void writeReport(const AnalysedTrace& shown, const QString& path);
    // SVG in the colors of the window.
    void writePicture(const AnalysedTrace& shown, Interval range, bool dark, const QString& path);
    // What touches the range, as an .overlane file that opens as the whole does.
    void writePart(const AnalysedTrace& shown, Interval range, const QString& path);

    BackgroundWorker* worker() { return &m_worker; }

signals:
    void written(const QString& path, qint64 bytes);
    void failed(const QString& sentence);

private:
    using Write = std::function<Result<void>(const std::string& path, Progress& progress)>;
    void run(const QString& path, Write write);

    std::deque<std::pair<QString, Write>> m_waiting;  // the worker would keep the last of them only
    BackgroundWorker m_worker;
};

}  // namespace overlane
