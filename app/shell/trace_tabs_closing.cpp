// What TraceTabs closes, what it asks first, and what it opens again.
#include <algorithm>
#include <utility>

#include <QMessageBox>

#include "app/session/unsaved_notes.h"
#include "app/shell/main_window.h"
#include "app/shell/trace_tabs.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr std::size_t kMostClosed = 20;

}  // namespace

void TraceTabs::rememberClosed(int id)
{
    const Tab& tab = m_tabs.at(id);
    if (tab.path.isEmpty())
        return;
    m_closed.push_back({tab.path, id == m_front ? m_document->view()->target() : tab.visible});
    if (m_closed.size() > kMostClosed)
        m_closed.erase(m_closed.begin());
}

void TraceTabs::reopenClosed()
{
    if (m_closed.empty())
        return;
    const Trace last = m_closed.back();
    m_closed.pop_back();
    openAll({last}, 0);
}

void TraceTabs::closeTrace(int index)
{
    const int id = idAt(index);
    const auto found = m_tabs.find(id);
    if (found == m_tabs.end())
        return;
    if (id != m_front && found->second.dirty)
        showId(id);  // whose notes the question is about
    if (id == m_front)
        return closeShown();
    if (id == m_wanted)
        m_document->files()->cancel();
    rememberClosed(id);
    m_wanted = id == m_wanted ? 0 : m_wanted;
    drop(id);
}

// One question is about all unsaved notes; of one trace, the question that its own end has.
void TraceTabs::closeOthers(int index)
{
    const int kept = idAt(index);
    if (!m_tabs.contains(kept))
        return;
    QStringList unsaved;
    for (int other = 0; other < count(); ++other)
        if (const Tab& tab = m_tabs.at(idAt(other)); idAt(other) != kept && tab.dirty)
            unsaved << tab.title;
    if (unsaved.size() < 2)
        return closeNextOther(kept, MainWindow::NotesAnswer::Ask);
    const auto answer = QMessageBox::question(
        m_window, u"Unsaved notes"_s,
        u"Notes and bookmarks on %1 of the traces are not saved: %2. Save them first?"_s.arg(unsaved.size())
            .arg(unsaved.join(u", "_s)),
        QMessageBox::SaveAll | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::SaveAll);
    if (answer == QMessageBox::SaveAll || answer == QMessageBox::Discard)
        closeNextOther(
            kept, answer == QMessageBox::SaveAll ? MainWindow::NotesAnswer::Save : MainWindow::NotesAnswer::Discard);
}

// A trace is shown for its notes to be saved. Where that fails or is cancelled, all stay that are open by then.
void TraceTabs::closeNextOther(int kept, MainWindow::NotesAnswer answer)
{
    if (!m_tabs.contains(kept))
        return;
    for (const auto& [id, tab] : m_tabs) {
        if (id == kept || !tab.dirty)
            continue;
        if (id != m_front)
            showId(id);
        m_window->keepNotesThen(
            [this, kept, id = id, answer] {
                if (id != m_front)
                    return;
                m_document->giveUpNotes();
                closeNextOther(kept, answer);
            },
            answer);
        return;
    }
    for (int other = count() - 1; other >= 0; --other)
        if (const int id = idAt(other); id != kept && id != m_front)
            closeTrace(other);
    if (m_front != kept) {
        rememberClosed(m_front);
        m_leaving = true;
    }
    showId(kept);
}

void TraceTabs::closeShown()
{
    if (m_tabs.size() == 1 && !m_document->isOpened())
        return;  // the laboratory is what remains
    m_window->keepNotesThen([this, id = m_front] {
        if (id != m_front)
            return;
        m_document->giveUpNotes();
        rememberClosed(id);
        afterClosing();
    });
}

void TraceTabs::afterClosing()
{
    m_leaving = true;
    const int index = indexOf(m_front);
    if (m_tabs.size() == 1) {
        emit otherShown();
        m_document->simulate();
        return;
    }
    showId(idAt(index + 1 < count() ? index + 1 : index - 1));
}

bool TraceTabs::showUnsaved()
{
    const auto open = [this](int id) { return std::ranges::find(m_givenUp, id) == m_givenUp.end(); };
    if (m_document->dirty() && open(m_front))
        return true;
    for (const auto& [id, tab] : m_tabs)
        if (id != m_front && tab.dirty && open(id)) {
            showId(id);
            return true;
        }
    return false;
}

void TraceTabs::giveUpShown()
{
    m_givenUp.push_back(m_front);
}

void TraceTabs::giveUpAll()
{
    for (const int id : std::exchange(m_givenUp, {})) {
        if (id == m_front) {
            m_document->giveUpNotes();
        } else if (const auto found = m_tabs.find(id); found != m_tabs.end()) {
            found->second.dirty = false;
            if (found->second.unsaved)
                found->second.unsaved->remove();
        }
    }
}

}  // namespace overlane
