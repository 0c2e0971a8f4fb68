#include "app/widgets/table_export.h"

#include <QElapsedTimer>

#include "app/widgets/data_table.h"
#include "app/widgets/text.h"
#include "core/base/csv_text.h"

namespace overlane
{

namespace
{

constexpr int kRowsBetweenClocks = 64;
constexpr qint64 kSliceMs = 8;

QByteArray field(const QVariant& value)
{
    const bool number = value.typeId() == QMetaType::LongLong || value.typeId() == QMetaType::Double;
    const std::string text = value.toString().toStdString();
    std::string csv;
    if (!number)
        appendCsvText(csv, text);
    return QByteArray::fromStdString(number ? text : csv);
}

}  // namespace

TableExport::TableExport(const QAbstractItemModel* model, const QString& path, QObject* parent)
    : QObject(parent), m_model(model), m_file(path)
{
    m_next.setInterval(0);
    connect(&m_next, &QTimer::timeout, this, &TableExport::writeSlice);
    const auto changed = [this] { end(u"The table changed while it was written, so nothing was saved."_s, false); };
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, changed);
    connect(model, &QAbstractItemModel::layoutAboutToBeChanged, this, changed);
}

void TableExport::start()
{
    if (!m_file.open(QIODevice::WriteOnly)) {
        end(u"Cannot write %1: %2"_s.arg(m_file.fileName(), m_file.errorString()), false);
        return;
    }
    QByteArray line;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        QVariant header = m_model->headerData(column, Qt::Horizontal, kExportRole);
        if (!header.isValid())
            header = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole);
        line += (column > 0 ? "," : "") + field(header);
    }
    m_file.write(line + "\r\n");
    m_next.start();
}

void TableExport::writeSlice()
{
    QElapsedTimer clock;
    clock.start();
    const int rows = m_model->rowCount();
    while (m_row < rows && (m_row % kRowsBetweenClocks != 0 || clock.elapsed() < kSliceMs)) {
        QByteArray line;
        for (int column = 0; column < m_model->columnCount(); ++column) {
            const QModelIndex index = m_model->index(m_row, column);
            QVariant value = m_model->data(index, kExportRole);
            if (!value.isValid())
                value = m_model->data(index, Qt::DisplayRole);
            line += (column > 0 ? "," : "") + field(value);
        }
        m_file.write(line + "\r\n");
        ++m_row;
    }
    emit progressed(m_row);
    if (m_ended || m_row < rows)
        return;
    if (m_file.commit())
        end({}, true);
    else
        end(u"Cannot write %1: %2"_s.arg(m_file.fileName(), m_file.errorString()), false);
}

void TableExport::cancel()
{
    end({}, false);
}

void TableExport::end(const QString& error, bool written)
{
    if (m_ended)
        return;
    m_ended = true;
    m_next.stop();
    if (!written)
        m_file.cancelWriting();
    emit finished(error, written);
    deleteLater();
}

}  // namespace overlane
