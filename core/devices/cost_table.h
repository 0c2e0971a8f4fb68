// CostTable: a measured cost for a range of sizes, read in between by interpolation.
//
// Between two rows the cost is linear in the logarithm of both size and time, because the measured
// sizes step by powers; outside it continues with the nearest row's time per byte, or, for small
// sizes, with the first row. Immutable once filled. Sizes in bytes, costs in nanoseconds.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace overlane
{

class CostTable
{
public:
    CostTable() = default;
    // Rows of (bytes, ns), sizes ascending, both above 0.
    explicit CostTable(std::vector<std::pair<std::int64_t, double>> rows);

    std::int64_t costNs(std::int64_t bytes) const;
    const std::vector<std::pair<std::int64_t, double>>& rows() const { return m_rows; }
    bool empty() const { return m_rows.empty(); }

private:
    std::vector<std::pair<std::int64_t, double>> m_rows;
};

}  // namespace overlane
