// TrialTool: "Try it ..." beside predictions: the dialog, what it is filled with, and the end of a trial that goes on
// while the dialog is closed.
//
// Lives on the GUI thread, as a child of the window it is plugged into. With `remember`, budget and folder of the last
// trial come back, and what was recorded last is suggested.
#pragma once

#include <QObject>
#include <QPointer>

class QMessageBox;

namespace overlane
{

class Shell;
class TrialDialog;

class TrialTool : public QObject
{
    Q_OBJECT

public:
    TrialTool(Shell* shell, bool remember);

    TrialDialog* open();
    TrialDialog* dialog() const { return m_dialog; }

private:
    void makeDialog();
    void suggest();
    void store() const;
    void tellEnd(const QString& sentence);
    // The window does not close over a trial without asking.
    bool mayClose();
    void askBeforeClosing();

    Shell* m_shell;
    const bool m_remember;
    bool m_leaving = false;
    TrialDialog* m_dialog = nullptr;
    QPointer<QMessageBox> m_question;
};

}  // namespace overlane
