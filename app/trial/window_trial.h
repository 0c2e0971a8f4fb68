// WindowTrial: "Try it ..." in a window's What if: the dialog, what it is filled with, and the end of a trial that
// goes on while the dialog is closed.
//
// Lives on the GUI thread, as a child of the window it adds to. With `remember`, budget and folder of the last trial
// come back, and what was recorded last is suggested.
#pragma once

#include <QObject>
#include <QPointer>

class QMessageBox;

namespace overlane
{

class MainWindow;
class TrialDialog;

class WindowTrial : public QObject
{
    Q_OBJECT

public:
    WindowTrial(MainWindow* window, bool remember);
    ~WindowTrial() override;

    TrialDialog* open();
    TrialDialog* dialog() const { return m_dialog; }

protected:
    // The window does not close over a trial without asking.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeDialog();
    void suggest();
    void store() const;
    void tellEnd(const QString& sentence);
    void askBeforeClosing();

    MainWindow* m_window;
    const bool m_remember;
    bool m_leaving = false;
    TrialDialog* m_dialog = nullptr;
    QPointer<QMessageBox> m_question;
};

}  // namespace overlane
