#include "app/trial/trial_tool.h"

#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include "app/session/document.h"
#include "app/session/gpu_runs.h"
#include "app/session/recorder.h"
#include "app/session/shell.h"
#include "app/trial/trial_dialog.h"
#include "app/trial/trial_form.h"
#include "app/widgets/text.h"

namespace overlane
{

TrialTool::TrialTool(Shell* shell, bool remember) : QObject(shell->window()), m_shell(shell), m_remember(remember)
{
    connect(shell, &Shell::tryRequested, this, &TrialTool::open);
    shell->offerToTry();
    shell->askBeforeClosing([this] { return mayClose(); });
}

TrialDialog* TrialTool::open()
{
    if (m_dialog == nullptr)
        makeDialog();
    suggest();
    if (m_dialog->run()->program().isEmpty())
        m_dialog->run()->setProgram(OverlaneProcess::usualProgram());  // installed by now, perhaps
    m_dialog->refresh();
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
    return m_dialog;
}

void TrialTool::makeDialog()
{
    m_dialog = new TrialDialog(m_shell->document(), m_shell->window());
    m_dialog->setHindrance([this] {
        return m_shell->recorder()->recording() || m_shell->document()->gpuRuns()->busy()
                   ? u"The window records or runs on the GPU just now, which would be timed, too. Wait for its end, "
                     "or stop it."_s
                   : QString();
    });
    if (m_remember)
        m_dialog->form()->setBudget(QSettings().value("try/budgetSeconds").toLongLong());
    connect(m_dialog, &TrialDialog::started, this, &TrialTool::store);
    connect(m_dialog, &TrialDialog::ended, this, &TrialTool::tellEnd);
    connect(m_dialog, &TrialDialog::helpRequested, this, [this](const QString& page) { m_shell->showHelp(page); });
}

void TrialTool::suggest()
{
    if (m_dialog->run()->running())
        return;
    LastRecorded last;
    QSettings settings;
    if (m_remember)
        last = {settings.value("record/command").toString(), settings.value("record/directory").toString(),
                settings.value("record/environment").toString()};
    const auto& trace = m_shell->document()->trace();
    SuggestedTrial suggested = suggestedTrial(trace ? &trace->metadata() : nullptr, last);
    // Where the same was tried the last time.
    if (m_remember && !suggested.command.isEmpty() && settings.value("try/command").toString() == suggested.command)
        suggested.directory = settings.value("try/directory").toString();
    m_dialog->form()->suggest(suggested);
}

void TrialTool::store() const
{
    if (!m_remember)
        return;
    const TrialRequest& request = m_dialog->run()->request();
    QSettings settings;
    settings.setValue("try/command", m_dialog->form()->command());
    settings.setValue("try/directory", request.directory);
    settings.setValue("try/budgetSeconds", request.budgetSeconds);
}

void TrialTool::tellEnd(const QString& sentence)
{
    if (m_leaving || m_dialog->isVisible())
        return;
    m_shell->showNotice(u"The trial of settings has ended. %1 Try it … in What if shows it."_s.arg(sentence));
}

bool TrialTool::mayClose()
{
    if (m_dialog == nullptr || !m_dialog->run()->running())
        return true;
    if (!m_leaving)
        askBeforeClosing();
    return false;
}

void TrialTool::askBeforeClosing()
{
    if (m_question != nullptr)
        return;
    m_question = new QMessageBox(QMessageBox::Question, u"Settings are being tried"_s,
                                 u"A program is run with other settings just now. Close the window all the same? "
                                 "That ends its run, and what is known so far is lost."_s,
                                 QMessageBox::NoButton, m_shell->window());
    m_question->setObjectName("trialLeaveQuestion");
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* leave = m_question->addButton(u"&End it and close"_s, QMessageBox::DestructiveRole);
    leave->setObjectName("trialLeave");
    QPushButton* stay = m_question->addButton(QMessageBox::Cancel);
    m_question->setDefaultButton(stay);
    m_question->setEscapeButton(stay);
    connect(m_question, &QMessageBox::buttonClicked, this, [this, leave](QAbstractButton* chosen) {
        if (chosen != leave)
            return;
        m_leaving = true;
        TrialRun* run = m_dialog->run();
        const auto close = [this, run] {
            if (run->running())
                return;
            m_leaving = false;
            m_shell->close();
        };
        connect(run, &TrialRun::runningChanged, this, close);
        run->cancel();
        close();
    });
    m_question->open();
}

}  // namespace overlane
