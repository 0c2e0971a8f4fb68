// WindowCalibrate: the calibration dialog in a window's menu, and its profiles in the laboratory's list.
//
// Lives on the GUI thread, as a child of the window it adds to.
#pragma once

#include <QObject>

namespace overlane
{

class CalibrateDialog;
class MainWindow;

class WindowCalibrate : public QObject
{
    Q_OBJECT

public:
    explicit WindowCalibrate(MainWindow* window);

    CalibrateDialog* open();

private:
    void makeMenu();

    MainWindow* m_window;
    CalibrateDialog* m_dialog = nullptr;
};

}  // namespace overlane
