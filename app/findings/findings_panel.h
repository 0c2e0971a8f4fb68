// FindingsPanel: what costs time in the shown range, what it costs and what to change, most first; below
// it what the trace cannot tell. Follows the document's insights.
//
// Lives on the GUI thread. Rows stay open, and keep the focus, while the range or the run changes. Up and
// Down go from row to row; the keys of a row are in finding_row.h.
#pragma once

#include <map>
#include <vector>

#include <QWidget>

#include "core/base/strong_id.h"
#include "core/findings/finding.h"

class QLabel;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace overlane
{

class Document;
class ElidedLabel;
class FindingRow;

class FindingsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit FindingsPanel(Document* document, QWidget* parent = nullptr);

    // In the order shown.
    const std::vector<FindingRow*>& rows() const { return m_order; }
    FindingRow* rowOf(RuleId rule) const;
    // The finding whose evidence nextEvidence() goes through: the one last touched, else the first.
    FindingRow* currentRow() const;
    void nextEvidence(int step);
    QString caption() const;
    QString emptyText() const;
    void copyAll() const;

signals:
    void showRequested(overlane::EventIndex event);
    void whyRequested(const QString& page, const QString& section);
    void whatIfRequested(overlane::RuleId rule);
    // An opened finding is higher than the list by so much.
    void roomWanted(int missingPx);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    FindingRow* makeRow();
    void refresh();
    void showNotChecked();
    void moveFocus(FindingRow* from, int rows);

    Document* m_document;
    ElidedLabel* m_caption;
    QToolButton* m_copy;
    QScrollArea* m_scroll;
    QVBoxLayout* m_list;
    QLabel* m_empty;
    QToolButton* m_fold;  // opens what was not checked
    QLabel* m_notChecked;
    std::map<RuleId, FindingRow*> m_rows;
    std::vector<FindingRow*> m_order;
    FindingRow* m_touched = nullptr;
};

}  // namespace overlane
