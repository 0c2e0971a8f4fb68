#include "app/sweep/sweep_lab.h"

#include <QAction>
#include <QFile>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QStandardPaths>

#include "app/sweep/advisor_panel.h"
#include "app/sweep/sweep_library.h"
#include "app/sweep/sweep_panel.h"
#include "app/ui/bottom_panel.h"
#include "app/ui/document.h"
#include "app/ui/lent_height.h"
#include "app/ui/main_window.h"
#include "app/ui/text.h"

namespace overlane
{

SweepLab::SweepLab(MainWindow* window, const QString& folder)
    : QObject(window),
      m_window(window),
      m_library(new SweepLibrary(folder, this)),
      m_panel(new SweepPanel(m_library, window->document(), window->bottomPanel())),
      m_advisor(new AdvisorPanel(window->document(), window->bottomPanel()))
{
    BottomPanel* tabs = window->bottomPanel();
    // Before the notes, which stay last.
    const int notes = tabs->indexOf(tabs->notes());
    tabs->insertTab(notes, m_panel, tr("Sweeps"));
    tabs->insertTab(notes + 1, m_advisor, tr("Advisor"));
    connect(m_panel, &SweepPanel::pointChosen, this,
            [this](int sweep, qulonglong point) { showPoint(sweep, static_cast<std::size_t>(point)); });
    connect(m_panel, &SweepPanel::helpRequested, window, &MainWindow::showHelp);
    connect(m_advisor, &AdvisorPanel::helpRequested, window, &MainWindow::showHelp);
    for (QWidget* page : std::initializer_list<QWidget*>{m_panel, m_advisor})
        window->lentHeight()->addPlot(page);
    makeMenu();
    m_library->load();
}

QString SweepLab::usualFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/overlane/sweeps");
}

void SweepLab::makeMenu()
{
    QMenu* menu = m_window->menuBar()->findChild<QMenu*>(QStringLiteral("toolsMenu"));
    if (menu == nullptr) {
        menu = new QMenu(tr("&Tools"), m_window->menuBar());
        menu->setObjectName("toolsMenu");
        const QList<QAction*> menus = m_window->menuBar()->actions();
        m_window->menuBar()->insertMenu(menus.isEmpty() ? nullptr : menus.back(), menu);
    }
    const auto add = [&](const QString& label, const QString& meaning, const QKeySequence& keys, auto run) {
        auto* action = new QAction(label, m_window);
        action->setShortcut(keys);
        action->setStatusTip(meaning);
        connect(action, &QAction::triggered, this, run);
        menu->addAction(action);
    };
    add(tr("&Sweeps"), tr("Take one or two settings through their values and plot what changes"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W), [this] { openSweeps(); });
    add(tr("&Advisor"), tr("Find the best loader settings under a limit of memory"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A), [this] { openAdvisor(); });
}

void SweepLab::open(QWidget* tab)
{
    m_window->showFigures(tab);
    tab->setFocus();
}

void SweepLab::openSweeps()
{
    open(m_panel);
}

void SweepLab::openAdvisor()
{
    open(m_advisor);
}

void SweepLab::showPoint(int sweep, std::size_t point)
{
    const KeptSweep* kept = m_library->find(sweep);
    if (kept == nullptr || kept->sheet)
        return;
    const QString file = SweepLibrary::traceFile(*kept, point);
    if (!file.isEmpty() && QFile::exists(file)) {
        m_window->openFile(file);
        return;
    }
    // The laboratory takes the point's settings over, as one undo step, and runs them.
    Document* document = m_window->document();
    Laboratory* laboratory = document->laboratory();
    Laboratory::State state = laboratory->state();
    state.scenario = scenarioOf(kept->result.plan, point, 0);
    if (findDeviceProfile(kept->result.plan.deviceKey) != nullptr)
        state.deviceKey = kept->result.plan.deviceKey;
    document->simulateWith([laboratory, state] {
        if (state.scenario != laboratory->scenario() || state.deviceKey != laboratory->state().deviceKey)
            laboratory->takeOver(state, tr("Point of a sweep"));
    });
}

}  // namespace overlane
