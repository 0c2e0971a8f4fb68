// The files of Document: what is read and written, and the notes and bookmarks that come and go with it.
#include <utility>

#include <QFileInfo>

#include "app/session/document.h"
#include "app/session/file_bytes.h"
#include "app/widgets/text.h"
#include "core/io/format.h"
#include "core/io/overlane_format.h"
#include "core/io/overlane_on_disk.h"
#include "core/loader/settings.h"
#include "core/trace/made_by_hand.h"

namespace overlane
{

namespace
{

struct OpenedTrace {
    AnalyzedTrace trace;
    std::string settingsError;  // why the laboratory settings in the file cannot be used
};

// Saves what the window has. Of two saves in a row the second may not know yet what the first one joined in.
Result<OverlaneSaved> saveJoined(const Trace& trace, const std::string& path, MadeByHand hand, int joinsTaken,
                                 SavedState& state, Progress& progress)
{
    const MadeByHand shown = hand;
    if (joinsTaken < state.joins)
        hand = mergeMadeByHand(state.beforeJoin, hand, state.disk->hand);
    Result<OverlaneSaved> saved = writeOverlane(trace, path, progress, {hand, state.disk});
    if (!saved.ok())
        return saved;
    state.disk = saved.value().disk;
    if (saved.value().merged) {
        ++state.joins;
        state.beforeJoin = shown;
    }
    return saved;
}

// A file that the laboratory made brings its settings along.
Result<OpenedTrace> readWithSettings(const std::string& path, Progress& progress)
{
    const std::optional<FileStamp> stamp = stampOf(path);
    ASSIGN_OR_RETURN(Trace read, readTrace(path, progress));
    ASSIGN_OR_RETURN(AnalyzedTrace judged, analyzed(std::move(read), progress));
    OpenedTrace answer{std::move(judged), {}};
    const TraceMetadata& metadata = answer.trace.trace->metadata();
    if (stamp)
        answer.trace.saved->disk = OverlaneOnDisk{path, *stamp, madeByHand(metadata)};
    if (!metadata.isLaboratoryRun())
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
    emit madeByHand();
}

void Document::replaceNotes(const QString& notes)
{
    setNotes(notes);
    emit notesChanged();
}

void Document::setBookmarks(const QString& bookmarks)
{
    if (bookmarks == m_bookmarks)
        return;
    m_bookmarks = bookmarks;
    setDirty(true);
    emit madeByHand();
}

void Document::setFolding(const QString& folding)
{
    if (folding == m_folding)
        return;
    m_folding = folding;
    emit madeByHand();
}

bool Document::mustAsk(std::function<void()> goOn)
{
    if (!m_dirty || !isOpened() || !m_guard || (m_places != nullptr && m_places->keepsOpened()))
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
    m_files.run(
        u"Opening %1"_s.arg(QFileInfo(path).fileName()),
        [path](Progress& progress) { return readWithSettings(fileBytes(path), progress); },
        [this, request, path, keepNotes](Result<OpenedTrace> answer) {
            if (!answer.ok()) {
                fail(answer.failure());
                if (request == m_openRequest && m_simulationDropped && m_origin == Origin::Laboratory)
                    simulate();
                return;
            }
            if (request != m_request)
                return;
            OpenedTrace next = std::move(answer).value();
            const QString name = QFileInfo(path).fileName();
            next.trace.title = name;
            m_keepNotes = keepNotes;
            adopt(std::move(next.trace), Origin::File, path);
            m_keepNotes = false;
            takeSettings(name);
            emit opened(path);
            if (!next.settingsError.empty())
                emit failed(u"%1 is open, but the laboratory cannot take over the settings stored in it: %2"_s.arg(
                    name, QString::fromStdString(next.settingsError)));
        },
        BackgroundWorker::Stale::Take);
}

void Document::takeSettings(const QString& title)
{
    if (!m_current.made)
        return;
    m_takingSettings = true;
    m_laboratory.takeOver(*m_current.made, u"Settings of %1"_s.arg(title));
    m_takingSettings = false;
}

void Document::save(const QString& path)
{
    if (!m_current.trace)
        return;
    const MadeByHand shown{m_notes.toStdString(), m_bookmarks.toStdString(), m_folding.toStdString()};
    m_saver.run(
        u"Saving %1"_s.arg(QFileInfo(path).fileName()),
        [path, shown, trace = m_current.writable, state = m_current.saved,
         joinsTaken = m_current.joinsTaken](Progress& progress) {
            Result<OverlaneSaved> answer = saveJoined(*trace, fileBytes(path), shown, joinsTaken, *state, progress);
            if (answer.ok())
                trace->setNotes(answer.value().disk.hand.notes);
            return answer;
        },
        [this, path, shown, trace = m_current.writable, state = m_current.saved](const Result<OverlaneSaved>& answer) {
            if (!answer.ok())
                return fail(answer.failure());
            const auto& [disk, merged] = answer.value();
            if (trace == m_current.trace) {
                m_path = path;
                m_current.title = QFileInfo(path).fileName();
                m_current.joinsTaken = state->joins;
                emit titleChanged();
                takeSaved(shown, disk.hand);
            }
            emit saved(path);
            if (merged)
                emit remarked(
                    u"%1 had been saved by another program since it was opened. Its notes and bookmarks are joined "
                    "with yours."_s.arg(QFileInfo(path).fileName()));
        },
        BackgroundWorker::Stale::Take);
}

// `inFile` was saved from what was `shown`; what was typed since stays.
void Document::takeSaved(const MadeByHand& shown, const MadeByHand& inFile)
{
    m_savedNotes = QString::fromStdString(inFile.notes);
    m_savedBookmarks = QString::fromStdString(inFile.bookmarks);
    m_current.bookmarks = m_savedBookmarks;
    if (!(inFile == shown)) {
        const MadeByHand joined =
            mergeMadeByHand(shown, {m_notes.toStdString(), m_bookmarks.toStdString(), {}}, inFile);
        m_notes = QString::fromStdString(joined.notes);
        m_bookmarks = QString::fromStdString(joined.bookmarks);
        emit notesChanged();
    }
    setDirty(true);  // where it differs: undone while the file was written, too
}

}  // namespace overlane
