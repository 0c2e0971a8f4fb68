// The files of Document: what is read and written, and the notes and bookmarks that come and go with it.
#include <utility>

#include <QFileInfo>

#include "app/ui/document.h"
#include "core/io/format.h"
#include "core/io/native_format.h"
#include "core/loader/settings.h"
#include "core/trace/made_by_hand.h"

namespace overlane
{

namespace
{

struct OpenedTrace {
    AnalysedTrace trace;
    std::string settingsError;  // why the laboratory settings in the file cannot be used
};

// A file that the laboratory made brings its settings along.
Result<OpenedTrace> readWithSettings(const std::string& path, Progress& progress)
{
    Result<Trace> read = readTrace(path, progress);
    if (!read.ok())
        return Error{read.error()};
    OpenedTrace answer{analysed(std::move(read).value()), {}};
    const TraceMetadata& metadata = answer.trace.trace->metadata();
    if (metadata.scenarioJson.empty())
        return answer;
    const Result<Scenario> scenario = scenarioFromJson(metadata.scenarioJson);
    if (!scenario.ok()) {
        answer.settingsError = scenario.error();
        return answer;
    }
    const auto device = metadata.properties.find("device");
    answer.trace.partial = metadata.properties.contains(kStoppedProperty);
    answer.trace.made =
        Laboratory::State{scenario.value(), {}, device != metadata.properties.end() ? device->second : std::string()};
    return answer;
}

}  // namespace

void Document::setNotes(const QString& notes)
{
    if (notes == m_notes)
        return;
    m_notes = notes;
    setDirty(true);
}

void Document::setBookmarks(const QString& bookmarks)
{
    if (bookmarks == m_bookmarks)
        return;
    m_bookmarks = bookmarks;
    setDirty(true);
}

bool Document::mustAsk(std::function<void()> goOn)
{
    if (!m_dirty || m_origin != Origin::File || !m_guard)
        return false;
    m_guard(std::move(goOn));
    return true;
}

void Document::open(const QString& path)
{
    read(path, false);
}

void Document::openWithNotes(const QString& path)
{
    read(path, true);
}

void Document::read(const QString& path, bool keepNotes)
{
    const std::uint64_t request = ++m_request;
    m_openRequest = request;
    m_simulationDropped = false;
    m_files.cancel();
    m_files.post(tr("Opening %1").arg(QFileInfo(path).fileName()),
                 [this, request, path, keepNotes](Progress& progress) -> BackgroundWorker::Continuation {
                     auto answer =
                         std::make_shared<Result<OpenedTrace>>(readWithSettings(path.toStdString(), progress));
                     return [this, request, path, keepNotes, answer] {
                         if (!answer->ok()) {
                             fail(answer->error());
                             if (request == m_openRequest && m_simulationDropped && m_origin == Origin::Laboratory)
                                 simulate();
                             return;
                         }
                         if (request != m_request)
                             return;
                         OpenedTrace next = std::move(*answer).value();
                         const QString name = QFileInfo(path).fileName();
                         next.trace.title = name;
                         m_keepNotes = keepNotes;
                         adopt(std::move(next.trace), Origin::File, path);
                         m_keepNotes = false;
                         takeSettings(name);
                         emit opened(path);
                         if (!next.settingsError.empty())
                             emit failed(tr("%1 is open, but the laboratory cannot take over the settings stored in "
                                            "it: %2")
                                             .arg(name, QString::fromStdString(next.settingsError)));
                     };
                 });
}

void Document::takeSettings(const QString& title)
{
    if (!m_current.made)
        return;
    m_takingSettings = true;
    m_laboratory.takeOver(*m_current.made, tr("Settings of %1").arg(title));
    m_takingSettings = false;
}

void Document::save(const QString& path)
{
    if (!m_current.trace)
        return;
    m_saver.post(tr("Saving %1").arg(QFileInfo(path).fileName()),
                 [this, path, trace = m_current.writable, notes = m_notes, bookmarks = m_bookmarks,
                  folding = m_folding](Progress& progress) -> BackgroundWorker::Continuation {
                     trace->setNotes(notes.toStdString());
                     const auto answer = std::make_shared<Result<void>>(writeNative(
                         *trace, path.toStdString(), progress,
                         {{kBookmarksProperty, bookmarks.toStdString()}, {kFoldingProperty, folding.toStdString()}}));
                     return [this, path, trace, notes, bookmarks, answer] {
                         if (!answer->ok()) {
                             fail(answer->error());
                             return;
                         }
                         if (trace == m_current.trace) {
                             m_path = path;
                             m_current.bookmarks = bookmarks;
                             if (notes == m_notes && bookmarks == m_bookmarks)
                                 setDirty(false);
                         }
                         emit saved(path);
                     };
                 });
}

}  // namespace overlane
