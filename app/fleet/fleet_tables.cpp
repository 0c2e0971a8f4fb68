#include "app/fleet/fleet_tables.h"

#include <algorithm>

#include "app/widgets/bar_delegate.h"

namespace overlane
{

void FleetCauses::dress(std::vector<QColor> colors, std::vector<double> shares)
{
    m_colors = std::move(colors);
    m_shares = std::move(shares);
    const double most = m_shares.empty() ? 0 : *std::max_element(m_shares.begin(), m_shares.end());
    for (double& share : m_shares)
        share = most > 0 ? share / most : 0;
    if (rowCount() > 0)
        emit dataChanged(index(0, kShareColumn), index(rowCount() - 1, kShareColumn));
}

QVariant FleetCauses::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.column() != kShareColumn || (role != kBarRole && role != kBarColorRole))
        return CellTable::data(index, role);
    const auto row = static_cast<std::size_t>(given(index.row()));
    if (row >= m_shares.size() || row >= m_colors.size())
        return {};
    return role == kBarRole ? QVariant(m_shares[row]) : QVariant(m_colors[row]);
}

}  // namespace overlane
