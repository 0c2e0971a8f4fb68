// DataTable: how every table of the window looks and what it lets a person take away: rows of 20 px,
// whole rows selected, Ctrl+C copies rows as shown, the context menu exports all rows as CSV.
//
// Lives on the GUI thread. A model answers kExportRole with raw numbers (nanoseconds, bytes) and with
// header keys that say the unit; without an answer the shown text is exported. To kCopyRole it answers with what rows
// on the clipboard say where that is more than is shown.
#pragma once

#include <functional>

#include <QTableView>

namespace overlane
{

constexpr int kExportRole = Qt::UserRole + 1;
constexpr int kCopyRole = Qt::UserRole + 5;

class DataTable : public QTableView
{
    Q_OBJECT

public:
    // `name` is the table's object name and the suggested file name of an export.
    DataTable(const QString& name, QAbstractItemModel* model, QWidget* parent = nullptr);

    // Shown in the middle while there are no rows.
    void setEmptyText(const QString& sentence);
    QString emptyText() const { return m_emptyText; }

    // Columns are as wide as what they hold needs: of the first rows in sight, since thousands take a while to measure.
    void fitColumns();

    // The selected rows with their headers, tabs between cells; to the clipboard.
    void copyRows();
    // Writes every row as CSV in slices, so that the window stays alive; nothing is left where it fails.
    void exportCsv(const QString& path);
    bool exporting() const { return m_exporting; }

    // Qt's type-ahead reads every row's text, which a million rows would feel.
    void keyboardSearch(const QString&) override {}

signals:
    void exported(const QString& path);
    void failed(const QString& sentence);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void askAndExport();

    QString m_emptyText;
    bool m_exporting = false;
};

}  // namespace overlane
