// The menus of MainWindow: every action with its keys, in one place.
#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QUndoStack>

#include "app/timeline/timeline_view.h"
#include "app/ui/help_dialogs.h"
#include "app/ui/main_window.h"
#include "app/ui/recent_files.h"
#include "app/ui/search_bar.h"
#include "app/ui/text.h"
#include "app/ui/verdict_bar.h"
#include "core/io/format.h"

namespace overlane
{

QAction* MainWindow::addAction(QMenu* menu, const QString& label, const QList<QKeySequence>& keys,
                               std::function<void()> run)
{
    auto* action = new QAction(label, this);
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    menu->addAction(action);
    return action;
}

void MainWindow::makeFileMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    addAction(menu, tr("&Open …"), {QKeySequence::Open}, [this] { askToOpen(); });
    m_recent = menu->addMenu(tr("Open &recent"));
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    menu->addSeparator();
    addAction(menu, tr("&Save"), {QKeySequence::Save}, [this] { save(); });
    addAction(menu, tr("Save &as …"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}, [this] { saveAs(); });
    menu->addSeparator();
    addAction(menu, tr("&Quit"), {QKeySequence::Quit}, [this] { close(); });
}

void MainWindow::makeEditMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Edit"));
    QUndoStack* undo = m_document.laboratory()->undoStack();
    QAction* back = undo->createUndoAction(this, tr("&Undo"));
    back->setShortcut(QKeySequence::Undo);
    QAction* again = undo->createRedoAction(this, tr("&Redo"));
    again->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    menu->addAction(back);
    menu->addAction(again);
    menu->addSeparator();
    addAction(menu, tr("&Keep as A, or drop A"), {QKeySequence(Qt::CTRL | Qt::Key_K)}, [this] {
        if (m_document.baseline().trace)
            m_document.dropBaseline();
        else
            m_document.keepAsBaseline();
    });
    addAction(menu, tr("Show the &laboratory's run"), {QKeySequence(Qt::CTRL | Qt::Key_R)},
              [this] { m_document.simulate(); });
    menu->addSeparator();
    addAction(menu, tr("&Find …"), {QKeySequence::Find, QKeySequence(Qt::Key_Slash)}, [this] { m_search->open(); });
    addAction(menu, tr("Find &next"), {QKeySequence(Qt::Key_F3)}, [this] { m_search->next(); });
    addAction(menu, tr("Find &previous"), {QKeySequence(Qt::SHIFT | Qt::Key_F3)}, [this] { m_search->previous(); });
}

void MainWindow::makeViewMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    ViewRange* view = m_document.view();
    QAction* back = addAction(menu, tr("Zoom &back"), {QKeySequence(Qt::ALT | Qt::Key_Left)}, [view] { view->back(); });
    QAction* forward =
        addAction(menu, tr("Zoom f&orward"), {QKeySequence(Qt::ALT | Qt::Key_Right)}, [view] { view->forward(); });
    connect(menu, &QMenu::aboutToShow, this, [view, back, forward] {
        back->setEnabled(view->canGoBack());
        forward->setEnabled(view->canGoForward());
    });
    connect(menu, &QMenu::aboutToHide, this, [back, forward] {
        back->setEnabled(true);
        forward->setEnabled(true);
    });
    addAction(menu, tr("&Whole trace"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, [view] { view->fitAll(); });
    addAction(menu, tr("&Show the worst copy"), {QKeySequence(Qt::CTRL | Qt::Key_J)}, [this] {
        const EventIndex copy = worstExposedCopy(m_document);
        if (copy.valid())
            emit m_verdict->showRequested(copy);
    });
    menu->addSeparator();
    addAction(menu, tr("&Collapse all tracks"), {}, [this] { m_timeline->collapseAll(); });
    addAction(menu, tr("&Expand all tracks"), {}, [this] { m_timeline->expandAll(); });
    menu->addSeparator();
    for (QDockWidget* dock : {m_laboratoryDock, m_detailsDock, m_bottomDock})
        menu->addAction(dock->toggleViewAction());
    addAction(menu, tr("&Default layout"), {}, [this] {
        for (QDockWidget* dock : {m_laboratoryDock, m_detailsDock, m_bottomDock}) {
            dock->setFloating(false);
            dock->show();
        }
        arrangeDocks();
    });
    menu->addSeparator();
    QMenu* themes = menu->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(this);
    for (const auto& [label, theme] : {std::pair{tr("&System"), Theme::System}, std::pair{tr("&Light"), Theme::Light},
                                       std::pair{tr("&Dark"), Theme::Dark}}) {
        QAction* action = addAction(themes, label, {}, [this, wanted = theme] {
            setTheme(wanted);
            if (m_remember)
                QSettings().setValue("theme", static_cast<int>(wanted));
        });
        action->setCheckable(true);
        group->addAction(action);
        connect(themes, &QMenu::aboutToShow, action,
                [this, action, wanted = theme] { action->setChecked(m_theme == wanted); });
    }
}

void MainWindow::makeHelpMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    addAction(menu, tr("&Keyboard and mouse"), {QKeySequence(Qt::Key_F1)}, [this] { showShortcuts(this); });
    addAction(menu, tr("&About Overlane"), {}, [this] { showAbout(this); });
}

void MainWindow::fillRecentMenu()
{
    m_recent->clear();
    for (const QString& path : RecentFiles().paths()) {
        QAction* action = m_recent->addAction(path);
        connect(action, &QAction::triggered, this, [this, path] { openFile(path); });
    }
    if (m_recent->isEmpty())
        m_recent->addAction(tr("Nothing opened yet"))->setEnabled(false);
}

void MainWindow::askToOpen()
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
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a trace"), QString(), filters.join(";;"));
    if (!path.isEmpty())
        openFile(path);
}

bool MainWindow::save()
{
    if (m_document.path().endsWith(QStringLiteral(".overlane"))) {
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
        QFileDialog::getSaveFileName(this, tr("Save the trace"), m_document.path(), tr("Overlane traces (*.overlane)"));
    if (path.isEmpty())
        return false;
    if (!path.endsWith(QStringLiteral(".overlane")))
        path += QStringLiteral(".overlane");
    m_document.save(path);
    return true;
}

}  // namespace overlane
