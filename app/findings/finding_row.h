// FindingRow: one finding as a line that opens: severity, title, sentence, cost; below, when it is open,
// the costs in full, the change in PyTorch's and in CUDA's words, and the events that show it.
//
// Lives on the GUI thread; keeps a copy of its finding. Enter or Space opens it, Right and Left open and
// close it, N and P go through its evidence, W tries the change, Ctrl+C copies it as text.
#pragma once

#include <memory>

#include <QFrame>

#include "core/findings/finding.h"
#include "core/trace/trace.h"

class QLabel;
class QToolButton;

namespace overlane
{

class CostBar;
class ElidedLabel;
class SeverityMark;

class FindingRow : public QFrame
{
    Q_OBJECT

public:
    explicit FindingRow(QWidget* parent = nullptr);

    void setFinding(std::shared_ptr<const Trace> trace, const Finding& finding);
    const Finding& finding() const { return m_finding; }
    bool isOpen() const { return m_open; }
    void setOpen(bool open);
    // Goes to the next or previous event of the evidence and asks to show it.
    void showEvidence(int step);
    QString body() const;  // what the open row says, as plain text

signals:
    void opened();
    void showRequested(overlane::EventIndex event);
    void whyRequested(const QString& page, const QString& section);
    void whatIfRequested(overlane::RuleId rule);
    void moveRequested(int rows);  // the focus, to another row

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeBody();
    void fillBody();
    void nameEvidence();
    void color();
    // In a narrow row the bar, and the column that it stands in, make room for the title.
    void shareWidth();

    std::shared_ptr<const Trace> m_trace;
    Finding m_finding;
    bool m_open = false;
    int m_place = 0;
    bool m_visited = false;  // the named event was shown

    SeverityMark* m_mark;
    ElidedLabel* m_title;
    ElidedLabel* m_sentence;
    QLabel* m_cost;
    CostBar* m_bar;
    QToolButton* m_show;
    QWidget* m_body = nullptr;  // made when it is opened first
    QLabel* m_words = nullptr;
    QLabel* m_evidence = nullptr;
    QToolButton* m_previous = nullptr;
    QToolButton* m_next = nullptr;
    QToolButton* m_whatIf = nullptr;
};

}  // namespace overlane
