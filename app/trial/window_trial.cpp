#include "app/trial/window_trial.h"

#include <QEvent>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include "app/trial/trial_dialog.h"
#include "app/trial/trial_form.h"
#include "app/ui/main_window.h"
#include "app/ui/message_bar.h"
#include "app/ui/recorder.h"
#include "app/ui/split_view.h"
#include "app/ui/what_if_panel.h"

namespace overlane
{

WindowTrial::WindowTrial(MainWindow* window, bool remember) : QObject(window), m_window(window), m_remember(remember)
{
    WhatIfPanel* panel = window->split()->whatIfPanel();
    connect(panel, &WhatIfPanel::tryRequested, this, &WindowTrial::open);
    panel->offerToTry();
    window->installEventFilter(this);
}

WindowTrial::~WindowTrial()
{
    m_window->removeEventFilter(this);
}

TrialDialog* WindowTrial::open()
{
    if (m_dialog == nullptr)
        makeDialog();
    suggest();
    if (m_dialog->run()->program().isEmpty())
        m_dialog->run()->setProgram(TrialRun::usualProgram());  // installed by now, perhaps
    m_dialog->refresh();
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
    return m_dialog;
}

void WindowTrial::makeDialog()
{
    m_dialog = new TrialDialog(m_window->document(), m_window);
    m_dialog->setHindrance([this] {
        return m_window->recorder()->recording() || m_window->document()->gpuRuns()->busy()
                   ? tr("The window records or runs on the GPU just now, which would be timed, too. Wait for its end, "
                        "or stop it.")
                   : QString();
    });
    if (m_remember)
        m_dialog->form()->setBudget(QSettings().value("try/budgetSeconds").toLongLong());
    connect(m_dialog, &TrialDialog::started, this, &WindowTrial::store);
    connect(m_dialog, &TrialDialog::ended, this, &WindowTrial::tellEnd);
    connect(m_dialog, &TrialDialog::helpRequested, this, [this](const QString& page) { m_window->showHelp(page); });
}

void WindowTrial::suggest()
{
    if (m_dialog->run()->running())
        return;
    LastRecorded last;
    QSettings settings;
    if (m_remember)
        last = {settings.value("record/command").toString(), settings.value("record/directory").toString(),
                settings.value("record/environment").toString()};
    const auto& trace = m_window->document()->trace();
    SuggestedTrial suggested = suggestedTrial(trace ? &trace->metadata() : nullptr, last);
    // Where the same was tried the last time.
    if (m_remember && !suggested.command.isEmpty() && settings.value("try/command").toString() == suggested.command)
        suggested.directory = settings.value("try/directory").toString();
    m_dialog->form()->suggest(suggested);
}

void WindowTrial::store() const
{
    if (!m_remember)
        return;
    const TrialRequest& request = m_dialog->run()->request();
    QSettings settings;
    settings.setValue("try/command", m_dialog->form()->command());
    settings.setValue("try/directory", request.directory);
    settings.setValue("try/budgetSeconds", request.budgetSeconds);
}

void WindowTrial::tellEnd(const QString& sentence)
{
    if (m_leaving || m_dialog->isVisible())
        return;
    m_window->messageBar()->showNotice(
        tr("The trial of settings has ended. %1 Try it … in What if shows it.").arg(sentence));
}

bool WindowTrial::eventFilter(QObject* watched, QEvent* event)
{
    const bool holds = event->type() == QEvent::Close && m_dialog != nullptr && m_dialog->run()->running();
    if (!holds)
        return QObject::eventFilter(watched, event);
    event->ignore();
    if (!m_leaving)
        askBeforeClosing();
    return true;
}

void WindowTrial::askBeforeClosing()
{
    if (m_question != nullptr)
        return;
    m_question = new QMessageBox(QMessageBox::Question, tr("Settings are being tried"),
                                 tr("A program is run with other settings just now. Close the window all the same? "
                                    "That ends its run, and what is known so far is lost."),
                                 QMessageBox::NoButton, m_window);
    m_question->setObjectName("trialLeaveQuestion");
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* leave = m_question->addButton(tr("&End it and close"), QMessageBox::DestructiveRole);
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
            QMetaObject::invokeMethod(m_window, &QWidget::close, Qt::QueuedConnection);
        };
        connect(run, &TrialRun::runningChanged, this, close);
        run->cancel();
        close();
    });
    m_question->open();
}

}  // namespace overlane
