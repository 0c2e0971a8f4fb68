// The menus of MainWindow: its own actions with their keys and what they mean; tools add theirs through their Shell.
#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QUndoStack>

#include "app/second/split_view.h"
#include "app/shell/about_box.h"
#include "app/shell/first_hint.h"
#include "app/shell/help_window.h"
#include "app/shell/main_window.h"
#include "app/shell/recent_files.h"
#include "app/shell/samples.h"
#include "app/shell/search_bar.h"
#include "app/timeline/timeline_view.h"
#include "app/verdict/verdict_bar.h"

namespace overlane
{

namespace
{

constexpr double kZoomStep = 1.5;

QKeySequence ctrl(Qt::Key key)
{
    return {Qt::CTRL | key};
}

}  // namespace

QAction* MainWindow::addAction(QMenu* menu, const QString& label, const QString& meaning,
                               const QList<QKeySequence>& keys, std::function<void()> run)
{
    auto* action = new QAction(label, this);
    action->setShortcuts(keys);
    action->setStatusTip(meaning);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    menu->addAction(action);
    return action;
}

void MainWindow::makeFileMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    addAction(menu, tr("&Open …"), tr("Open a trace: .overlane, PyTorch profiler JSON, Nsight Systems SQLite"),
              {QKeySequence::Open}, [this] { askToOpen(); });
    addAction(menu, tr("&Compare with …"), tr("Show a second trace below this one, and what changed from A to B"),
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)}, [this] { askToCompare(); });
    QAction* withKept = addAction(menu, tr("Compare with the &baseline"),
                                  tr("Show what changed from the baseline, A, to this run"), {}, [this] {
                                      m_bottomDock->show();
                                      m_split->openComparison();
                                  });
    withKept->setEnabled(false);
    connect(&m_document, &Document::baselineChanged, withKept,
            [this, withKept] { withKept->setEnabled(m_document.baseline().trace != nullptr); });
    m_recent = menu->addMenu(tr("Open &recent"));
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    makeSampleMenu(menu->addMenu(tr("Open sa&mple")));
    addAction(menu, tr("&Record a program …"), tr("Run a program and record its copies, kernels and calls, unchanged"),
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)}, [this] { askToRecord(); });
    menu->addSeparator();
    addAction(menu, tr("&Save"), tr("Save the trace with your notes as an .overlane file"), {QKeySequence::Save},
              [this] { save(); });
    addAction(menu, tr("Save &as …"), tr("Save the trace with your notes under another name"),
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}, [this] { saveAs(); });
    addAction(menu, tr("Export a &picture …"), tr("Write the window as it is into a PNG"),
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)}, [this] { exportPicture(); });
    menu->addSeparator();
    addAction(menu, tr("&Quit"), tr("Close the window"), {ctrl(Qt::Key_Q)}, [this] { close(); });
}

QMenu* MainWindow::makeEditMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Edit"));
    menu->setObjectName("editMenu");
    QUndoStack* undo = m_document.laboratory()->undoStack();
    // Changes of bookmarks that are gone with their trace drop out of the stack: the next one is meant.
    const auto stepping = [this, undo](QAction* action, void (QUndoStack::*step)(), bool (QUndoStack::*can)() const,
                                       int next) {
        action->disconnect(SIGNAL(triggered(bool)));
        const auto go = [undo, step, can] {
            int count = 0;
            do {
                count = undo->count();
                (undo->*step)();
            } while (undo->count() < count && (undo->*can)());
        };
        connect(action, &QAction::triggered, this, [this, undo, go, next] {
            // Its notes would go with the trace.
            if (Document::replacesTrace(undo->command(undo->index() + next)))
                keepNotesThen(go);
            else
                go();
        });
    };
    QAction* back = undo->createUndoAction(this, tr("&Undo"));
    back->setShortcut(QKeySequence::Undo);
    back->setStatusTip(tr("Undo the last setting or bookmark change"));
    stepping(back, &QUndoStack::undo, &QUndoStack::canUndo, -1);
    QAction* again = undo->createRedoAction(this, tr("&Redo"));
    again->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), ctrl(Qt::Key_Y)});
    again->setStatusTip(tr("Redo the setting or bookmark change"));
    stepping(again, &QUndoStack::redo, &QUndoStack::canRedo, 0);
    menu->addAction(back);
    menu->addAction(again);
    menu->addSeparator();
    QAction* keep =
        addAction(menu, tr("&Keep as A"), tr("Keep the present run above as A, or drop A"), {ctrl(Qt::Key_K)}, [this] {
            if (m_document.baseline().trace)
                m_document.dropBaseline();
            else
                m_document.keepAsBaseline();
        });
    connect(&m_document, &Document::baselineChanged, keep,
            [this, keep] { keep->setText(m_document.baseline().trace ? tr("Drop &A") : tr("&Keep as A")); });
    addAction(menu, tr("Run the &laboratory"),
              tr("Run the laboratory's settings on the chosen engine and show the run"), {ctrl(Qt::Key_R)},
              [this] { m_document.run(); });
    menu->addSeparator();
    addAction(menu, tr("&Find …"), tr("Find events by name"), {QKeySequence::Find, QKeySequence(Qt::Key_Slash)},
              [this] { m_search->open(); });
    addAction(menu, tr("Find &next"), tr("Go to the next hit"), {QKeySequence(Qt::Key_F3)},
              [this] { m_search->next(); });
    addAction(menu, tr("Find &previous"), tr("Go to the previous hit"), {QKeySequence(Qt::SHIFT | Qt::Key_F3)},
              [this] { m_search->previous(); });
    return menu;
}

QMenu* MainWindow::makeViewMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    ViewRange* view = m_document.view();
    const auto zoom = [view](double factor) {
        const Interval range = view->range();
        view->zoomBy(factor, range.startNs + range.lengthNs() / 2);
    };
    addAction(menu, tr("Zoom &in"), tr("Show less time"), {ctrl(Qt::Key_Plus), ctrl(Qt::Key_Equal)},
              [zoom] { zoom(kZoomStep); });
    addAction(menu, tr("Zoom &out"), tr("Show more time"), {ctrl(Qt::Key_Minus)}, [zoom] { zoom(1 / kZoomStep); });
    addAction(menu, tr("&Whole trace"), tr("Show the whole trace"), {ctrl(Qt::Key_0)}, [view] { view->fitAll(); });
    QAction* back = addAction(menu, tr("Zoom &back"), tr("Back in the zoom history"),
                              {QKeySequence(Qt::ALT | Qt::Key_Left)}, [view] { view->back(); });
    QAction* forward = addAction(menu, tr("Zoom f&orward"), tr("Forward in the zoom history"),
                                 {QKeySequence(Qt::ALT | Qt::Key_Right)}, [view] { view->forward(); });
    connect(menu, &QMenu::aboutToShow, this, [view, back, forward] {
        back->setEnabled(view->canGoBack());
        forward->setEnabled(view->canGoForward());
    });
    connect(menu, &QMenu::aboutToHide, this, [back, forward] {
        back->setEnabled(true);
        forward->setEnabled(true);
    });
    addAction(menu, tr("&Show the worst copy"), tr("Zoom to the copy with the most time outside kernels"),
              {ctrl(Qt::Key_J)}, [this] {
                  const EventIndex copy = worstExposedCopy(m_document);
                  if (copy.valid())
                      emit m_verdict->showRequested(copy);
              });
    addAction(menu, tr("&Next evidence"), tr("Go to the next event of the last finding"), {QKeySequence(Qt::Key_F8)},
              [this] { showEvidence(1); });
    addAction(menu, tr("&Previous evidence"), tr("Go to its previous event"), {QKeySequence(Qt::SHIFT | Qt::Key_F8)},
              [this] { showEvidence(-1); });
    addAction(menu, tr("W&hat if"), tr("Try changes: what a step would take with them, and the timeline"),
              {ctrl(Qt::Key_T)}, [this] {
                  m_bottomDock->show();
                  m_split->openWhatIf();
              });
    menu->addSeparator();
    QAction* causes = addAction(menu, tr("Color idle time by ca&use"),
                                tr("Mark every gap between kernels with the color of its cause"), {ctrl(Qt::Key_I)},
                                [this] { m_timeline->setIdleShown(!m_timeline->idleShown()); });
    causes->setCheckable(true);
    addAction(menu, tr("&Collapse all tracks"), tr("Show one row for each track"), {},
              [this] { m_timeline->collapseAll(); });
    addAction(menu, tr("&Expand all tracks"), tr("Show every row of every track"), {},
              [this] { m_timeline->expandAll(); });
    menu->addSeparator();
    for (QDockWidget* dock : {m_laboratoryDock, m_detailsDock, m_bottomDock})
        menu->addAction(dock->toggleViewAction());
    addAction(menu, tr("&Default layout"), tr("Put every dock back where it was on the first start"), {},
              [this] { resetLayout(); });
    menu->addSeparator();
    QMenu* themes = menu->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(this);
    for (const auto& [label, theme] : {std::pair{tr("&System"), Theme::System}, std::pair{tr("&Light"), Theme::Light},
                                       std::pair{tr("&Dark"), Theme::Dark}}) {
        QAction* action = addAction(themes, label, {}, {}, [this, wanted = theme] {
            setTheme(wanted);
            if (m_remember)
                QSettings().setValue("theme", static_cast<int>(wanted));
        });
        action->setCheckable(true);
        group->addAction(action);
        connect(themes, &QMenu::aboutToShow, action,
                [this, action, wanted = theme] { action->setChecked(m_theme == wanted); });
    }
    return menu;
}

QMenu* MainWindow::makeHelpMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    addAction(menu, tr("&Help"), tr("What the figures mean and why copies hide or do not"), {QKeySequence(Qt::Key_F1)},
              [this] { showHelp(HelpWindow::pages().front()); });
    addAction(menu, tr("&Keyboard and mouse"), tr("Every key and gesture"), {QKeySequence(Qt::Key_Question)},
              [this] { showHelp(HelpWindow::kKeys); });
    addAction(menu, tr("&First steps"), tr("Start over with the first scenario and the hint what to try"), {}, [this] {
        m_document.simulateWith([this] { m_document.laboratory()->applyPreset(allPresets().front()); });
        m_hint->offer();
    });
    menu->addSeparator();
    addAction(menu, tr("&About Overlane"), tr("Version, license, and what this machine offers"), {},
              [this] { showAbout(this); });
    return menu;
}

void MainWindow::makeSampleMenu(QMenu* menu)
{
    menu->setObjectName("samples");
    for (const Sample& sample : samples())
        addAction(menu, sample.title, sample.meaning, {}, [this, path = sample.path] { openFile(path); });
    if (menu->isEmpty())
        menu->addAction(tr("This copy of Overlane came without samples"))->setEnabled(false);
}

void MainWindow::fillRecentMenu()
{
    m_recent->clear();
    const QStringList paths = RecentFiles().paths();
    for (const QString& path : paths) {
        QString shown = path;
        QAction* action = m_recent->addAction(shown.replace('&', QStringLiteral("&&")));
        connect(action, &QAction::triggered, this, [this, path] { openRecent(path); });
    }
    if (paths.isEmpty()) {
        m_recent->addAction(tr("Nothing opened yet"))->setEnabled(false);
        return;
    }
    m_recent->addSeparator();
    connect(m_recent->addAction(tr("&Clear the list")), &QAction::triggered, this, [] { RecentFiles().clear(); });
}

}  // namespace overlane
