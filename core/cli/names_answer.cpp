#include "core/cli/names_answer.h"

#include "core/names/named_work.h"

namespace overlane
{
namespace
{

OrderedJson valueJson(const Cell& cell)
{
    if (const auto* whole = std::get_if<std::int64_t>(&cell.value))
        return *whole;
    if (const auto* number = std::get_if<double>(&cell.value))
        return *number;
    return cell.tone == Tone::Muted ? OrderedJson() : OrderedJson(cell.text);
}

OrderedJson tableJson(const Table& table)
{
    OrderedJson rows = OrderedJson::array();
    for (const Table::Row& row : table.rows) {
        OrderedJson& json = rows.emplace_back(OrderedJson::object());
        for (std::size_t column = 0; column < row.cells.size(); ++column)
            json[table.columns[column].id] = valueJson(row.cells[column]);
    }
    return rows;
}

}  // namespace

Result<OrderedJson> namesJson(const JudgedTrace& judged, const std::string& file, const NamesQuestion& question,
                              Progress& progress)
{
    const Interval range = question.whole ? judged.trace.span() : judged.judgement.range;
    OrderedJson json{{"file", file}, {"range_ns", {range.startNs, range.endNs}}};
    for (const WorkGroupRow& group : workGroups()) {
        if (!question.of.empty() && question.of != group.id)
            continue;
        ASSIGN_OR_RETURN(const auto work, namedWork(judged.trace, judged.analysis, {group.kind, range}, progress));
        json[group.id] = tableJson(nameTable(work, group.kind));
    }
    return json;
}

}  // namespace overlane
