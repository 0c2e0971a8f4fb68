// FleetPage: many runs in the place of the timeline: what they lost and to what, how well their copies hide, what
// became slower, and the runs themselves, filtered by a click on any of these.
//
// Lives on the GUI thread; reads through its FleetSource. Opens no trace itself: runOpened() asks for it.
#pragma once

#include <memory>
#include <optional>

#include <QTimer>
#include <QWidget>

#include "app/fleet/fleet_source.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QModelIndex;
class QProgressBar;
class QPushButton;
class QTabWidget;

namespace overlane
{

class CellTable;
class DataTable;
class FleetCauses;
class FleetRuns;
class MessageBar;
class OverlapHistogram;

class FleetPage : public QWidget
{
    Q_OBJECT

public:
    explicit FleetPage(QWidget* parent = nullptr);

    void open(const QString& path);
    // Nothing is being read, and what was asked for last is listed.
    bool settled() const { return !m_source.busy() && !m_soon.isActive(); }
    DataTable* runs() const { return m_runTable; }
    DataTable* causes() const { return m_causeTable; }
    OverlapHistogram* histogram() const { return m_histogram; }
    QString answer() const;
    QString countText() const;
    QString errorText() const;  // why nothing is shown; empty where runs are

signals:
    void runOpened(const QString& path);
    void openRequested();  // another fleet
    void closeRequested();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* makeHead();
    QWidget* makeOverview();
    QWidget* makeRuns();
    void show(const std::shared_ptr<const FleetPicture>& picture);
    void showList(const std::shared_ptr<const FleetList>& list);
    void writeAnswer();
    void chooseBin(std::size_t bin);
    void chooseCause(const QModelIndex& row);
    void forgetFilters();
    void askSoon();
    void ask();
    void openRun(const QModelIndex& row);

    FleetSource m_source;
    std::shared_ptr<const FleetPicture> m_picture;
    std::shared_ptr<const FleetList> m_list;
    FleetQuery m_query;
    QTimer m_soon;  // a query per pause in typing
    QLabel* m_title;
    QLabel* m_answer;
    MessageBar* m_message;
    QWidget* m_progressRow;
    QProgressBar* m_progress;
    OverlapHistogram* m_histogram;
    FleetCauses* m_causes;
    FleetRuns* m_runs;
    CellTable* m_changes;
    CellTable* m_versions;
    DataTable* m_causeTable;
    DataTable* m_runTable;
    QTabWidget* m_tables;
    QLineEdit* m_text;
    QComboBox* m_group;
    QComboBox* m_state;
    QPushButton* m_all;
    QWidget* m_content = nullptr;  // hidden until a fleet was read
    QLabel* m_count;
};

}  // namespace overlane
