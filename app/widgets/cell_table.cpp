#include "app/widgets/cell_table.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "app/theme/palette.h"
#include "app/widgets/data_table.h"
#include "app/widgets/text.h"
#include "core/base/short_name.h"

namespace overlane
{

namespace
{

std::optional<double> numberOf(const Cell& cell)
{
    if (const auto* whole = std::get_if<std::int64_t>(&cell.value))
        return static_cast<double>(*whole);
    const auto* number = std::get_if<double>(&cell.value);
    return number ? std::optional(*number) : std::nullopt;
}

// What has no number is below all numbers.
bool isLess(const Cell& a, const Cell& b)
{
    const auto x = numberOf(a);
    const auto y = numberOf(b);
    return x || y ? x < y : QString::localeAwareCompare(text(a.text), text(b.text)) < 0;
}

QVariant exported(const Cell& cell)
{
    if (const auto* whole = std::get_if<std::int64_t>(&cell.value))
        return QVariant(static_cast<qlonglong>(*whole));
    const auto* number = std::get_if<double>(&cell.value);
    return number ? QVariant(*number) : QVariant(text(cell.text));
}

QVariant inkOf(Tone tone)
{
    const Palette& colors = Palette::current();
    switch (tone) {
        case Tone::Muted:
            return colors.mutedText;
        case Tone::Better:
            return colors.good;
        case Tone::Worse:
            return colors.error;
        case Tone::Warning:
            return colors.warning;
        case Tone::Plain:
            break;
    }
    return {};
}

// Heads of the window begin with a capital; a column of claims has none elsewhere.
QString head(const Column& column)
{
    QString title = text(column.title.empty() ? column.id : column.title);
    title[0] = title[0].toUpper();
    return title;
}

}  // namespace

void CellTable::set(Table table)
{
    beginResetModel();
    m_table = std::move(table);
    arrange();
    endResetModel();
}

void CellTable::arrange()
{
    m_order.resize(m_table.rows.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    if (m_sortColumn < 0 || m_sortColumn >= static_cast<int>(m_table.columns.size()))
        return;
    const auto cell = [this](int row) -> const Cell& {
        return m_table.rows[static_cast<std::size_t>(row)].cells[static_cast<std::size_t>(m_sortColumn)];
    };
    std::stable_sort(m_order.begin(), m_order.end(), [&](int a, int b) {
        return m_sortOrder == Qt::AscendingOrder ? isLess(cell(a), cell(b)) : isLess(cell(b), cell(a));
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
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int CellTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant CellTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Table::Row& row = m_table.rows[static_cast<std::size_t>(given(index.row()))];
    const Cell& cell = row.cells[static_cast<std::size_t>(index.column())];
    const bool number = m_table.columns[static_cast<std::size_t>(index.column())].kind == Column::Kind::Number;
    switch (role) {
        case Qt::DisplayRole:
            return text(m_table.columns[static_cast<std::size_t>(index.column())].kind == Column::Kind::Name
                            ? shortName(cell.text)
                            : cell.text);
        case kExportRole:
            return exported(cell);
        case Qt::ToolTipRole:
            return text(row.remark.empty() ? cell.text : row.remark);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::ForegroundRole:
            return inkOf(cell.tone);
        default:
            return {};
    }
}

QVariant CellTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= static_cast<int>(m_table.columns.size()))
        return {};
    const Column& column = m_table.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return head(column);
    if (role == kExportRole)
        return text(column.id);
    if (role == Qt::TextAlignmentRole && column.kind != Column::Kind::Number)
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

}  // namespace overlane
