// What a person makes of the trace in MainWindow beside the notes: bookmarks, and which tracks are folded.
#include <QFileInfo>
#include <QTimer>

#include "app/timeline/bookmarks.h"
#include "app/timeline/timeline_view.h"
#include "app/ui/main_window.h"
#include "app/ui/recorder.h"

namespace overlane
{

void MainWindow::connectMarks()
{
    connect(m_timeline->bookmarks(), &Bookmarks::changed, this, [this] {
        if (!m_showingTrace)
            m_document.setBookmarks(m_timeline->bookmarks()->toText());
    });
    connect(m_timeline, &TimelineView::foldingChanged, this, [this] { m_document.setFolding(m_timeline->folding()); });
    m_document.setGuard([this](std::function<void()> run) {
        if (m_asking)
            return;
        m_asking = true;
        QTimer::singleShot(0, this, [this, run = std::move(run)] { askBeforeRun(run); });
    });
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
        m_foldings[m_foldingOf] = m_timeline->folding();
        m_foldingOf = shown;
        const auto known = m_foldings.find(shown);
        m_timeline->setFolding(known != m_foldings.end() ? known->second : m_document.folding());
    }
    m_document.setFolding(m_timeline->folding());
}

}  // namespace overlane
