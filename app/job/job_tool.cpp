#include "app/job/job_tool.h"

#include "app/job/job_page.h"
#include "app/session/document.h"
#include "app/session/shell.h"
#include "app/widgets/text.h"

namespace overlane
{

JobTool::JobTool(Shell* shell) : QObject(shell->window()), m_shell(shell)
{
    shell->addEntry(Shell::Menu::Tools,
                    {.label = u"&Job of many ranks"_s,
                     .meaning = u"A folder with a trace of each rank: who is slow, and who waits"_s,
                     .keys = Qt::CTRL | Qt::SHIFT | Qt::Key_J,
                     .objectName = u"jobAction"_s},
                    [this] { showPage(); });
    connect(shell, &Shell::jobRequested, this, &JobTool::open);
    connect(shell, &Shell::closing, this, &JobTool::leave);
    connect(shell->document(), &Document::opened, this, &JobTool::leave);
}

JobPage* JobTool::page()
{
    if (m_page == nullptr) {
        m_page = new JobPage(m_shell->window());
        m_shell->addPage(m_page);
        connect(m_page, &JobPage::openRequested, this, &JobTool::ask);
        connect(m_page, &JobPage::closeRequested, this, &JobTool::leave);
        connect(m_page, &JobPage::rankOpened, m_shell, &Shell::openFile);
    }
    return m_page;
}

// A trace of several GPUs is a job by itself, unless another one is open.
void JobTool::showPage()
{
    const Document* document = m_shell->document();
    const bool hasGpus = document->trace() && document->trace()->devices().size() > 1 && !document->path().isEmpty();
    if (hasGpus && page()->isEmptyOrOfGpus() && page()->paths() != QStringList{document->path()})
        open({document->path()});
    else
        m_shell->showPage(page());
}

void JobTool::ask()
{
    const QString folder = m_chooser.toFolder(m_shell->window(), u"Open the folder of a job's ranks"_s, {});
    if (!folder.isEmpty())
        open({folder});
}

void JobTool::open(const QStringList& paths)
{
    if (m_shell->page() != page())
        m_shell->showPage(page());
    page()->open(paths);
}

void JobTool::leave()
{
    if (m_page == nullptr || m_shell->page() != m_page)
        return;
    m_shell->leavePage();
    Document* document = m_shell->document();
    if (!document->trace() && !document->busy())
        document->simulate();  // the window began with the job
}

}  // namespace overlane
