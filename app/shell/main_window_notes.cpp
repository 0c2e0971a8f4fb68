// Notes that a crash left, in MainWindow: kept while they are unsaved, offered at the next start and with
// their file, never put anywhere unasked.
#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QTimer>

#include "app/shell/main_window.h"
#include "app/shell/notes_keeper.h"
#include "app/shell/offer_bar.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/text.h"
#include "core/loader/settings.h"

namespace overlane
{

namespace
{

// Both, unless one has the other in it.
QString joined(const QString& first, const QString& second)
{
    if (second.contains(first))
        return second;
    return first.contains(second) ? first : first + u"\n\n"_s + second;
}

}  // namespace

void MainWindow::keepNotesIn(const QString& folder)
{
    m_keeper = std::make_unique<NotesKeeper>(&m_document, folder);
    connect(m_keeper.get(), &NotesKeeper::failed, m_message, &MessageBar::showError);
    m_keeper->look();
    connect(&m_document, &Document::opened, this, [this] {
        m_keeper->look();
        offerNotes();
    });
    QTimer::singleShot(0, this, &MainWindow::offerNotes);
}

// Those of the trace that is shown before others.
void MainWindow::offerNotes()
{
    const auto& left = m_keeper->left();
    if (left.empty()) {
        m_offer->hide();
        return;
    }
    const UnsavedFile* next = left.back().get();
    const QString shown = QFileInfo(m_document.path()).absoluteFilePath();
    for (const auto& file : left)
        if (!m_document.path().isEmpty() && file->left().path == shown)
            next = file.get();
    const UnsavedNotes& notes = next->left();
    const QString when = QLocale().toString(QDateTime::fromMSecsSinceEpoch(notes.madeMs), QLocale::ShortFormat);
    QString sentence = u"Notes or bookmarks on %1 were not saved when Overlane ended on %2."_s.arg(notes.title, when);
    OfferBar::Answers answers;
    if (notes.path.isEmpty() || QFileInfo::exists(notes.path))
        answers.emplace_back(u"&Restore"_s, [this, next] { restoreNotes(next); });
    else
        sentence += u" %1 is not there now; they are offered again once it is."_s.arg(notes.path);
    if (!notes.path.isEmpty() && !answers.empty() && !notes.fileIsSame())
        sentence += u" The file has changed since; what it holds stays."_s;
    answers.emplace_back(u"&Discard"_s, [this, next] {
        m_keeper->discard(next);
        offerNotes();
    });
    m_offer->offer(sentence, answers);
}

void MainWindow::restoreNotes(const UnsavedFile* file)
{
    const UnsavedNotes& notes = file->left();
    const auto put = [this, file] { putNotes(file); };
    if (!notes.path.isEmpty() && QFileInfo(m_document.path()).absoluteFilePath() == notes.path) {
        putNotes(file);
        return;
    }
    // Where the trace does not come, the offer stays for the next time.
    keepNotesThen([this, put, path = notes.path, scenarioJson = notes.scenarioJson.toStdString(),
                   device = notes.deviceKey.toStdString(), title = notes.title] {
        auto* wait = new QObject(this);
        const auto arrived = std::make_shared<bool>(false);
        const auto arrive = [arrived] { *arrived = true; };
        connect(&m_document, &Document::idle, wait, [this, wait, arrived, put] {
            m_document.disconnect(wait);
            wait->deleteLater();
            if (*arrived)
                put();
        });
        if (!path.isEmpty()) {
            connect(&m_document, &Document::opened, wait, arrive);
            m_document.open(path);
            return;
        }
        const Result<Scenario> scenario = scenarioFromJson(scenarioJson);
        if (!scenario.ok()) {
            delete wait;
            m_message->showError(
                u"The run %1 cannot be made again: %2"_s.arg(title, QString::fromStdString(scenario.error())));
            return;
        }
        connect(&m_document, &Document::traceChanged, wait, arrive);
        m_document.giveUpNotes();
        m_document.simulateWith([this, state = Laboratory::State{scenario.value(), {}, device}, title] {
            m_document.laboratory()->takeOver(state, u"Settings of %1"_s.arg(title));
        });
    });
}

void MainWindow::putNotes(const UnsavedFile* file)
{
    const UnsavedNotes notes = file->left();
    const bool same = (notes.path.isEmpty() || notes.fileIsSame()) && !m_document.dirty();
    m_document.replaceNotes(same ? notes.notes : joined(m_document.notes(), notes.notes));
    m_timeline->bookmarks()->setText(same ? notes.bookmarks : m_document.bookmarks() + notes.bookmarks);
    if (!notes.folding.isEmpty())
        m_timeline->setFolding(notes.folding);
    m_keeper->merge(file);
    offerNotes();
}

}  // namespace overlane
