// JobTool: the ranks of a job as a page in the place of the timeline; a rank opens as a trace in a tab.
//
// Lives on the GUI thread, as a child of the window it is plugged into.
#pragma once

#include <QObject>

#include "app/widgets/file_chooser.h"

namespace overlane
{

class JobPage;
class Shell;

class JobTool : public QObject
{
    Q_OBJECT

public:
    explicit JobTool(Shell* shell);

    void open(const QStringList& paths);
    JobPage* page();  // made when it is first asked for

private:
    void ask();
    void showPage();
    void leave();

    Shell* m_shell;
    JobPage* m_page = nullptr;
    FileChooser m_chooser;
};

}  // namespace overlane
