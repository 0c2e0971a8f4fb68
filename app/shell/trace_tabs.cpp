#include "app/shell/trace_tabs.h"

#include <algorithm>
#include <utility>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>
#include <QSignalBlocker>
#include <QToolButton>
#include <QUndoStack>

#include "app/second/split_view.h"
#include "app/session/unsaved_notes.h"
#include "app/shell/main_window.h"
#include "app/shell/notes_keeper.h"
#include "app/theme/palette.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr qsizetype kMostTabName = 26;
constexpr std::size_t kMostClosed = 20;
constexpr int kMarkPx = 10;

QString absolute(const QString& path)
{
    return path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath();
}

// Without what names of traces have in common; what differs is often at the end.
QString tabName(QString title)
{
    for (const QString& extension : {u".gz"_s, u".json"_s, u".trace"_s, u".pt"_s, u".sqlite"_s, u".overlane"_s})
        if (title.endsWith(extension) && title.size() > extension.size())
            title.chop(extension.size());
    return elidedInTheMiddle(title, kMostTabName);
}

QIcon toneMark(VerdictTone tone, qreal ratio)
{
    const Palette& colors = Palette::current();
    QPixmap mark(QSize(kMarkPx, kMarkPx) * ratio);
    mark.setDevicePixelRatio(ratio);
    mark.fill(Qt::transparent);
    QPainter painter(&mark);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QRectF round(2, 2, kMarkPx - 4, kMarkPx - 4);
    if (tone == VerdictTone::Nothing) {
        painter.setPen(colors.mutedText);
        painter.drawEllipse(round);
    } else if (tone == VerdictTone::Problem) {  // told by shape, too
        painter.setBrush(colors.warning);
        painter.drawRect(round);
    } else {
        painter.setBrush(colors.good);
        painter.drawEllipse(round);
    }
    return QIcon(mark);
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
    tab.compared = m_window->split()->comparison()->file();
    tab.choices = m_window->split()->whatIf()->choices();
    tab.marks = m_window->timeline()->bookmarks()->generation();
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
    if (m_window->notesKeeper() != nullptr)
        m_window->notesKeeper()->takeBack(std::exchange(tab.unsaved, {}));
    m_window->timeline()->bookmarks()->resume(tab.marks);
    if (compared.trace)
        m_window->split()->comparison()->restore(compared);
    if (tab.choices != m_window->split()->whatIf()->choices())
        m_window->split()->whatIf()->setChoices(tab.choices);
    describeShown();
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
    const QString wanted = absolute(path);
    for (const auto& [id, tab] : m_tabs)
        if (tab.path == wanted && id != m_front)
            return showId(id);
    if (m_front != 0 && m_tabs.at(m_front).path == wanted)
        return m_window->readAgain(path);
    openAll({{path, {}}}, 0);
}

void TraceTabs::openAll(const std::vector<Trace>& traces, int front)
{
    std::vector<int> ids;
    for (const Trace& trace : traces) {
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
    if (!m_document->trace())  // nothing makes room
        m_front = id;
    read(id);
    dressAll();
}

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

void TraceTabs::closeOthers(int index)
{
    const int kept = idAt(index);
    showId(kept);
    for (int other = count() - 1; other >= 0; --other)
        if (const int id = idAt(other); id != kept && id != m_front && !m_tabs.at(id).dirty)
            closeTrace(other);
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
    if (m_tabs.size() == 1)
        m_document->simulate();
    else
        showId(idAt(index + 1 < count() ? index + 1 : index - 1));
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

void TraceTabs::showTraceOf(const QUndoCommand* command)
{
    const auto made = m_madeIn.find(command);
    if (made == m_madeIn.end())
        return;
    if (const auto tab = m_tabs.find(made->second); tab != m_tabs.end() && tab->second.aside)
        showId(made->second);
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

void TraceTabs::dress(int id)
{
    const Tab& tab = m_tabs.at(id);
    const int index = indexOf(id);
    QString name = tabName(tab.title);
    setTabText(index, name.replace('&', u"&&"_s) + (tab.dirty ? u" *"_s : QString()));
    QStringList about{tab.path.isEmpty() ? tab.title : tab.path};
    about << (tab.headline.isEmpty() ? u"Read when it is shown."_s : tab.headline);
    setTabToolTip(index, about.join('\n'));
    setAccessibleTabName(index, about.join(u". "_s));
    const QString closing = u"Close %1"_s.arg(tab.title);
    tabButton(index, RightSide)->setToolTip(closing);
    tabButton(index, RightSide)->setAccessibleName(closing);
    setTabIcon(index, toneMark(tab.tone, devicePixelRatioF()));
}

void TraceTabs::dressAll()
{
    {
        const QSignalBlocker quiet(this);
        for (const auto& [id, tab] : m_tabs)
            dress(id);
        setCurrentIndex(indexOf(m_wanted != 0 && !m_stays ? m_wanted : m_front));
    }
    // The run that makes room for the file being read is gone with it.
    const bool makesRoom = m_wanted != 0 && m_wanted != m_front && isUntouchedRun();
    setVisible(m_tabs.size() > (makesRoom ? 2U : 1U));
    emit tracesChanged();
}

void TraceTabs::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::MiddleButton) {
        if (const int index = tabAt(event->position().toPoint()); index >= 0)
            closeTrace(index);
        return;
    }
    QTabBar::mouseReleaseEvent(event);
}

void TraceTabs::contextMenuEvent(QContextMenuEvent* event)
{
    const int index = tabAt(event->pos());
    if (index < 0)
        return;
    const int id = idAt(index);
    auto* menu = new QMenu(this);
    menu->setObjectName("traceTabMenu");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(u"&Close"_s), &QAction::triggered, this, [this, id] { closeTrace(indexOf(id)); });
    QAction* others = menu->addAction(u"Close the &others"_s);
    others->setToolTip(u"Traces with unsaved notes stay"_s);
    others->setEnabled(count() > 1);
    connect(others, &QAction::triggered, this, [this, id] { closeOthers(indexOf(id)); });
    menu->addSeparator();
    const QString file = path(index);
    QAction* copy = menu->addAction(u"Copy the &path"_s);
    copy->setEnabled(!file.isEmpty());
    connect(copy, &QAction::triggered, this, [file] { QGuiApplication::clipboard()->setText(file); });
    QAction* compare = menu->addAction(u"Compare with the trace in &sight"_s);
    compare->setEnabled(!file.isEmpty() && id != m_front);
    connect(compare, &QAction::triggered, this, [this, file] { m_window->compareWith(file); });
    menu->popup(event->globalPos());
}

void TraceTabs::changeEvent(QEvent* event)
{
    QTabBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && count() > 0)
        dressAll();
}

}  // namespace overlane
