#include "app/widgets/data_table.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QProgressDialog>

#include "app/theme/palette.h"
#include "app/widgets/table_export.h"
#include "app/widgets/text.h"
#include "app/widgets/trace_folder.h"

namespace overlane
{

namespace
{

// More than this in one clipboard helps nobody and would hold the window up.
constexpr int kMostCopiedRows = 20'000;
constexpr int kExportShownAfterMs = 300;

QString oneLine(const QVariant& value)
{
    return value.toString().replace('\n', ' ').replace('\t', ' ');
}

}  // namespace

DataTable::DataTable(const QString& name, QAbstractItemModel* model, QWidget* parent) : QTableView(parent)
{
    setObjectName(name);
    setModel(model);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setTextElideMode(Qt::ElideMiddle);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->setDefaultSectionSize(20);
    verticalHeader()->setMinimumSectionSize(20);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

void DataTable::fitColumns()
{
    constexpr int kMeasuredRows = 100;
    horizontalHeader()->setResizeContentsPrecision(kMeasuredRows);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
}

void DataTable::setEmptyText(const QString& sentence)
{
    m_emptyText = sentence;
    viewport()->update();
}

void DataTable::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    if (model()->rowCount() > 0 || m_emptyText.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setPen(Palette::current(palette()).mutedText);
    painter.drawText(viewport()->rect().adjusted(12, 4, -12, -4), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

void DataTable::copyRows()
{
    int rows = 0;
    for (const QItemSelectionRange& range : selectionModel()->selection())
        rows += range.height();
    if (rows == 0)
        return;
    if (rows > kMostCopiedRows) {
        emit failed(
            u"%L1 rows are too many for the clipboard (at most %L2); export the table as CSV "
            "from its context menu instead."_s.arg(rows)
                .arg(kMostCopiedRows));
        return;
    }
    QList<QModelIndex> selected = selectionModel()->selectedRows();
    std::sort(selected.begin(), selected.end());
    const QHeaderView* header = horizontalHeader();
    QStringList lines;
    QStringList cells;
    const auto addLine = [&](const auto& cell) {
        cells.clear();
        for (int place = 0; place < header->count(); ++place)
            if (!header->isSectionHidden(header->logicalIndex(place)))
                cells << oneLine(cell(header->logicalIndex(place)));
        lines << cells.join('\t');
    };
    addLine([&](int column) { return model()->headerData(column, Qt::Horizontal, Qt::DisplayRole); });
    for (const QModelIndex& row : selected)
        addLine([&](int column) {
            const QVariant more = model()->data(row.siblingAtColumn(column), kCopyRole);
            return more.isValid() ? more : model()->data(row.siblingAtColumn(column), Qt::DisplayRole);
        });
    QApplication::clipboard()->setText(lines.join('\n') + '\n');
}

void DataTable::exportCsv(const QString& path)
{
    if (m_exporting)
        return;
    m_exporting = true;
    auto* work = new TableExport(model(), path, this);
    auto* dialog = new QProgressDialog(u"Writing %1"_s.arg(path), u"Cancel"_s, 0, model()->rowCount(), this);
    dialog->setMinimumDuration(kExportShownAfterMs);
    dialog->setWindowModality(Qt::NonModal);
    connect(work, &TableExport::progressed, dialog, &QProgressDialog::setValue);
    connect(dialog, &QProgressDialog::canceled, work, &TableExport::cancel);
    connect(work, &TableExport::finished, this, [this, dialog, path](const QString& error, bool written) {
        m_exporting = false;
        dialog->disconnect();
        dialog->deleteLater();
        if (!error.isEmpty())
            emit failed(error);
        if (written)
            emit exported(path);
    });
    work->start();
}

void DataTable::askAndExport()
{
    QString path =
        QFileDialog::getSaveFileName(this, u"Export the table"_s, inTraceFolder(this, objectName() + u".csv"_s),
                                     u"Comma-separated values (*.csv)"_s);
    if (path.isEmpty())
        return;
    if (!path.endsWith(u".csv"_s, Qt::CaseInsensitive))
        path += u".csv"_s;
    exportCsv(path);
}

void DataTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copyRows();
        return;
    }
    QTableView::keyPressEvent(event);
}

void DataTable::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    const QPersistentModelIndex cell = indexAt(event->pos());
    QAction* rows = menu.addAction(u"Copy rows\tCtrl+C"_s, this, &DataTable::copyRows);
    rows->setEnabled(selectionModel()->hasSelection());
    QAction* one = menu.addAction(u"Copy cell"_s, this, [cell] {
        if (cell.isValid())
            QApplication::clipboard()->setText(cell.data().toString());
    });
    one->setEnabled(cell.isValid());
    menu.addSeparator();
    QAction* all = menu.addAction(u"Export all rows as CSV …"_s, this, &DataTable::askAndExport);
    all->setEnabled(model()->rowCount() > 0 && !m_exporting);
    menu.exec(event->globalPos());
}

}  // namespace overlane
