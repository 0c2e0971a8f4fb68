// The files of MainWindow: what is opened, saved, dropped and remembered, and what is asked first.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPrintDialog>
#include <QPrinter>
#include <QSettings>
#include <QStatusBar>
#include <QTimer>

#include "app/session/file_bytes.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/drop_target.h"
#include "app/shell/exporter.h"
#include "app/shell/laboratory_dock.h"
#include "app/shell/lent_height.h"
#include "app/shell/main_window.h"
#include "app/shell/picture_file.h"
#include "app/shell/recent_files.h"
#include "app/shell/samples.h"
#include "app/shell/trace_tabs.h"
#include "app/theme/palette.h"
#include "app/widgets/data_table.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/text.h"
#include "app/widgets/trace_folder.h"
#include "core/base/read_only.h"
#include "core/fleet/fleet_file.h"
#include "core/io/format.h"

namespace overlane
{

namespace
{

constexpr QFileDevice::Permissions kAnyoneWrites =
    QFileDevice::WriteOwner | QFileDevice::WriteGroup | QFileDevice::WriteOther;

// What of a drop can be opened.
QStringList localFiles(const QMimeData& data)
{
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    return paths;
}

bool hasFolder(const QStringList& paths)
{
    return std::any_of(paths.begin(), paths.end(), [](const QString& path) { return QFileInfo(path).isDir(); });
}

bool isFleet(const QString& path)
{
    return fleetFile(fileBytes(path)).has_value();
}

DropTarget::Kind kindOf(const QStringList& paths)
{
    if (paths.size() == 1 && isFleet(paths.front()))
        return DropTarget::Kind::Fleet;
    return hasFolder(paths) ? DropTarget::Kind::Job : DropTarget::Kind::Traces;
}

// Beside the trace that was opened, as what it will be.
QString nameToSave(const Document& document)
{
    const QFileInfo file(document.path());
    if (document.path().isEmpty())
        return u"run.overlane"_s;
    return file.dir().filePath(file.fileName().section('.', 0, 0) + u".overlane"_s);
}

// A file that may not be replaced gets a copy, in the same folder where one may write there.
QString nameOfCopy(const QString& path)
{
    const QFileInfo file(path);
    const QString name = file.completeBaseName() + u"_copy.overlane"_s;
    const QFileInfo folder(file.absolutePath());
    const bool writable = folder.isWritable() && (folder.permissions() & kAnyoneWrites);
    return (writable ? file.dir() : QDir::home()).filePath(name);
}

}  // namespace

QString MainWindow::traceFilters()
{
    QStringList patterns;
    QStringList filters;
    for (const TraceFormat* format : allFormats()) {
        QStringList own;
        for (const std::string_view extension : format->extensions())
            own << u"*"_s + text(extension);
        patterns += own;
        filters << u"%1 (%2)"_s.arg(text(format->description()), own.join(' '));
    }
    patterns.removeDuplicates();
    filters.prepend(u"All traces (%1)"_s.arg(patterns.join(' ')));
    filters << u"All files (*)"_s;
    return filters.join(";;");
}

void MainWindow::askToOpen()
{
    const QString path = m_chooser.toOpen(this, u"Open a trace"_s, {}, traceFilters());
    if (!path.isEmpty())
        openFile(path);
}

bool MainWindow::save()
{
    if (m_document.path().endsWith(u".overlane"_s) && !isSample(m_document.path())) {
        if (const Result<void> may = mayReplace(fileBytes(m_document.path())); !may.ok()) {
            m_message->showNotice(
                u"%1 is not replaced: %2"_s.arg(QFileInfo(m_document.path()).fileName(), text(may.error())));
            return saveUnder(nameOfCopy(m_document.path()));
        }
        m_document.save(m_document.path());
        return true;
    }
    return saveAs();
}

bool MainWindow::saveAs()
{
    return saveUnder(nameToSave(m_document));
}

bool MainWindow::saveUnder(const QString& suggested)
{
    if (!m_document.trace())
        return false;
    QString path = m_chooser.toSave(this, u"Save the trace as"_s, suggested, u"Overlane traces (*.overlane)"_s);
    if (path.isEmpty())
        return false;
    if (!path.endsWith(u".overlane"_s))
        path += u".overlane"_s;
    m_document.save(path);
    return true;
}

void MainWindow::keepNotesThen(std::function<void()> next, NotesAnswer answer)
{
    if (!m_document.dirty()) {
        next();
        return;
    }
    if (answer == NotesAnswer::Ask) {
        const auto said = QMessageBox::question(
            this, u"Unsaved notes"_s, u"Your notes and bookmarks on this trace are not saved. Save them first?"_s,
            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
        if (said != QMessageBox::Save && said != QMessageBox::Discard)
            return;
        answer = said == QMessageBox::Save ? NotesAnswer::Save : NotesAnswer::Discard;
    }
    if (answer == NotesAnswer::Discard)
        next();
    else if (save())
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
    if (isFleet(path))
        emit fleetRequested(path);
    else if (QFileInfo(path).isDir())
        emit jobRequested({path});
    else
        m_tabs->open(path);
}

void MainWindow::readAgain(const QString& path)
{
    keepNotesThen([this, path] { m_document.open(path); });
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_document.saver()->busy()) {
        event->ignore();
        statusBar()->showMessage(u"The window closes once the file is written."_s);
        onceSaved([this] { QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection); });
        return;
    }
    if (!mayLeaveRecording()) {
        event->ignore();
        return;
    }
    if (!mayLeaveNotes()) {
        event->ignore();
        return;
    }
    if (m_remember) {
        rememberTraces();
        m_lentHeight->takeBack();
        m_laboratoryDock->leaveLayout();
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
        m_message->showError(u"%1 is no longer there; it was taken off the list of recent files."_s.arg(path));
        return;
    }
    openFile(path);
}

void MainWindow::exportPicture()
{
    const QPixmap picture = grab();
    QString path = m_chooser.toSave(this, u"Export a picture"_s, inTraceFolder(this, u"overlane.png"_s),
                                    u"The window (*.png);;The timeline in sight (*.svg *.pdf)"_s);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += u".png"_s;
    if (path.endsWith(u".svg"_s, Qt::CaseInsensitive) || path.endsWith(u".pdf"_s, Qt::CaseInsensitive)) {
        if (m_document.trace())
            m_exporter->writePicture(m_document.current(), m_document.view()->target(), Palette::current().dark, path);
        else
            m_message->showError(u"There is no timeline to draw; open a trace first."_s);
        return;
    }
    if (const Result<void> written = writePicture(picture, path); written.ok())
        sayOfTrace(u"Wrote %1"_s.arg(path));
    else
        m_message->showError(text(written.error()));
}

// "train.pt.trace.json.gz" -> "train.pt.trace".
QString MainWindow::titleForFiles() const
{
    QString name = m_document.title();
    for (const QString& extension : {u".gz"_s, u".json"_s, u".sqlite"_s, u".overlane"_s})
        if (name.endsWith(extension))
            name.chop(extension.size());
    return name.isEmpty() ? u"overlane"_s : name.replace(u'/', u'_');
}

void MainWindow::exportReport()
{
    if (!m_document.trace())
        return m_message->showError(u"There is nothing to report; open a trace or run the laboratory first."_s);
    QString path = m_chooser.toSave(this, u"Write a report"_s, inTraceFolder(this, titleForFiles() + u".html"_s),
                                    u"Pages (*.html);;PDF (*.pdf)"_s);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += u".html"_s;
    m_exporter->writeReport(m_document.current(), path);
}

void MainWindow::printReport()
{
    if (!m_document.trace())
        return m_message->showError(u"There is nothing to print; open a trace or run the laboratory first."_s);
    auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    printer->setDocName(titleForFiles());
    printer->setCreator(u"Overlane"_s);
    auto* dialog = new QPrintDialog(printer.get(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(u"Print the report"_s);
    dialog->setOptions(QAbstractPrintDialog::PrintToFile);
    connect(dialog, &QDialog::accepted, this,
            [this, printer, shown = m_document.current()] { m_exporter->printReport(shown, printer); });
    dialog->open();
}

void MainWindow::exportTable()
{
    DataTable* table = m_bottom->tableInSight();
    if (table == nullptr || table->model()->rowCount() == 0)
        return m_message->showError(
            u"No table with rows is in sight; choose Summary, Steps, By name or Events below the timeline first."_s);
    QString path = m_chooser.toSave(this, u"Export the table \"%1\""_s.arg(table->accessibleName()),
                                    inTraceFolder(this, u"%1_%2.csv"_s.arg(titleForFiles(), table->objectName())),
                                    u"Comma-separated values (*.csv)"_s);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += u".csv"_s;
    table->exportCsv(path);
}

void MainWindow::sharePart()
{
    if (!m_document.trace())
        return m_message->showError(u"There is no part to share; open a trace first."_s);
    const Interval range = m_document.selection()->range().value_or(m_document.view()->target());
    QString path =
        m_chooser.toSave(this, u"Share %1 of the trace"_s.arg(durationText(range.lengthNs())),
                         inTraceFolder(this, titleForFiles() + u"_part.overlane"_s), u"Overlane traces (*.overlane)"_s);
    if (path.isEmpty())
        return;
    if (!path.endsWith(u".overlane"_s))
        path += u".overlane"_s;
    if (!m_document.path().isEmpty() && QFileInfo(path) == QFileInfo(m_document.path()))
        return m_message->showError(u"%1 is the whole trace; choose another name for its part."_s.arg(path));
    m_exporter->writePart(m_document.current(), range, path);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QStringList files = localFiles(*event->mimeData());
    if (files.isEmpty())
        return;
    event->acceptProposedAction();
    m_dropTarget->offer(static_cast<int>(files.size()), kindOf(files));
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*)
{
    m_dropTarget->hide();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_dropTarget->hide();
    const QStringList paths = localFiles(*event->mimeData());
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    if (paths.size() != 2 || hasFolder(paths))
        return takeFiles(paths);
    openFile(paths.front());
    compareWith(paths[1]);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    const bool drag = event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove;
    if (drag || event->type() == QEvent::Drop) {
        auto* drop = static_cast<QDropEvent*>(event);
        if (const QStringList files = localFiles(*drop->mimeData()); !files.isEmpty()) {
            if (event->type() == QEvent::Drop) {
                dropEvent(drop);
            } else {
                drop->acceptProposedAction();
                m_dropTarget->offer(static_cast<int>(files.size()), kindOf(files));
            }
            return true;
        }
    }
    if (event->type() == QEvent::DragLeave)
        m_dropTarget->hide();
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
