// StepsPage: where the steps come from and how even they are, the time of each as a plot, and the table.
//
// Lives on the GUI thread; follows the document. Choosing steps, in the plot or the table, selects their
// range of time; Enter or a double click zooms to it. Steps outside the selected range are muted.
#pragma once

#include <QWidget>

#include "core/base/interval.h"

namespace overlane
{

class DataTable;
class Document;
class ElidedLabel;
class LoopMenu;
class StepPlot;
class StepsModel;

class StepsPage : public QWidget
{
    Q_OBJECT

public:
    StepsPage(StepsModel* model, Document* document, QWidget* parent = nullptr);

    StepPlot* plot() const { return m_plot; }
    QString caption() const;
    LoopMenu* loops() const { return m_loops; }

signals:
    void rangeRequested(overlane::Interval range);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void showSteps();
    void showRangeIfSeen();
    void showRange();
    void chooseRows();
    void select(Interval range);

    StepsModel* m_model;
    Document* m_document;
    ElidedLabel* m_caption;
    LoopMenu* m_loops;
    StepPlot* m_plot;
    DataTable* m_table;
    bool m_plotStale = false;  // the steps are others since it was drawn
    bool m_stale = false;      // the range changed while the page was hidden
};

}  // namespace overlane
