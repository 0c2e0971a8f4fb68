// The files of MainWindow: what is opened, saved, dropped and remembered, and what is asked first.
#include <filesystem>

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QSettings>
#include <QStatusBar>
#include <QTimer>

#include "app/session/file_bytes.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/laboratory_room.h"
#include "app/shell/lent_height.h"
#include "app/shell/main_window.h"
#include "app/shell/picture_file.h"
#include "app/shell/recent_files.h"
#include "app/shell/samples.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/text.h"
#include "core/io/format.h"

namespace overlane
{

namespace
{

// What of a drop can be opened.
QStringList localFiles(const QMimeData& data)
{
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    return paths;
}

// Beside the trace that was opened, as what it will be.
QString nameToSave(const Document& document)
{
    const QFileInfo file(document.path());
    if (document.path().isEmpty())
        return QStringLiteral("run.overlane");
    return file.dir().filePath(file.fileName().section('.', 0, 0) + QStringLiteral(".overlane"));
}

}  // namespace

QString MainWindow::traceFilters()
{
    QStringList patterns;
    QStringList filters;
    for (const TraceFormat* format : allFormats()) {
        QStringList own;
        for (const std::string_view extension : format->extensions())
            own << QStringLiteral("*") + text(extension);
        patterns += own;
        filters << QStringLiteral("%1 (%2)").arg(text(format->description()), own.join(' '));
    }
    patterns.removeDuplicates();
    filters.prepend(tr("All traces (%1)").arg(patterns.join(' ')));
    filters << tr("All files (*)");
    return filters.join(";;");
}

void MainWindow::askToOpen()
{
    const QString path = m_chooser.toOpen(this, tr("Open a trace"), {}, traceFilters());
    if (!path.isEmpty())
        openFile(path);
}

bool MainWindow::save()
{
    if (m_document.path().endsWith(QStringLiteral(".overlane")) && !isSample(m_document.path())) {
        m_document.save(m_document.path());
        return true;
    }
    return saveAs();
}

bool MainWindow::saveAs()
{
    if (!m_document.trace())
        return false;
    QString path =
        m_chooser.toSave(this, tr("Save the trace"), nameToSave(m_document), tr("Overlane traces (*.overlane)"));
    if (path.isEmpty())
        return false;
    if (!path.endsWith(QStringLiteral(".overlane")))
        path += QStringLiteral(".overlane");
    m_document.save(path);
    return true;
}

void MainWindow::keepNotesThen(std::function<void()> next)
{
    if (!m_document.dirty()) {
        next();
        return;
    }
    const auto answer = QMessageBox::question(
        this, tr("Unsaved notes"), tr("Your notes and bookmarks on this trace are not saved. Save them first?"),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    if (answer == QMessageBox::Discard)
        next();
    if (answer != QMessageBox::Save)
        return;
    if (save())
        onceSaved(std::move(next));
}

// Not in the middle of a drag: a question would take the release of the button from the slider.
void MainWindow::askBeforeRun(std::function<void()> run)
{
    if (QApplication::mouseButtons() != Qt::NoButton) {
        constexpr int kAgainMs = 30;
        QTimer::singleShot(kAgainMs, this, [this, run = std::move(run)] { askBeforeRun(run); });
        return;
    }
    keepNotesThen([this, run = std::move(run)] {
        m_document.giveUpNotes();
        run();
    });
    m_asking = false;
}

void MainWindow::onceSaved(std::function<void()> next)
{
    // Where writing fails or is cancelled, everything stays as it is.
    auto* wait = new QObject(this);
    connect(&m_document, &Document::saved, wait, std::move(next));
    connect(m_document.saver(), &BackgroundWorker::busyChanged, wait, [wait](bool busy) {
        if (!busy)
            delete wait;
    });
}

void MainWindow::openFile(const QString& path)
{
    keepNotesThen([this, path] { m_document.open(path); });
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_document.saver()->busy()) {
        event->ignore();
        statusBar()->showMessage(tr("The window closes once the file is written."));
        onceSaved([this] { QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection); });
        return;
    }
    if (!mayLeaveRecording()) {
        event->ignore();
        return;
    }
    if (m_document.dirty() && !m_closing) {
        event->ignore();
        keepNotesThen([this] {
            m_document.giveUpNotes();
            m_closing = true;
            QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
        });
        return;
    }
    if (m_remember) {
        m_lentHeight->takeBack();
        m_laboratoryRoom->leaveLayout();
        QSettings settings;
        settings.setValue("geometry", saveGeometry());
        settings.setValue("layout", saveState(kLayoutVersion));
    }
    event->accept();
}

void MainWindow::openRecent(const QString& path)
{
    if (std::error_code error; !std::filesystem::exists(fileBytes(path), error)) {
        RecentFiles().remove(path);
        m_message->showError(tr("%1 is no longer there; it was taken off the list of recent files.").arg(path));
        return;
    }
    openFile(path);
}

void MainWindow::exportPicture()
{
    const QPixmap picture = grab();
    QString path =
        m_chooser.toSave(this, tr("Export a picture"), QStringLiteral("overlane.png"), tr("Pictures (*.png)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".png");
    if (const Result<void> written = writePicture(picture, path); written.ok())
        sayOfTrace(tr("Wrote %1").arg(path));
    else
        m_message->showError(text(written.error()));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!localFiles(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QStringList paths = localFiles(*event->mimeData());
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    if (paths.size() > 2)
        statusBar()->showMessage(tr("Compared the first two of %1 files.").arg(paths.size()), kMessageMs);
    keepNotesThen([this, paths] {
        m_document.open(paths.front());
        if (paths.size() > 1)
            compareWith(paths[1]);
    });
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    const bool drag = event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove;
    if (drag || event->type() == QEvent::Drop) {
        auto* drop = static_cast<QDropEvent*>(event);
        if (!localFiles(*drop->mimeData()).isEmpty()) {
            if (event->type() == QEvent::Drop)
                dropEvent(drop);
            else
                drop->acceptProposedAction();
            return true;
        }
    }
    if (watched == this && event->type() == QEvent::Paint) {
        removeEventFilter(this);
        QTimer::singleShot(0, this, [this] {
            // While its parts were laid out for the first time the window may have grown.
            if (!isMaximized() && !isFullScreen())
                resize(size().boundedTo(roomOnScreen()));
        });
    }
    return QMainWindow::eventFilter(watched, event);
}

}  // namespace overlane
