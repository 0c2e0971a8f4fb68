// TrialForm: which program to try, where it runs and how long; the fields of TrialDialog.
//
// Lives on the GUI thread.
#pragma once

#include <QWidget>

#include "app/trial/suggested_trial.h"
#include "app/trial/trial_run.h"
#include "app/widgets/file_chooser.h"
#include "core/base/result.h"

class QLineEdit;
class QPushButton;

namespace overlane
{

class BudgetBox;

class TrialForm : public QWidget
{
    Q_OBJECT

public:
    explicit TrialForm(QWidget* parent = nullptr);

    void setFileChooser(FileChooser chooser) { m_chooser = std::move(chooser); }
    // Fills what nobody has changed since it was filled last.
    void suggest(const SuggestedTrial& suggested);
    void setBudget(qint64 seconds);
    // While a trial is under way: to be read and copied.
    void setReadOnly(bool readOnly);
    // The Error is for the person.
    Result<TrialRequest> request() const;
    bool isEmpty() const;
    QString command() const;

signals:
    void changed();

private:
    void chooseDirectory();

    FileChooser m_chooser;
    SuggestedTrial m_suggested;
    QLineEdit* m_command;
    QLineEdit* m_directory;
    QPushButton* m_choose;
    BudgetBox* m_budget;
};

}  // namespace overlane
