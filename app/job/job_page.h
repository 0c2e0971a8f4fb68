// JobPage: a job in the place of the timeline: who is slow and why, all ranks on one clock, and their figures.
//
// Lives on the GUI thread; reads through its JobSource. Opens no trace itself: rankOpened() asks for it.
#pragma once

#include <memory>

#include <QModelIndex>
#include <QWidget>

#include "app/job/job_source.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTabWidget;

namespace overlane
{

class Bookmarks;
class CellTable;
class DataTable;
class MessageBar;
class RankStrips;
class Selection;
class TimeRuler;
class ViewRange;

class JobPage : public QWidget
{
    Q_OBJECT

public:
    explicit JobPage(QWidget* parent = nullptr);

    void open(const QStringList& paths);
    const QStringList& paths() const { return m_source.paths(); }
    // No job of ranks is open here, so that another one takes nothing away.
    bool isEmptyOrOfGpus() const { return paths().isEmpty() || (m_picture && m_picture->ofGpus); }
    JobSource* source() { return &m_source; }
    RankStrips* strips() const { return m_strips; }
    DataTable* table() const { return m_rankTable; }
    QString answer() const;
    QString errorText() const;  // why nothing is shown; empty where ranks are

signals:
    void rankOpened(const QString& path);
    void openRequested();  // another job
    void closeRequested();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void show(const std::shared_ptr<const JobPicture>& picture);
    void showBusy(bool busy);
    void writeAnswer();
    void openRank(int rank);
    int rankOf(const QModelIndex& row) const;
    void chooseRow(int rank);

    JobSource m_source;
    std::shared_ptr<const JobPicture> m_picture;
    bool m_first = true;  // the next picture is a job's first: its range is taken
    QLabel* m_title;
    QLabel* m_answer;
    QLabel* m_notes;
    QLabel* m_rankWords;
    QLabel* m_legend;
    MessageBar* m_message;
    QWidget* m_progressRow;
    QProgressBar* m_progress;
    ViewRange* m_view;
    Selection* m_selection;
    Bookmarks* m_bookmarks;
    TimeRuler* m_ruler;
    RankStrips* m_strips;
    CellTable* m_ranks;
    CellTable* m_collectives;
    DataTable* m_rankTable;
    DataTable* m_collectiveTable;
    QTabWidget* m_tables;
    QWidget* m_all;
};

}  // namespace overlane
