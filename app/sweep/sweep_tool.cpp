#include "app/sweep/sweep_tool.h"

#include <QFile>
#include <QStandardPaths>

#include "app/session/document.h"
#include "app/session/shell.h"
#include "app/sweep/advisor_panel.h"
#include "app/sweep/sweep_library.h"
#include "app/sweep/sweep_panel.h"
#include "app/widgets/text.h"

namespace overlane
{

SweepTool::SweepTool(Shell* shell, const QString& folder)
    : QObject(shell->window()),
      m_shell(shell),
      m_library(new SweepLibrary(folder, this)),
      m_panel(new SweepPanel(m_library, shell->document(), shell->window())),
      m_advisor(new AdvisorPanel(shell->document(), shell->window()))
{
    shell->addTab(m_panel, u"Sweeps"_s);
    shell->addTab(m_advisor, u"Advisor"_s);
    connect(m_panel, &SweepPanel::pointChosen, this,
            [this](int sweep, qulonglong point) { showPoint(sweep, static_cast<std::size_t>(point)); });
    connect(m_panel, &SweepPanel::helpRequested, shell, &Shell::showHelp);
    connect(m_advisor, &AdvisorPanel::helpRequested, shell, &Shell::showHelp);
    addMenu();
    m_library->load();
}

QString SweepTool::usualFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/overlane/sweeps"_s;
}

void SweepTool::addMenu()
{
    m_shell->addEntry(Shell::Menu::Tools,
                      {.label = u"&Sweeps"_s,
                       .meaning = u"Take one or two settings through their values and plot what changes"_s,
                       .keys = Qt::CTRL | Qt::SHIFT | Qt::Key_W},
                      [this] { openSweeps(); });
    m_shell->addEntry(Shell::Menu::Tools,
                      {.label = u"&Advisor"_s,
                       .meaning = u"Find the best loader settings under a limit of memory"_s,
                       .keys = Qt::CTRL | Qt::SHIFT | Qt::Key_A},
                      [this] { openAdvisor(); });
}

void SweepTool::openSweeps()
{
    m_shell->showTab(m_panel);
}

void SweepTool::openAdvisor()
{
    m_shell->showTab(m_advisor);
}

void SweepTool::showPoint(int sweep, std::size_t point)
{
    const KeptSweep* kept = m_library->find(sweep);
    if (kept == nullptr || kept->sheet)
        return;
    // What is shown stays in sight, as A; a run that was kept before remains A.
    Document* document = m_shell->document();
    if (document->trace() && !document->baseline().trace)
        document->keepAsBaseline();
    const QString file = SweepLibrary::traceFile(*kept, point);
    if (!file.isEmpty() && QFile::exists(file)) {
        m_shell->openFile(file);
        return;
    }
    // The laboratory takes the point's settings over, as one undo step, and runs them.
    Laboratory* laboratory = document->laboratory();
    Laboratory::State state = laboratory->state();
    state.scenario = scenarioOf(kept->result.plan, point, 0);
    if (findDeviceProfile(kept->result.plan.deviceKey) != nullptr)
        state.deviceKey = kept->result.plan.deviceKey;
    document->simulateWith([laboratory, state] {
        if (state.scenario != laboratory->scenario() || state.deviceKey != laboratory->state().deviceKey)
            laboratory->takeOver(state, u"Point of a sweep"_s);
    });
}

}  // namespace overlane
