#include "app/widgets/cell_table.h"

#include <algorithm>
#include <numeric>

#include "app/theme/palette.h"
#include "app/widgets/data_table.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

bool isNumber(const QVariant& value)
{
    return value.typeId() == QMetaType::LongLong || value.typeId() == QMetaType::Double ||
           value.typeId() == QMetaType::Int;
}

QPartialOrdering ordered(const ShownCell& a, const ShownCell& b)
{
    if (isNumber(a.value) && isNumber(b.value)) {
        const double x = a.value.toDouble();
        const double y = b.value.toDouble();
        return x < y ? QPartialOrdering::Less : x > y ? QPartialOrdering::Greater : QPartialOrdering::Equivalent;
    }
    // What has no number is below all numbers.
    if (isNumber(a.value) != isNumber(b.value))
        return isNumber(a.value) ? QPartialOrdering::Greater : QPartialOrdering::Less;
    const int order = QString::localeAwareCompare(a.text, b.text);
    return order < 0 ? QPartialOrdering::Less : order > 0 ? QPartialOrdering::Greater : QPartialOrdering::Equivalent;
}

QVariant variant(const Cell& cell)
{
    if (const auto* whole = std::get_if<std::int64_t>(&cell.value))
        return QVariant(static_cast<qlonglong>(*whole));
    const auto* number = std::get_if<double>(&cell.value);
    return number ? QVariant(*number) : QVariant();
}

// Heads of the window begin with a capital; a column of claims has none elsewhere.
QString head(const Column& column)
{
    QString title = text(column.title.empty() ? column.id : column.title);
    title[0] = title[0].toUpper();
    return title;
}

}  // namespace

void CellTable::set(const Table& table)
{
    std::vector<CellColumn> columns;
    for (const Column& column : table.columns)
        columns.push_back({head(column), text(column.id), column.kind != Column::Kind::Number});
    std::vector<CellRow> rows;
    for (const Table::Row& row : table.rows) {
        CellRow& shown = rows.emplace_back(CellRow{{}, text(row.remark)});
        for (const Cell& cell : row.cells)
            shown.cells.push_back({text(cell.text), variant(cell), cell.tone});
    }
    set(std::move(columns), std::move(rows));
}

void CellTable::set(std::vector<CellColumn> columns, std::vector<CellRow> rows)
{
    beginResetModel();
    m_columns = std::move(columns);
    m_rows = std::move(rows);
    arrange();
    endResetModel();
}

void CellTable::arrange()
{
    m_order.resize(m_rows.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    if (m_sortColumn < 0 || m_sortColumn >= static_cast<int>(m_columns.size()))
        return;
    const auto cell = [this](int row) -> const ShownCell& {
        return m_rows[static_cast<std::size_t>(row)].cells[static_cast<std::size_t>(m_sortColumn)];
    };
    std::stable_sort(m_order.begin(), m_order.end(), [&](int a, int b) {
        const QPartialOrdering order = ordered(cell(a), cell(b));
        return m_sortOrder == Qt::AscendingOrder ? order == QPartialOrdering::Less : order == QPartialOrdering::Greater;
    });
}

void CellTable::sort(int column, Qt::SortOrder order)
{
    emit layoutAboutToBeChanged();
    const std::vector<int> before = m_order;
    m_sortColumn = column;
    m_sortOrder = order;
    arrange();
    // Selected rows stay selected.
    const QModelIndexList held = persistentIndexList();
    for (const QModelIndex& old : held) {
        const auto place = std::find(m_order.begin(), m_order.end(), before[static_cast<std::size_t>(old.row())]);
        changePersistentIndex(old, index(static_cast<int>(place - m_order.begin()), old.column()));
    }
    emit layoutChanged();
}

int CellTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CellTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant CellTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const CellRow& row = m_rows[static_cast<std::size_t>(given(index.row()))];
    const ShownCell& cell = row.cells[static_cast<std::size_t>(index.column())];
    const bool left = m_columns[static_cast<std::size_t>(index.column())].leftAligned;
    switch (role) {
        case Qt::DisplayRole:
            return cell.text;
        case kExportRole:
            return cell.value.isValid() ? cell.value : QVariant(cell.text);
        case Qt::ToolTipRole:
            return row.tip.isEmpty() ? cell.text : row.tip;
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case Qt::ForegroundRole: {
            const Palette& colors = Palette::current();
            if (cell.tone == CellTone::Muted)
                return colors.mutedText;
            if (cell.tone == CellTone::Better)
                return colors.good;
            if (cell.tone == CellTone::Worse)
                return colors.error;
            if (cell.tone == CellTone::Warning)
                return colors.warning;
            return {};
        }
        default:
            return {};
    }
}

QVariant CellTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= static_cast<int>(m_columns.size()))
        return {};
    const CellColumn& column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return column.title;
    if (role == kExportRole)
        return column.exported;
    if (role == Qt::TextAlignmentRole && column.leftAligned)
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

}  // namespace overlane
