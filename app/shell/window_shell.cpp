#include "app/shell/window_shell.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>

#include "app/second/second_timelines.h"
#include "app/second/what_if_panel.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/laboratory_dock.h"
#include "app/shell/lent_height.h"
#include "app/shell/main_window.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/message_bar.h"

namespace overlane
{

namespace
{

constexpr int kMessageMs = 8000;
constexpr int kSizeTries = 8;
constexpr int kSizeTryMs = 40;

}  // namespace

WindowShell::WindowShell(MainWindow* window, const Menus& menus)
    : Shell(window), m_window(window), m_menus(menus), m_usual(window->pages()->currentWidget())
{
    window->installEventFilter(this);
    connect(window, &MainWindow::lessonRequested, this, &Shell::lessonRequested);
    connect(window, &MainWindow::jobRequested, this, &Shell::jobRequested);
    connect(window, &MainWindow::fleetRequested, this, &Shell::fleetRequested);
    connect(window->secondTimelines()->whatIfPanel(), &WhatIfPanel::tryRequested, this, &Shell::tryRequested);
}

WindowShell::~WindowShell()
{
    m_window->removeEventFilter(this);
}

QWidget* WindowShell::window() const
{
    return m_window;
}

Document* WindowShell::document() const
{
    return m_window->document();
}

Recorder* WindowShell::recorder() const
{
    return m_window->recorder();
}

bool WindowShell::remembers() const
{
    return m_window->remembers();
}

void WindowShell::addEntry(Menu menu, const Entry& entry, std::function<void()> run)
{
    auto* action = new QAction(entry.label, m_window);
    action->setShortcut(entry.keys);
    action->setStatusTip(entry.meaning);
    action->setObjectName(entry.objectName);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    if (menu == Menu::Tools)
        m_menus.tools->addAction(action);
    else  // behind the first entry, the help itself
        m_menus.help->insertAction(m_menus.help->actions().value(++m_helpEntries), action);
}

void WindowShell::addTab(QWidget* tab, const QString& title)
{
    BottomPanel* tabs = m_window->bottomPanel();
    tabs->insertTab(tabs->indexOf(tabs->notes()), tab, title);  // the notes stay last
    m_window->lentHeight()->addPlot(tab);
}

void WindowShell::showTab(QWidget* tab)
{
    leavePage();  // a page stands in the place of the tabs
    m_window->showFigures(tab);
    tab->setFocus();
}

void WindowShell::addPage(QWidget* page)
{
    page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);  // until it is shown
    m_window->pages()->addWidget(page);
    connect(page, &QWidget::windowTitleChanged, m_window, [window = m_window, page] {
        if (window->pages()->currentWidget() == page)
            window->describeShown();
    });
}

void WindowShell::showPage(QWidget* page)
{
    leavePage();
    m_layout = m_window->saveState();
    for (QDockWidget* dock : m_window->findChildren<QDockWidget*>())
        dock->hide();
    for (QToolBar* bar : m_window->findChildren<QToolBar*>())
        bar->hide();
    setMenusEnabled(false);
    m_window->pages()->setCurrentWidget(page);
}

void WindowShell::leavePage()
{
    if (page() == nullptr)
        return;
    m_window->pages()->setCurrentWidget(m_usual);
    setMenusEnabled(true);
    m_window->restoreState(m_layout);
    m_window->laboratoryDock()->settle();  // a trace that was opened may be the reason
    m_window->timeline()->setFocus();
}

QWidget* WindowShell::page() const
{
    QWidget* shown = m_window->pages()->currentWidget();
    return shown == m_usual ? nullptr : shown;
}

// What edits or moves the trace would do so unseen; themes stay.
void WindowShell::setMenusEnabled(bool enabled)
{
    for (QAction* action : std::exchange(m_disabled, {}))
        action->setEnabled(true);
    if (enabled)
        return;
    // With all its keys: undo is switched on and off by its history.
    m_disabled << m_menus.edit->menuAction();
    for (QAction* action : m_menus.view->actions())
        if (action->menu() == nullptr && !action->isSeparator() && action->isEnabled())
            m_disabled << action;
    for (QAction* action : std::as_const(m_disabled))
        action->setEnabled(false);
}

void WindowShell::setFullScreen(bool full)
{
    if (std::exchange(m_isFull, full) == full)
        return;
    m_window->menuBar()->setVisible(!full);
    m_window->statusBar()->setVisible(!full);
    if (!m_window->isVisible())
        return;
    if (full) {
        m_states = m_window->windowState();
        m_geometry = m_window->geometry();
        m_window->setWindowState(m_states | Qt::WindowFullScreen);
        return;
    }
    m_window->setWindowState(m_states);
    if (m_states == Qt::WindowNoState)
        takeSizeAgain(kSizeTries);
}

// A page that fills the screen is large: until one layout later its least size keeps the window manager from making
// the window as small as it was, and when the manager ends the full screen it does not say.
void WindowShell::takeSizeAgain(int tries)
{
    QTimer::singleShot(kSizeTryMs, this, [this, tries] {
        if (m_window->windowState() != Qt::WindowNoState || m_isFull)
            return;
        if (m_window->size() != m_geometry.size())
            m_window->setGeometry(m_geometry);
        if (tries > 1)
            takeSizeAgain(tries - 1);
    });
}

void WindowShell::openFile(const QString& path)
{
    m_window->openFile(path);
}

void WindowShell::showHelp(const QString& page)
{
    m_window->showHelp(page);
}

void WindowShell::showLaboratory()
{
    m_window->laboratoryDock()->choose(true);
}

void WindowShell::showNotice(const QString& sentence)
{
    m_window->messageBar()->showNotice(sentence);
}

void WindowShell::say(const QString& sentence)
{
    m_window->statusBar()->showMessage(sentence, kMessageMs);
}

void WindowShell::offerToTry()
{
    m_window->secondTimelines()->whatIfPanel()->offerToTry();
}

void WindowShell::askBeforeClosing(std::function<bool()> mayClose)
{
    m_mayClose.push_back(std::move(mayClose));
}

void WindowShell::close()
{
    QMetaObject::invokeMethod(m_window, &QWidget::close, Qt::QueuedConnection);
}

bool WindowShell::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_window || event->type() != QEvent::Close)
        return Shell::eventFilter(watched, event);
    const bool stays =
        std::any_of(m_mayClose.begin(), m_mayClose.end(), [](const auto& mayClose) { return !mayClose(); });
    if (stays) {
        event->ignore();
        return true;
    }
    emit closing();  // the window keeps the layout of its docks, not of a page
    return Shell::eventFilter(watched, event);
}

}  // namespace overlane
