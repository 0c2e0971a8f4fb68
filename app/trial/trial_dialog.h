// TrialDialog: asks which program to try, shows each run as it ends, and the answer.
//
// Lives on the GUI thread, beside the main window, without stopping it. Owns the trial: one at a time. Closed while
// one is under way it asks; what goes on is there when it is shown again. Destroyed, it ends it.
#pragma once

#include <functional>
#include <vector>

#include <QDialog>
#include <QPointer>
#include <QStringList>
#include <QTimer>

#include "app/trial/trial_run.h"
#include "app/widgets/cell_table.h"

class QLabel;
class QMessageBox;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTabWidget;
class QVBoxLayout;

namespace overlane
{

class DataTable;
class Document;
class MarkedLabel;
class TrialAnswerPage;
class TrialForm;

class TrialDialog : public QDialog
{
    Q_OBJECT

public:
    explicit TrialDialog(Document* document, QWidget* parent = nullptr);
    ~TrialDialog() override;

    TrialRun* run() { return &m_run; }
    TrialForm* form() const { return m_form; }
    // Asked before a start: why none may be now; empty: it may.
    void setHindrance(std::function<QString()> hindrance) { m_hindrance = std::move(hindrance); }
    // Looks again at what is there: the program, a Python.
    void refresh();
    QString sentence() const;
    void reject() override;

signals:
    void started();
    // The end of a trial, with the sentence that is shown.
    void ended(const QString& sentence);
    void helpRequested(const QString& page);

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeBody();
    void makeRunning(QVBoxLayout* column);
    QWidget* makeFoot();
    void start();
    void take(const TrialNews& news);
    void showRunning();
    void showTime();
    void showEnd();
    void showError(const QString& sentence);
    void showRuns();
    QString emptyText() const;
    void dress();
    void askBeforeClosing();

    TrialRun m_run;
    std::function<QString()> m_hindrance;
    QTimer m_tick;
    Table m_ran;
    QStringList m_said;  // on the way, beside runs
    QPointer<QMessageBox> m_question;
    CellTable m_cells;
    MarkedLabel* m_warning;
    TrialForm* m_form;
    QLabel* m_error;
    QPushButton* m_start;
    QPushButton* m_cancel;
    QProgressBar* m_progress;
    QLabel* m_time;
    QLabel* m_now;
    QStackedWidget* m_stack;
    QLabel* m_empty;
    QTabWidget* m_tabs;
    DataTable* m_runs;
    TrialAnswerPage* m_answer;
};

}  // namespace overlane
