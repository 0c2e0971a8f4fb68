// MachineTool: the dialog about this machine in the menu, with a calculator that takes the laboratory's settings and
// gives its own back.
//
// Lives on the GUI thread, as a child of the window it is plugged into.
#pragma once

#include <QObject>

namespace overlane
{

class MachineDialog;
class Shell;

class MachineTool : public QObject
{
    Q_OBJECT

public:
    explicit MachineTool(Shell* shell);

    MachineDialog* open();

private:
    void makeDialog();

    Shell* m_shell;
    MachineDialog* m_dialog = nullptr;
};

}  // namespace overlane
