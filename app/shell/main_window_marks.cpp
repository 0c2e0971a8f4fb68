// What a person makes of the trace in MainWindow beside the notes: bookmarks, and which tracks are folded.
#include <QFileInfo>
#include <QTimer>

#include "app/session/recorder.h"
#include "app/shell/folding_memory.h"
#include "app/shell/main_window.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/timeline_view.h"

namespace overlane
{

void MainWindow::connectMarks()
{
    connect(m_timeline->bookmarks(), &Bookmarks::changed, this, [this] {
        if (!m_showingTrace)
            m_document.setBookmarks(m_timeline->bookmarks()->toText());
    });
    connect(&m_document, &Document::notesChanged, m_timeline->bookmarks(),
            [this] { m_timeline->bookmarks()->setText(m_document.bookmarks()); });
    m_timeline->bookmarks()->setUndoStack(m_document.laboratory()->undoStack());
    connect(m_timeline, &TimelineView::foldingChanged, this, [this] {
        m_document.setFolding(m_timeline->folding());
        if (m_remember && m_document.origin() == Document::Origin::File)
            FoldingMemory().keep(m_document.path(), m_timeline->folding());
    });
    m_document.setGuard([this](std::function<void()> run) {
        if (m_asking)
            return;
        m_asking = true;
        QTimer::singleShot(0, this, [this, run = std::move(run)] { askBeforeRun(run); });
    });
}

// What was done last counts: in this session, else in an earlier one, else what the file says.
QString MainWindow::foldingToShow(const QString& file) const
{
    if (const auto known = m_foldings.find(file); known != m_foldings.end())
        return known->second;
    if (m_remember && m_document.origin() == Document::Origin::File)
        if (QString kept = FoldingMemory().of(file); !kept.isEmpty())
            return kept;
    return m_document.folding();
}

void MainWindow::showMarks()
{
    m_timeline->bookmarks()->setText(m_document.bookmarks());
    // The runs of the laboratory share their folding; a recording hands its own on to its file.
    QString shown;
    if (m_document.origin() == Document::Origin::File)
        shown = QFileInfo(m_document.path()).canonicalFilePath();
    else if (m_document.origin() == Document::Origin::Recording)
        shown = QFileInfo(m_recorder->file()).canonicalFilePath();
    if (shown != m_foldingOf) {
        m_timeline->bookmarks()->forgetChanges();
        m_foldings[m_foldingOf] = m_timeline->folding();
        m_foldingOf = shown;
        m_timeline->setFolding(foldingToShow(shown));
    }
    m_document.setFolding(m_timeline->folding());
}

}  // namespace overlane
