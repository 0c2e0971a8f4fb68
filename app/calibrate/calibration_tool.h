// CalibrationTool: the calibration dialog in the menu, and its profiles in the laboratory's list.
//
// Lives on the GUI thread, as a child of the window it is plugged into.
#pragma once

#include <QObject>

namespace overlane
{

class CalibrateDialog;
class Shell;

class CalibrationTool : public QObject
{
    Q_OBJECT

public:
    explicit CalibrationTool(Shell* shell);

    CalibrateDialog* open();

private:
    Shell* m_shell;
    CalibrateDialog* m_dialog = nullptr;
};

}  // namespace overlane
