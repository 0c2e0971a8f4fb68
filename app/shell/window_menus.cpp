// The menus of MainWindow: its own actions with their keys and what they mean; tools add theirs through their Shell.
#include <initializer_list>

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QTimer>
#include <QUndoStack>

#include "app/second/second_timelines.h"
#include "app/shell/about_box.h"
#include "app/shell/first_hint.h"
#include "app/shell/gauge_menu.h"
#include "app/shell/help_window.h"
#include "app/shell/laboratory_dock.h"
#include "app/shell/main_window.h"
#include "app/shell/recent_files.h"
#include "app/shell/samples.h"
#include "app/shell/search_bar.h"
#include "app/shell/trace_tabs.h"
#include "app/theme/motion_choice.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/track_arrangement.h"
#include "app/verdict/verdict_bar.h"
#include "app/widgets/text.h"
#include "core/loader/presets.h"

namespace overlane
{

namespace
{

constexpr double kZoomStep = 1.5;
constexpr const char* kKeepEngines = "keepGpuLanes";
constexpr const char* kMotion = "motion";
constexpr const char* kReducedMotion = "reducedMotion";  // of earlier versions: a yes or no
constexpr int kAskDesktopMs = 500;

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
    QMenu* menu = menuBar()->addMenu(u"&File"_s);
    addAction(menu, u"&Open …"_s, u"Open a trace: .overlane, PyTorch profiler JSON, Nsight Systems SQLite"_s,
              {QKeySequence::Open}, [this] { askToOpen(); });
    addAction(menu, u"&Compare with …"_s, u"Show a second trace below this one, and what changed from A to B"_s,
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)}, [this] { askToCompare(); });
    QAction* withKept = addAction(menu, u"Compare with the &baseline"_s,
                                  u"Show what changed from the baseline, A, to this run"_s, {}, [this] {
                                      m_bottomDock->show();
                                      m_secondTimelines->openComparison();
                                  });
    withKept->setEnabled(false);
    connect(&m_document, &Document::baselineChanged, withKept,
            [this, withKept] { withKept->setEnabled(m_document.baseline().trace != nullptr); });
    m_recent = menu->addMenu(u"Open &recent"_s);
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    makeSampleMenu(menu->addMenu(u"Open sa&mple"_s));
    addAction(menu, u"&Record a program …"_s, u"Run a program and record its copies, kernels and calls, unchanged"_s,
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)}, [this] { askToRecord(); });
    menu->addSeparator();
    addAction(menu, u"&Save"_s, u"Save the trace with your notes as an .overlane file"_s, {QKeySequence::Save},
              [this] { save(); });
    addAction(menu, u"Save &as …"_s, u"Save the trace with your notes under another name"_s,
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}, [this] { saveAs(); });
    addAction(menu, u"Share a par&t …"_s,
              u"Write the selected range, else what is in sight, as a small .overlane file"_s, {},
              [this] { sharePart(); });
    menu->addSeparator();
    addAction(menu, u"Write a rep&ort …"_s, u"Write the verdict, findings and tables as one page of HTML or as a PDF"_s,
              {}, [this] { exportReport(); });
    addAction(menu, u"Pri&nt the report …"_s, u"Print the verdict, findings and tables"_s, {QKeySequence::Print},
              [this] { printReport(); });
    addAction(menu, u"Export the tab&le …"_s, u"Write the table below the timeline, as filtered and sorted, as CSV"_s,
              {}, [this] { exportTable(); });
    addAction(menu, u"Export a &picture …"_s,
              u"Write the window as it is into a PNG, or the timeline in sight into an SVG or a PDF"_s,
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)}, [this] { exportPicture(); });
    menu->addSeparator();
    makeTraceActions(menu);
    menu->addSeparator();
    addAction(menu, u"&Quit"_s, u"Close the window"_s, {ctrl(Qt::Key_Q)}, [this] { close(); });
}

QMenu* MainWindow::makeEditMenu()
{
    QMenu* menu = menuBar()->addMenu(u"&Edit"_s);
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
            m_tabs->showTraceOf(undo->command(undo->index() + next));
            // Its notes would go with the trace.
            if (Document::replacesTrace(undo->command(undo->index() + next)))
                keepNotesThen(go);
            else
                go();
        });
    };
    QAction* back = undo->createUndoAction(this, u"&Undo"_s);
    back->setShortcut(QKeySequence::Undo);
    back->setStatusTip(u"Undo the last setting or bookmark change"_s);
    stepping(back, &QUndoStack::undo, &QUndoStack::canUndo, -1);
    QAction* again = undo->createRedoAction(this, u"&Redo"_s);
    again->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), ctrl(Qt::Key_Y)});
    again->setStatusTip(u"Redo the setting or bookmark change"_s);
    stepping(again, &QUndoStack::redo, &QUndoStack::canRedo, 0);
    menu->addAction(back);
    menu->addAction(again);
    menu->addSeparator();
    QAction* keep =
        addAction(menu, u"&Keep as A"_s, u"Keep the present run above as A, or drop A"_s, {ctrl(Qt::Key_K)}, [this] {
            if (m_document.baseline().trace)
                m_document.dropBaseline();
            else
                m_document.keepAsBaseline();
        });
    connect(&m_document, &Document::baselineChanged, keep,
            [this, keep] { keep->setText(m_document.baseline().trace ? u"Drop &A"_s : u"&Keep as A"_s); });
    addAction(menu, u"Run the &laboratory"_s, u"Run the laboratory's settings on the chosen engine and show the run"_s,
              {ctrl(Qt::Key_R)}, [this] { m_document.run(); });
    menu->addSeparator();
    // M is a key of the timeline: here it would be taken from every field of text.
    addAction(menu, u"Set or remove a book&mark\tM"_s,
              u"Mark the selected event or range, else the time at the cursor; F2 names it"_s, {},
              [this] { m_timeline->perform(TimelineAction::ToggleBookmark); });
    menu->addSeparator();
    addAction(menu, u"&Find …"_s, u"Find events by name"_s, {QKeySequence::Find, QKeySequence(Qt::Key_Slash)},
              [this] { m_search->open(); });
    addAction(menu, u"Find &next"_s, u"Go to the next hit"_s, {QKeySequence(Qt::Key_F3)}, [this] { m_search->next(); });
    addAction(menu, u"Find &previous"_s, u"Go to the previous hit"_s, {QKeySequence(Qt::SHIFT | Qt::Key_F3)},
              [this] { m_search->previous(); });
    return menu;
}

QMenu* MainWindow::makeViewMenu()
{
    QMenu* menu = menuBar()->addMenu(u"&View"_s);
    ViewRange* view = m_document.view();
    const auto zoom = [view](double factor) {
        const Interval range = view->range();
        view->zoomBy(factor, range.startNs + range.lengthNs() / 2);
    };
    addAction(menu, u"Zoom &in"_s, u"Show less time"_s, {ctrl(Qt::Key_Plus), ctrl(Qt::Key_Equal)},
              [zoom] { zoom(kZoomStep); });
    addAction(menu, u"Zoom &out"_s, u"Show more time"_s, {ctrl(Qt::Key_Minus)}, [zoom] { zoom(1 / kZoomStep); });
    addAction(menu, u"&Whole trace"_s, u"Show the whole trace"_s, {ctrl(Qt::Key_0)}, [view] { view->fitAll(); });
    QAction* back = addAction(menu, u"Zoom &back"_s, u"Back in the zoom history"_s,
                              {QKeySequence(Qt::ALT | Qt::Key_Left)}, [view] { view->back(); });
    QAction* forward = addAction(menu, u"Zoom f&orward"_s, u"Forward in the zoom history"_s,
                                 {QKeySequence(Qt::ALT | Qt::Key_Right)}, [view] { view->forward(); });
    connect(menu, &QMenu::aboutToShow, this, [view, back, forward] {
        back->setEnabled(view->canGoBack());
        forward->setEnabled(view->canGoForward());
    });
    connect(menu, &QMenu::aboutToHide, this, [back, forward] {
        back->setEnabled(true);
        forward->setEnabled(true);
    });
    makeTabActions(menu);
    addAction(menu, u"Show what is in sight as a ta&ble"_s,
              u"List the events of the visible times and lanes; the table follows them"_s,
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)}, [this] { listInSight(); });
    addAction(menu, u"&Show the worst copy"_s, u"Zoom to the copy with the most time outside kernels"_s,
              {ctrl(Qt::Key_J)}, [this] {
                  const EventIndex copy = worstExposedCopy(m_document);
                  if (copy.valid())
                      emit m_verdict->showRequested(copy);
              });
    addAction(menu, u"&Next evidence"_s, u"Go to the next event of the last finding"_s, {QKeySequence(Qt::Key_F8)},
              [this] { showEvidence(1); });
    addAction(menu, u"&Previous evidence"_s, u"Go to its previous event"_s, {QKeySequence(Qt::SHIFT | Qt::Key_F8)},
              [this] { showEvidence(-1); });
    addAction(menu, u"W&hat if"_s, u"Try changes: what a step would take with them, and the timeline"_s,
              {ctrl(Qt::Key_T)}, [this] {
                  m_bottomDock->show();
                  m_secondTimelines->openWhatIf();
              });
    menu->addSeparator();
    QAction* causes =
        addAction(menu, u"Color idle time by ca&use"_s, u"Mark every gap between kernels with the color of its cause"_s,
                  {ctrl(Qt::Key_I)}, [this] { m_timeline->setIdleShown(!m_timeline->idleShown()); });
    causes->setCheckable(true);
    QAction* kept =
        addAction(menu, u"&Keep the GPU's lanes in sight"_s,
                  u"Let copies and kernels stay below the other lanes where those are scrolled"_s, {}, [this] {
                      m_timeline->setEnginesKept(!m_timeline->enginesKept());
                      if (m_remember)
                          QSettings().setValue(kKeepEngines, m_timeline->enginesKept());
                  });
    kept->setCheckable(true);
    if (m_remember)
        m_timeline->setEnginesKept(QSettings().value(kKeepEngines, true).toBool());
    kept->setChecked(m_timeline->enginesKept());
    QMenu* gauges = menu->addMenu(u"&Gauges"_s);
    gauges->setObjectName("gaugesMenu");
    connect(gauges, &QMenu::aboutToShow, this, [this, gauges] {
        gauges->clear();
        GaugeMenu::fillWithGauges(gauges, m_timeline, m_gauges);
    });
    addAction(menu, u"Show &hidden tracks"_s, u"Show every track and gauge that was hidden"_s, {}, [this] {
        m_timeline->arrange([](TrackArrangement& arrangement, const Trace&) { arrangement.showAll(); });
    });
    addAction(menu, u"&Collapse all tracks"_s, u"Show one row for each track"_s, {},
              [this] { m_timeline->collapseAll(); });
    addAction(menu, u"&Expand all tracks"_s, u"Show every row of every track"_s, {},
              [this] { m_timeline->expandAll(); });
    menu->addSeparator();
    for (QDockWidget* dock : std::initializer_list<QDockWidget*>{m_laboratoryDock, m_detailsDock, m_bottomDock})
        menu->addAction(dock->toggleViewAction());
    addAction(menu, u"&Default layout"_s, u"Put every dock back where it was on the first start"_s, {},
              [this] { resetLayout(); });
    menu->addSeparator();
    QMenu* themes = menu->addMenu(u"&Theme"_s);
    auto* group = new QActionGroup(this);
    for (const auto& [label, theme] :
         {std::pair{u"&System"_s, Theme::System}, std::pair{u"&Light"_s, Theme::Light},
          std::pair{u"&Dark"_s, Theme::Dark}, std::pair{u"&High contrast"_s, Theme::HighContrast}}) {
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
    makeMotionMenu(menu->addMenu(u"&Motion"_s));
    return menu;
}

void MainWindow::makeMotionMenu(QMenu* menu)
{
    using Choice = MotionChoice::Choice;
    auto* motion = new MotionChoice(this);
    if (m_remember) {
        const QSettings settings;
        const int kept =
            settings.value(kMotion, settings.value(kReducedMotion).toBool() ? int(Choice::Reduced) : 0).toInt();
        motion->choose(kept == int(Choice::Full) || kept == int(Choice::Reduced) ? static_cast<Choice>(kept)
                                                                                 : Choice::Desktop);
        // Once the window is there: a desktop may be slow to say.
        QTimer::singleShot(kAskDesktopMs, motion, &MotionChoice::askDesktop);
    }
    auto* group = new QActionGroup(menu);
    const auto add = [&](const QString& label, const QString& meaning, Choice choice) {
        QAction* action = addAction(menu, label, meaning, {}, [this, motion, choice] {
            motion->choose(choice);
            if (m_remember)
                QSettings().setValue(kMotion, static_cast<int>(choice));
        });
        action->setCheckable(true);
        action->setChecked(motion->choice() == choice);
        group->addAction(action);
    };
    add(u"As the &desktop"_s, u"Reduce motion where the desktop's own settings do"_s, Choice::Desktop);
    add(u"&Full"_s, u"Let zooms and pans glide, whatever the desktop says"_s, Choice::Full);
    add(u"&Reduced"_s, u"Let zooms and pans jump instead of glide, and no text cursor blink"_s, Choice::Reduced);
}

QMenu* MainWindow::makeHelpMenu()
{
    QMenu* menu = menuBar()->addMenu(u"&Help"_s);
    addAction(menu, u"&Help"_s, u"What the figures mean and why copies hide or do not"_s, {QKeySequence(Qt::Key_F1)},
              [this] { showHelp(HelpWindow::pages().front()); });
    addAction(menu, u"&Keyboard and mouse"_s, u"Every key and gesture"_s, {QKeySequence(Qt::Key_Question)},
              [this] { showHelp(HelpWindow::kKeys); });
    addAction(menu, u"&First steps"_s, u"Start over with the first scenario and the hint what to try"_s, {}, [this] {
        m_document.simulateWith([this] { m_document.laboratory()->applyPreset(allPresets().front()); });
        m_hint->offer();
    });
    menu->addSeparator();
    addAction(menu, u"&About Overlane"_s, u"Version, license, and what this machine offers"_s, {},
              [this] { showAbout(this); });
    return menu;
}

void MainWindow::makeSampleMenu(QMenu* menu)
{
    menu->setObjectName("samples");
    for (const Sample& sample : samples())
        addAction(menu, sample.title, sample.meaning, {}, [this, path = sample.path] { openFile(path); });
    if (menu->isEmpty())
        menu->addAction(u"This copy of Overlane came without samples"_s)->setEnabled(false);
}

void MainWindow::fillRecentMenu()
{
    m_recent->clear();
    const QStringList paths = RecentFiles().paths();
    for (const QString& path : paths) {
        QString shown = path;
        constexpr qsizetype kMostHeadline = 70;
        if (const QString headline = RecentFiles().headline(path); !headline.isEmpty())
            shown += u"   "_s + elidedInTheMiddle(headline, kMostHeadline);
        QAction* action = m_recent->addAction(shown.replace('&', u"&&"_s));
        connect(action, &QAction::triggered, this, [this, path] { openRecent(path); });
    }
    if (paths.isEmpty()) {
        m_recent->addAction(u"Nothing opened yet"_s)->setEnabled(false);
        return;
    }
    m_recent->addSeparator();
    connect(m_recent->addAction(u"&Clear the list"_s), &QAction::triggered, this, [] { RecentFiles().clear(); });
}

}  // namespace overlane
