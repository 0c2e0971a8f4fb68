// Recording from MainWindow: the dialog, the line above the timeline, and what becomes of the trace.
#include <QFileInfo>
#include <QMessageBox>

#include "app/recording/record_bar.h"
#include "app/recording/record_dialog.h"
#include "app/session/recorder.h"
#include "app/shell/main_window.h"
#include "app/widgets/text.h"

namespace overlane
{

void MainWindow::makeRecorder()
{
    connect(m_recorder, &Recorder::started, this, [this] {
        // Unsaved notes keep their trace until the end.
        if (!m_document.dirty())
            m_document.beginFollowing(QFileInfo(m_recorder->file()).fileName());
    });
    connect(m_recorder, &Recorder::grown, this, [this] { m_document.follow(m_recorder->file()); });
    connect(m_recorder, &Recorder::finished, this, [this](const RecorderOutcome& outcome) {
        const bool complete = outcome.error.isEmpty();
        // Whoever looks at another trace by now is not pulled away from it.
        const bool opens = complete && m_document.following();
        m_recordBar->offerToOpen(complete && !opens);
        if (opens && m_document.dirty() && m_document.origin() == Document::Origin::Recording)
            m_document.openWithNotes(outcome.file);
        else if (opens && m_document.origin() == Document::Origin::Recording)
            readAgain(outcome.file);
        else if (opens)
            openFile(outcome.file);
    });
    connect(m_recordBar, &RecordBar::openRequested, this, [this](const QString& file) {
        m_recordBar->offerToOpen(false);
        openFile(file);
    });
}

RecordDialog* MainWindow::askToRecord()
{
    auto* dialog = new RecordDialog(m_recorder, m_remember, m_chooser, m_recordLibrary, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->follow(m_document.gpuRuns());
    dialog->open();
    return dialog;
}

bool MainWindow::mayLeaveRecording()
{
    if (!m_recorder->recording())
        return true;
    const auto answer = QMessageBox::question(
        this, u"Recording"_s,
        m_recorder->host().isEmpty()
            ? u"A program is being recorded. Close the window all the same? The trace is kept as it is by then, and "
              "the program continues, unrecorded."_s
            : u"A program is being recorded on %1. Close the window all the same? The program is recorded there to "
              "its end, and its trace stays there: overlane record --host %1 --fetch %2 brings it."_s.arg(
                  m_recorder->host(), m_recorder->there().folder()),
        QMessageBox::Close | QMessageBox::Cancel, QMessageBox::Cancel);
    return answer == QMessageBox::Close;
}

}  // namespace overlane
