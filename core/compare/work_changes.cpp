#include "core/compare/work_changes.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

namespace overlane
{
namespace
{

WorkChange::Side sideOf(const WorkGroup& group, std::size_t steps)
{
    WorkChange::Side side;
    side.count = group.count;
    side.totalNs = group.totalNs;
    side.hiddenNs = group.hiddenNs;
    side.bytes = group.bytes;
    side.leastBytes = group.leastBytes;
    side.mostBytes = group.mostBytes;
    side.medianNs = static_cast<std::int64_t>(distribution(group.durationsNs).median);
    side.perStepNs = group.totalNs / static_cast<std::int64_t>(std::max<std::size_t>(1, steps));
    return side;
}

struct Tests {
    std::vector<RankTest> ranks;
    std::vector<double> p;
};

void addRow(std::vector<WorkChange>& rows, Tests& tests, WorkChange row, const WorkGroup* a, std::size_t stepsA,
            const WorkGroup* b, std::size_t stepsB)
{
    static const WorkGroup kNothing;
    const WorkGroup& onA = a ? *a : kNothing;
    const WorkGroup& onB = b ? *b : kNothing;
    row.a = sideOf(onA, stepsA);
    row.b = sideOf(onB, stepsB);
    tests.ranks.push_back(rankTest(onA.perStep(stepsA), onB.perStep(stepsB)));
    tests.p.push_back(tests.ranks.back().p);
    rows.push_back(std::move(row));
}

void settle(std::vector<WorkChange>& rows, const Tests& tests, std::size_t stepsA, std::size_t stepsB)
{
    const std::vector<double> p = adjustedForMany(tests.p);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].p = p[i];
        rows[i].claim = claimOf(stepsA, stepsB, tests.ranks[i], p[i]);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const WorkChange& x, const WorkChange& y) {
        return std::abs(x.deltaNs()) > std::abs(y.deltaNs());
    });
}

template <typename Groups>
auto keysOf(const Groups& a, const Groups& b)
{
    std::set<typename Groups::key_type> keys;
    for (const Groups* groups : {&a, &b})
        for (const auto& [key, group] : *groups)
            keys.insert(key);
    return keys;
}

template <typename Groups>
const WorkGroup* find(const Groups& groups, const typename Groups::key_type& key)
{
    const auto found = groups.find(key);
    return found == groups.end() ? nullptr : &found->second;
}

// The one kind of memory that the copies of a direction and size use on a side.
std::optional<CopyKey> onlyKey(const std::map<CopyKey, WorkGroup>& groups, const CopyKey& like)
{
    std::optional<CopyKey> only;
    for (const auto& [key, group] : groups) {
        if (key.direction != like.direction || key.sizeClass != like.sizeClass)
            continue;
        if (only)
            return std::nullopt;
        only = key;
    }
    return only;
}

}  // namespace

std::vector<WorkChange> kernelChanges(const std::map<std::string, WorkGroup>& a, std::size_t stepsA,
                                      const std::map<std::string, WorkGroup>& b, std::size_t stepsB)
{
    std::vector<WorkChange> rows;
    Tests tests;
    for (const std::string& name : keysOf(a, b)) {
        WorkChange row;
        row.name = name;
        addRow(rows, tests, std::move(row), find(a, name), stepsA, find(b, name), stepsB);
    }
    settle(rows, tests, stepsA, stepsB);
    return rows;
}

std::vector<WorkChange> copyChanges(const std::map<CopyKey, WorkGroup>& a, std::size_t stepsA,
                                    const std::map<CopyKey, WorkGroup>& b, std::size_t stepsB)
{
    std::vector<WorkChange> rows;
    Tests tests;
    for (const CopyKey& key : keysOf(a, b)) {
        WorkChange row;
        row.direction = key.direction;
        row.memoryA = row.memoryB = key.memory;
        const WorkGroup* onA = find(a, key);
        const WorkGroup* onB = find(b, key);
        if (!onA || !onB) {
            // All copies of this size moved from one kind of memory to another: one row, told from A.
            const std::optional<CopyKey> keyA = onlyKey(a, key);
            const std::optional<CopyKey> keyB = onlyKey(b, key);
            if (keyA && keyB) {
                if (!onA)
                    continue;
                row.memoryB = keyB->memory;
                onB = find(b, *keyB);
            }
        }
        addRow(rows, tests, std::move(row), onA, stepsA, onB, stepsB);
    }
    settle(rows, tests, stepsA, stepsB);
    return rows;
}

}  // namespace overlane
