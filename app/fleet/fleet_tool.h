// FleetTool: many runs as a page in the place of the timeline; a run opens as a trace in a tab.
//
// Lives on the GUI thread, as a child of the window it is plugged into.
#pragma once

#include <QObject>

#include "app/widgets/file_chooser.h"

namespace overlane
{

class FleetPage;
class Shell;

class FleetTool : public QObject
{
    Q_OBJECT

public:
    explicit FleetTool(Shell* shell);

    void open(const QString& path);
    FleetPage* page();  // made when it is first asked for

private:
    void ask();
    void leave();

    Shell* m_shell;
    FleetPage* m_page = nullptr;
    FileChooser m_chooser;
};

}  // namespace overlane
