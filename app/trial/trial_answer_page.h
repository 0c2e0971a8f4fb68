// TrialAnswerPage: what a trial answered: a sentence, the settings with their times, the lines to change, remarks; or
// why there is no answer.
//
// Lives on the GUI thread.
#pragma once

#include <QWidget>

#include "app/widgets/cell_table.h"
#include "core/trial/trial_answer.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace overlane
{

class DataTable;
class Document;
class MarkedLabel;

class TrialAnswerPage : public QWidget
{
    Q_OBJECT

public:
    // The document tells of what the table cannot export.
    explicit TrialAnswerPage(Document* document, QWidget* parent = nullptr);

    // `said` are sentences that came on the way.
    void show(const TrialAnswer& answer, const QStringList& said);
    // The first line is the sentence, the others are what the program printed.
    void showFailure(const QString& words, const QString& advice);
    void showCancelled();
    // Before there is anything to show.
    void clear();
    const QString& sentence() const { return m_said; }

protected:
    void changeEvent(QEvent* event) override;

private:
    enum class Mark : std::uint8_t { Good, Unsure, Nothing, Failure };

    QWidget* makeChange();
    void say(const QString& sentence, Mark mark);
    void dress();
    void fillTable(const TrialAnswer& answer);
    void showCode(const QString& title, const QString& code, bool toCopy);
    void copy();

    Mark m_mark = Mark::Nothing;
    QString m_said;
    MarkedLabel* m_sentence;
    QLabel* m_about;
    CellTable m_cells;
    DataTable* m_table;
    QWidget* m_change;
    QLabel* m_changeTitle;
    QPushButton* m_copy;
    QPlainTextEdit* m_code;
    QLabel* m_remarks;
};

}  // namespace overlane
