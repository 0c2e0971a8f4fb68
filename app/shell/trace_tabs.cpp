#include "app/shell/trace_tabs.h"

#include <algorithm>
#include <utility>

#include <QFileInfo>
#include <QSignalBlocker>
#include <QToolButton>
#include <QUndoStack>

#include "app/second/second_timelines.h"
#include "app/session/unsaved_notes.h"
#include "app/shell/main_window.h"
#include "app/shell/notes_keeper.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

QString absolute(const QString& path)
{
    return path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath();
}

}  // namespace

TraceTabs::TraceTabs(MainWindow* window, QWidget* parent)
    : QTabBar(parent), m_window(window), m_document(window->document())
{
    setObjectName("traceTabs");
    setAccessibleName(u"Open traces"_s);
    setDocumentMode(true);
    setDrawBase(false);
    setMovable(true);
    setExpanding(false);
    setUsesScrollButtons(true);
    setElideMode(Qt::ElideNone);
    setIconSize({kMarkPx, kMarkPx});
    setFocusPolicy(Qt::TabFocus);
    hide();
    m_document->setPlaces(this);
    connect(this, &QTabBar::currentChanged, this, [this](int index) {
        if (index >= 0)
            show(index);
    });
    connect(this, &QTabBar::tabMoved, this, &TraceTabs::tracesChanged);
    connect(m_document, &Document::traceChanged, this, [this] {
        describeShown();
        describeVerdict();
    });
    connect(m_document, &Document::titleChanged, this, &TraceTabs::describeShown);
    connect(m_document, &Document::dirtyChanged, this, &TraceTabs::describeShown);
    connect(m_document, &Document::failed, this, [this] { m_failed = m_wanted != 0; });
    connect(m_document->files(), &BackgroundWorker::busyChanged, this, [this](bool busy) {
        if (!busy)
            endReading();
    });
    QUndoStack* undo = m_document->laboratory()->undoStack();
    connect(undo, &QUndoStack::indexChanged, this, [this, undo](int index) {
        if (index > 0 && index == undo->count())
            m_madeIn[undo->command(index - 1)] = m_front;
    });
}

TraceTabs::~TraceTabs()
{
    m_document->setPlaces(nullptr);
}

int TraceTabs::indexOf(int id) const
{
    for (int index = 0; index < count(); ++index)
        if (idAt(index) == id)
            return index;
    return -1;
}

QString TraceTabs::path(int index) const
{
    const auto found = m_tabs.find(idAt(index));
    return found == m_tabs.end() ? QString() : found->second.path;
}

int TraceTabs::add(Tab tab)
{
    const QSignalBlocker quiet(this);
    const int id = ++m_lastId;
    m_tabs.emplace(id, std::move(tab));
    const int index = addTab({});
    setTabData(index, id);
    auto* close = new QToolButton(this);
    close->setText(u"×"_s);
    close->setAutoRaise(true);
    close->setFocusPolicy(Qt::NoFocus);
    connect(close, &QToolButton::clicked, this, [this, id] { closeTrace(indexOf(id)); });
    setTabButton(index, RightSide, close);
    dress(id);
    return id;
}

void TraceTabs::drop(int id)
{
    {
        const QSignalBlocker quiet(this);
        m_tabs.erase(id);
        removeTab(indexOf(id));
    }
    dressAll();
}

// As the window begins with it, it can be made again.
bool TraceTabs::isUntouchedRun() const
{
    return m_document->origin() == Document::Origin::Laboratory && !m_document->dirty() &&
           m_document->laboratory()->undoStack()->count() == 0 && !m_document->baseline().trace &&
           m_document->current().gpu.isEmpty();
}

bool TraceTabs::makeRoom(Document::Origin coming, const QString& path)
{
    using Origin = Document::Origin;
    const Origin shown = m_document->origin();
    if (coming == Origin::File && m_wanted != 0 && m_tabs.at(m_wanted).path == absolute(path)) {
        if (std::exchange(m_leaving, false) || isUntouchedRun())
            drop(m_front);
        else
            leave();
        m_front = m_wanted;
        return true;
    }
    const bool newTab = coming == Origin::Recording
                            ? shown == Origin::File || (shown != coming && !isUntouchedRun())
                            : coming == Origin::Laboratory && m_document->isOpened() && (keepsOpened() || m_leaving);
    if (!newTab)
        return false;
    m_wanted = 0;
    if (std::exchange(m_leaving, false))
        drop(m_front);
    else
        leave();
    for (const auto& [id, tab] : m_tabs)
        if (coming == Origin::Laboratory && tab.origin == coming && tab.aside) {
            enter(id);
            return false;
        }
    m_front = add({});
    return true;
}

void TraceTabs::leave()
{
    Tab& tab = m_tabs.at(m_front);
    tab.dirty = m_document->dirty();
    tab.visible = m_document->view()->target();
    tab.compared = m_window->secondTimelines()->comparison()->file();
    tab.choices = m_window->secondTimelines()->whatIf()->choices();
    tab.marks = m_window->timeline()->bookmarks()->generation();
    LaneCanvas* lanes = m_window->timeline()->lanes();
    tab.scrolledTo = lanes->scrolledTo();
    lanes->scrollToFirst();  // what comes begins there
    tab.aside = m_document->setAside();
    if (m_window->notesKeeper() != nullptr)
        tab.unsaved = m_window->notesKeeper()->setAside();
}

void TraceTabs::enter(int id)
{
    m_front = id;
    Tab& tab = m_tabs.at(id);
    const auto aside = std::exchange(tab.aside, {});
    const auto compared = std::exchange(tab.compared, {});
    m_document->bringBack(*aside);
    if (const auto place = std::exchange(tab.scrolledTo, {}))
        m_window->timeline()->lanes()->scrollToPlace(*place);
    else
        m_window->timeline()->lanes()->scrollToFirst();
    if (m_window->notesKeeper() != nullptr)
        m_window->notesKeeper()->takeBack(std::exchange(tab.unsaved, {}));
    m_window->timeline()->bookmarks()->resume(tab.marks);
    if (compared.trace)
        m_window->secondTimelines()->comparison()->restore(compared);
    if (tab.choices != m_window->secondTimelines()->whatIf()->choices())
        m_window->secondTimelines()->whatIf()->setChoices(tab.choices);
    describeShown();
}

void TraceTabs::describeShown()
{
    if (!m_document->trace())
        return;
    if (m_front == 0)
        m_front = add({});
    Tab& tab = m_tabs.at(m_front);
    tab.path = absolute(m_document->path());
    tab.origin = m_document->origin();
    tab.title = tab.origin == Document::Origin::Laboratory ? u"Laboratory"_s : m_document->title();
    tab.dirty = m_document->dirty();
    dressAll();
}

// Of the whole trace: nothing is selected yet.
void TraceTabs::describeVerdict()
{
    const Judgement* judgement = m_document->judgement();
    if (judgement == nullptr)
        return;
    Tab& tab = m_tabs.at(m_front);
    tab.headline = text(judgement->headline());
    tab.tone = judgement->verdict.tone;
    dress(m_front);
}

void TraceTabs::show(int index)
{
    showId(idAt(index));
}

void TraceTabs::showId(int id)
{
    const auto wanted = m_tabs.find(id);
    if (wanted == m_tabs.end())
        return;
    if (id == m_front) {
        m_stays = m_wanted != 0;
        m_document->files()->cancel();
    } else if (wanted->second.aside) {
        m_wanted = 0;
        if (std::exchange(m_leaving, false))
            drop(m_front);
        else
            leave();
        enter(id);
        emit otherShown();
    } else {
        read(id);
    }
    dressAll();
}

void TraceTabs::read(int id)
{
    if (m_wanted == id)
        return;
    m_wanted = 0;
    m_document->files()->cancel();
    m_wanted = id;
    m_failed = false;
    m_stays = false;
    m_document->open(m_tabs.at(id).path);
}

// It came, or it did not: a file that cannot be read has no tab.
void TraceTabs::endReading()
{
    const int id = std::exchange(m_wanted, 0);
    if (id == 0)
        return;
    const bool failed = std::exchange(m_failed, false);
    m_leaving = false;
    m_stays = false;
    if (id == m_front) {
        if (const Interval visible = m_tabs.at(id).visible; visible.lengthNs() > 0)
            m_document->view()->restart(visible);
    } else if (failed) {
        drop(id);
    }
    dressAll();
}

void TraceTabs::showNext(int step)
{
    if (count() > 1)
        show((currentIndex() + step + count()) % count());
}

void TraceTabs::open(const QString& path)
{
    const int open = tabOf(path);
    if (open != 0 && open == m_front)
        return m_window->readAgain(path);
    openAll({{path, {}}}, 0);
}

int TraceTabs::tabOf(const QString& path) const
{
    const QString wanted = absolute(path);
    const auto found = std::ranges::find_if(m_tabs, [&wanted](const auto& each) { return each.second.path == wanted; });
    return found == m_tabs.end() ? 0 : found->first;
}

void TraceTabs::openAll(const std::vector<Trace>& traces, int front)
{
    std::vector<int> ids;
    for (const Trace& trace : traces) {
        if (const int open = tabOf(trace.path); open != 0) {
            ids.push_back(open);
            continue;
        }
        Tab tab;
        tab.path = absolute(trace.path);
        tab.title = QFileInfo(trace.path).fileName();
        tab.origin = Document::Origin::File;
        tab.visible = trace.visible;
        ids.push_back(add(std::move(tab)));
    }
    if (ids.empty())
        return;
    const int id = ids[static_cast<std::size_t>(std::clamp(front, 0, static_cast<int>(ids.size()) - 1))];
    if (m_document->trace())
        return showId(id);
    m_front = id;  // nothing makes room
    read(id);
    dressAll();
}

std::vector<TraceTabs::Trace> TraceTabs::traces() const
{
    std::vector<Trace> all;
    for (int index = 0; index < count(); ++index)
        if (const Tab& tab = m_tabs.at(idAt(index)); !tab.path.isEmpty())
            all.push_back({tab.path, idAt(index) == m_front ? m_document->view()->target() : tab.visible});
    return all;
}

int TraceTabs::frontTrace() const
{
    int files = 0;
    for (int index = 0; index < count() && idAt(index) != m_front; ++index)
        files += m_tabs.at(idAt(index)).path.isEmpty() ? 0 : 1;
    return files;
}

void TraceTabs::compareWithShown(int id)
{
    const auto found = m_tabs.find(id);
    if (found == m_tabs.end())
        return;
    if (found->second.aside)
        m_window->compareWith(Document::traceOf(*found->second.aside));
    else
        m_window->compareWith(found->second.path);
}

bool TraceTabs::swapCompared()
{
    const auto& other = m_window->secondTimelines()->comparison()->file().trace;
    const auto found = std::ranges::find_if(m_tabs, [&other](const auto& each) {
        return other && each.second.aside && Document::traceOf(*each.second.aside).trace == other;
    });
    if (found == m_tabs.end())
        return false;
    const Document::Other shown = m_document->shown();
    showId(found->first);
    m_window->compareWith(shown);
    return true;
}

void TraceTabs::showTraceOf(const QUndoCommand* command)
{
    const auto made = m_madeIn.find(command);
    if (made == m_madeIn.end())
        return;
    if (const auto tab = m_tabs.find(made->second); tab != m_tabs.end() && tab->second.aside)
        showId(made->second);
}

}  // namespace overlane
