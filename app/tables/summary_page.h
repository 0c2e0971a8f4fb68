// SummaryPage: the figures of the shown range, and what they are made of: exposed copies by reason, time
// without kernels by cause.
//
// Lives on the GUI thread; the tables follow their models. As high as its tables: the page scrolls.
#pragma once

#include <QScrollArea>

class QLabel;
class QTableView;

namespace overlane
{

class CausesModel;
class DataTable;
class Document;
class SummaryModel;

class SummaryPage : public QScrollArea
{
    Q_OBJECT

public:
    SummaryPage(SummaryModel* model, Document* document, QWidget* parent = nullptr);

    CausesModel* copies() const { return m_copies; }
    CausesModel* idle() const { return m_idle; }

protected:
    // The tables are fitted to their widths.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    DataTable* makeCauses(const QString& name, const QString& title, CausesModel* model, QWidget* parent);
    void showCaption();
    static void fitColumns(QTableView* table);
    // A table that is never scrolled up and down.
    static void fitHeight(QTableView* table);

    Document* m_document;
    CausesModel* m_copies;
    CausesModel* m_idle;
    QLabel* m_caption;
    DataTable* m_devices = nullptr;
};

}  // namespace overlane
