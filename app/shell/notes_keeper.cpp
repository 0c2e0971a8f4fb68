#include "app/shell/notes_keeper.h"

#include <algorithm>
#include <utility>

#include <QDateTime>

#include "app/session/document.h"

namespace overlane
{

namespace
{

// The shown trace, and how it is had again.
UnsavedNotes traceOf(const Document& document)
{
    UnsavedNotes notes;
    notes.title = document.title();
    notes.takeFile(document.origin() == Document::Origin::Recording ? document.recordingPath() : document.path());
    if (!document.trace() || document.isOpened())
        return notes;
    const TraceMetadata& metadata = document.trace()->metadata();
    notes.scenarioJson = QString::fromStdString(metadata.scenarioJson);
    if (const auto device = metadata.properties.find("device"); device != metadata.properties.end())
        notes.deviceKey = QString::fromStdString(device->second);
    return notes;
}

}  // namespace

NotesKeeper::NotesKeeper(Document* document, const QString& folder, QObject* parent)
    : QObject(parent), m_document(document), m_folder(folder), m_worker(std::make_unique<BackgroundWorker>())
{
    m_trace = traceOf(*document);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connect(&m_soon, &QTimer::timeout, this, &NotesKeeper::keep);
    connect(document, &Document::madeByHand, this, &NotesKeeper::change);
    connect(document, &Document::dirtyChanged, this, &NotesKeeper::change);
    const auto changeTrace = [this] {
        m_trace = traceOf(*m_document);
        change();
    };
    connect(document, &Document::traceChanged, this, changeTrace);
    connect(document, &Document::titleChanged, this, changeTrace);
}

NotesKeeper::~NotesKeeper()
{
    m_worker.reset();  // after what it does now; what waits is done here
    try {
        keep();
    } catch (...) {
        // The file has what was made until shortly before, and the next start offers it.
    }
}

void NotesKeeper::change()
{
    if (!m_document->dirty())
        keep();
    else if (!m_soon.isActive())
        m_soon.start();
}

UnsavedNotes NotesKeeper::present() const
{
    UnsavedNotes notes = m_trace;
    notes.notes = m_document->notes();
    notes.bookmarks = m_document->bookmarks();
    notes.folding = m_document->folding();
    notes.madeMs = QDateTime::currentMSecsSinceEpoch();
    return notes;
}

// The worker does the newest wish last, so that what is on the disk is what was wished last.
void NotesKeeper::keep()
{
    m_soon.stop();
    const bool wanted = m_document->dirty();
    if (!wanted && !m_file)
        return;
    if (!m_file) {
        auto made = UnsavedFile::make(m_folder);
        if (!made.ok()) {
            if (!std::exchange(m_told, true))
                emit failed(QString::fromStdString(made.error()));
            return;
        }
        m_file = std::move(made).value();
    }
    const auto work = [file = m_file, wanted, notes = present()]() -> Result<void> {
        if (wanted)
            return file->write(notes);
        file->remove();
        return {};
    };
    if (!m_worker) {  // the end
        (void)work();
        return;
    }
    m_worker->run(
        {}, [work](Progress&) { return work(); },
        [this](const Result<void>& done) {
            if (!done.ok()) {
                if (!std::exchange(m_told, true))
                    emit failed(QString::fromStdString(done.error()));
                return;
            }
            for (const auto& merged : std::exchange(m_merged, {}))
                merged->remove();
        },
        BackgroundWorker::Stale::Take);
}

std::shared_ptr<UnsavedFile> NotesKeeper::setAside()
{
    m_soon.stop();
    if (m_document->dirty() || m_file) {
        m_worker.reset();  // after what it does now; what waits is done here
        keep();
        m_worker = std::make_unique<BackgroundWorker>();
    }
    return std::exchange(m_file, {});
}

void NotesKeeper::look()
{
    for (auto& found : UnsavedFile::leftIn(m_folder))
        m_left.push_back(std::move(found));
}

std::unique_ptr<UnsavedFile> NotesKeeper::take(const UnsavedFile* file)
{
    const auto place = std::ranges::find(m_left, file, [](const auto& left) { return left.get(); });
    if (place == m_left.end())
        return nullptr;
    std::unique_ptr<UnsavedFile> taken = std::move(*place);
    m_left.erase(place);
    return taken;
}

void NotesKeeper::discard(const UnsavedFile* file)
{
    if (const auto taken = take(file))
        taken->remove();
}

void NotesKeeper::merge(const UnsavedFile* file)
{
    auto taken = take(file);
    if (taken && m_document->dirty())
        m_merged.push_back(std::move(taken));
    else if (taken)
        taken->remove();
    keep();
}

}  // namespace overlane
