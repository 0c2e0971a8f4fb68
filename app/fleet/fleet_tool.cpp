#include "app/fleet/fleet_tool.h"

#include "app/fleet/fleet_page.h"
#include "app/session/document.h"
#include "app/session/shell.h"
#include "app/widgets/text.h"

namespace overlane
{

FleetTool::FleetTool(Shell* shell) : QObject(shell->window()), m_shell(shell)
{
    shell->addEntry(Shell::Menu::Tools,
                    {.label = u"&Fleet of many runs"_s,
                     .meaning = u"What many runs lost, what became slower, and which to look at first"_s,
                     .keys = Qt::CTRL | Qt::SHIFT | Qt::Key_F,
                     .objectName = u"fleetAction"_s},
                    [this] { m_shell->showPage(page()); });
    connect(shell, &Shell::fleetRequested, this, &FleetTool::open);
    connect(shell, &Shell::closing, this, &FleetTool::leave);
    connect(shell->document(), &Document::opened, this, &FleetTool::leave);
}

FleetPage* FleetTool::page()
{
    if (m_page == nullptr) {
        m_page = new FleetPage(m_shell->window());
        m_shell->addPage(m_page);
        connect(m_page, &FleetPage::openRequested, this, &FleetTool::ask);
        connect(m_page, &FleetPage::closeRequested, this, &FleetTool::leave);
        connect(m_page, &FleetPage::runOpened, m_shell, &Shell::openFile);
    }
    return m_page;
}

void FleetTool::ask()
{
    const QString folder = m_chooser.toFolder(m_shell->window(), u"Open the folder of a fleet"_s, {});
    if (!folder.isEmpty())
        open(folder);
}

void FleetTool::open(const QString& path)
{
    if (m_shell->page() != page())
        m_shell->showPage(page());
    page()->open(path);
}

void FleetTool::leave()
{
    if (m_page == nullptr || m_shell->page() != m_page)
        return;
    m_shell->leavePage();
    Document* document = m_shell->document();
    if (!document->trace() && !document->busy())
        document->simulate();  // the window began with the fleet
}

}  // namespace overlane
