// The open traces of MainWindow: their actions and keys, those of the last time, and what is asked before the end.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QShortcut>

#include "app/session/file_bytes.h"
#include "app/shell/last_traces.h"
#include "app/shell/main_window.h"
#include "app/shell/offer_bar.h"
#include "app/shell/trace_tabs.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kMostNamed = 3;

QString namesOf(const QStringList& paths)
{
    QStringList names;
    for (const QString& path : paths.mid(0, kMostNamed))
        names << QFileInfo(path).fileName();
    const qsizetype more = paths.size() - names.size();
    return names.join(u", "_s) + (more > 0 ? u" and %1 more"_s.arg(more) : QString());
}

}  // namespace

void MainWindow::makeTabs()
{
    if (m_remember)
        connect(m_tabs, &TraceTabs::tracesChanged, this, &MainWindow::rememberTraces);
    // A save that fails calls the end off.
    connect(&m_document, &Document::failed, m_tabs, &TraceTabs::keepAll);
    connect(&m_document, &Document::opened, m_tracesOffer, &QWidget::hide);
    connect(m_tabs, &TraceTabs::otherShown, m_message, &MessageBar::hideError);
    for (int place = 0; place < 9; ++place)
        connect(new QShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + place)), this),
                &QShortcut::activated, this, [this, place] {
                    if (m_tabs->isVisible() && place < m_tabs->count())
                        m_tabs->show(place);
                });
}

void MainWindow::makeTraceActions(QMenu* menu)
{
    addAction(menu, u"Close the trace"_s, u"Close the trace in sight; unsaved notes are asked about"_s,
              {QKeySequence(Qt::CTRL | Qt::Key_W)}, [this] { m_tabs->closeTrace(m_tabs->shownIndex()); });
    QAction* reopen =
        addAction(menu, u"Reopen the closed trace"_s, u"Open the trace that was closed last, at its range"_s,
                  {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T)}, [this] { m_tabs->reopenClosed(); });
    const auto offer = [this, reopen] { reopen->setEnabled(m_tabs->hasClosed()); };
    connect(m_tabs, &TraceTabs::tracesChanged, reopen, offer);
    offer();
    if (!m_remember)
        return;
    QAction* opened = addAction(menu, u"Open the traces of last time"_s,
                                u"At a start without a file, open the traces that were open last"_s, {}, [] {
                                    LastTraces last;
                                    last.setOpenedAtStart(!last.openedAtStart());
                                });
    opened->setCheckable(true);
    opened->setChecked(LastTraces().openedAtStart());
}

void MainWindow::makeTabActions(QMenu* menu)
{
    addAction(menu, u"Next trace"_s, u"Show the next open trace; Alt+1 to Alt+9 show one by its place"_s,
              {QKeySequence(Qt::CTRL | Qt::Key_Tab), QKeySequence(Qt::CTRL | Qt::Key_PageDown)},
              [this] { m_tabs->showNext(1); });
    addAction(menu, u"Previous trace"_s, u"Show the open trace before"_s,
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Tab), QKeySequence(Qt::CTRL | Qt::Key_PageUp)},
              [this] { m_tabs->showNext(-1); });
    menu->addSeparator();
}

void MainWindow::takeFiles(const QStringList& paths)
{
    if (paths.size() == 1)
        return openFile(paths.front());
    if (std::any_of(paths.begin(), paths.end(), [](const QString& path) { return QFileInfo(path).isDir(); })) {
        emit jobRequested(paths);
        return;
    }
    std::vector<TraceTabs::Trace> traces;
    for (const QString& path : paths)
        traces.push_back({path, {}});
    m_tabs->openAll(traces, 0);
}

bool MainWindow::mayLeaveNotes()
{
    if (!m_tabs->showUnsaved()) {
        m_tabs->giveUpAll();
        return true;
    }
    // Once saved, or told to be given up, the next one is asked about; a cancelled question keeps all.
    const auto goesOn = std::make_shared<bool>(false);
    keepNotesThen([this, goesOn] {
        *goesOn = true;
        if (m_document.dirty())
            m_tabs->giveUpShown();
        QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
    });
    if (!*goesOn && !m_document.saver()->busy())
        m_tabs->keepAll();
    return false;
}

void MainWindow::rememberTraces()
{
    const std::vector<TraceTabs::Trace> traces = m_tabs->traces();
    m_hadTraces = m_hadTraces || !traces.empty();
    if (m_hadTraces)
        LastTraces().keep(traces, m_tabs->frontTrace());
}

void MainWindow::offerLastTraces()
{
    if (!m_remember)
        return;
    const LastTraces last;
    QStringList paths;
    for (const TraceTabs::Trace& trace : last.traces())
        paths << trace.path;
    if (paths.isEmpty())
        return;
    if (last.openedAtStart())
        return openLastTraces();
    m_tracesOffer->offer(paths.size() == 1
                             ? u"Last time %1 was open."_s.arg(namesOf(paths))
                             : u"Last time %1 traces were open: %2."_s.arg(paths.size()).arg(namesOf(paths)),
                         {{paths.size() == 1 ? u"&Open it"_s : u"&Open them"_s, [this] { openLastTraces(); }}});
}

void MainWindow::openLastTraces()
{
    const LastTraces last;
    std::vector<TraceTabs::Trace> there;
    QStringList missing;
    int front = 0;
    const int wanted = last.front();
    int place = 0;
    for (const TraceTabs::Trace& trace : last.traces()) {
        std::error_code error;
        if (place++ == wanted)
            front = static_cast<int>(there.size());
        if (std::filesystem::exists(fileBytes(trace.path), error))
            there.push_back(trace);
        else
            missing << trace.path;
    }
    if (!missing.isEmpty()) {
        const auto say = [this, missing] {
            m_message->showError(
                missing.size() == 1
                    ? u"%1 was open last time and is no longer there."_s.arg(missing.front())
                    : u"%1 traces of last time are no longer there: %2."_s.arg(missing.size()).arg(namesOf(missing)));
        };
        if (there.empty())
            return say();
        // A file that opens takes away what was said before.
        connect(&m_document, &Document::opened, this, say, Qt::SingleShotConnection);
    }
    m_tabs->openAll(there, front);
}

}  // namespace overlane
