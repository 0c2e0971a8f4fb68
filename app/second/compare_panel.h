// ComparePanel: what changed from A to B: the sentence, the figures of a step with the causes of idle
// time, and beside them kernels, copies and findings as tables to sort.
//
// Lives on the GUI thread; follows its source. A click on a kernel or a copy asks for the first of its
// kind in both traces.
#pragma once

#include <vector>

#include <QWidget>

#include "app/second/compare_tables.h"

class QSplitter;
class QTabWidget;
class QToolButton;

namespace overlane
{

class CellTable;
class CompareSource;
class DataTable;
class Document;
class ElidedLabel;

class ComparePanel : public QWidget
{
    Q_OBJECT

public:
    ComparePanel(CompareSource* source, Document* document, QWidget* parent = nullptr);

    QString sentence() const;
    DataTable* figures() const { return m_figures; }
    DataTable* kernels() const { return m_kernels; }
    DataTable* copies() const { return m_copies; }
    DataTable* findings() const { return m_findings; }

signals:
    // `row` as given to the tables of compare_tables.h.
    void workRequested(overlane::WorkKind kind, int row);
    void helpRequested(const QString& page, const QString& section);
    void openRequested();
    void closeRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    DataTable* makeTable(const QString& name, CellTable* model, const QString& accessible);
    void refresh();
    void fit(DataTable* table);
    void fitSeen();
    void shareWidth();

    CompareSource* m_source;
    Document* m_document;
    ElidedLabel* m_sentence;
    QToolButton* m_copy;
    CellTable* m_figureCells;
    CellTable* m_kernelCells;
    CellTable* m_copyCells;
    CellTable* m_findingCells;
    DataTable* m_figures;
    DataTable* m_kernels;
    DataTable* m_copies;
    DataTable* m_findings;
    QTabWidget* m_tabs;
    QSplitter* m_across = nullptr;
    bool m_sharedByHand = false;
    std::vector<DataTable*> m_unseen;  // filled, but not in sight since
};

}  // namespace overlane
