#include "core/devices/cost_table.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace overlane
{

CostTable::CostTable(std::vector<std::pair<std::int64_t, double>> rows) : m_rows(std::move(rows))
{
    assert(std::is_sorted(m_rows.begin(), m_rows.end()));
}

std::int64_t CostTable::costNs(std::int64_t bytes) const
{
    if (m_rows.empty() || bytes <= 0)
        return 0;
    if (bytes <= m_rows.front().first)
        return std::llround(m_rows.front().second);
    const auto above = std::upper_bound(m_rows.begin(), m_rows.end(), bytes,
                                        [](std::int64_t size, const auto& row) { return size < row.first; });
    const auto [lowBytes, lowNs] = *std::prev(above);
    if (above == m_rows.end())
        return std::llround(lowNs * static_cast<double>(bytes) / static_cast<double>(lowBytes));
    const double share = std::log(static_cast<double>(bytes) / static_cast<double>(lowBytes)) /
                         std::log(static_cast<double>(above->first) / static_cast<double>(lowBytes));
    return std::llround(lowNs * std::pow(above->second / lowNs, share));
}

}  // namespace overlane
