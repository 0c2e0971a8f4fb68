// PressurePage: the memory experiment in the window: what it would do, why it may not run here, how it goes
// on, and what it showed beside what the model says.
//
// Lives on the GUI thread. Only looks at the machine; the experiment is a program of its own (PressureRun).
#pragma once

#include <functional>

#include <QTimer>
#include <QWidget>

#include "app/machine/pressure_run.h"
#include "app/widgets/cell_table.h"
#include "core/pressure/pressure_plan.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;
class QVBoxLayout;

namespace overlane
{

class PressurePage : public QWidget
{
    Q_OBJECT

public:
    explicit PressurePage(QWidget* parent = nullptr);

    PressureRun* run() { return &m_run; }
    // What decides whether it may run; otherwise asked of this machine.
    void setFacts(std::function<PressureFacts(const PressurePlan&)> facts);
    // Looks again at the machine.
    void refresh();

signals:
    void helpRequested(const QString& page);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showPlan();
    void showReport(const PressureReport& report);
    void showRunning();
    void say(const QString& words, const QColor& color);

    PressureRun m_run;
    std::function<PressureFacts(const PressurePlan&)> m_facts;
    std::vector<std::string> m_refusals;
    QTimer m_lookAgain;  // while it may not run: what hinders it may pass
    QLabel* m_promise;
    QWidget* m_refused;
    QVBoxLayout* m_reasons;
    QPushButton* m_start;
    QPushButton* m_cancel;
    QProgressBar* m_progress;
    QLabel* m_now;
    CellTable m_steps;
    QTableView* m_table;
    QLabel* m_conclusion;
};

}  // namespace overlane
