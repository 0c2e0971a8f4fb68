#include "core/judgement/copy_parts.h"

#include <algorithm>
#include <string>

#include "core/analysis/advice.h"
#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

void addParts(std::vector<CopyPart>& parts, EventKind direction, const CopySums& sums, CopyChoice choice)
{
    std::int64_t wholeNs = 0;
    for (const CopyGroup& group : sums.groups)
        wholeNs = saturatedSum(wholeNs, group.exposedNs);
    for (const CopyGroup& group : sums.groups) {
        const bool hidden = group.cause == CopyCause::Hidden;
        if (group.copies == 0 || (hidden && choice == CopyChoice::Exposed))
            continue;
        parts.push_back({direction, group, shareOf(group.exposedNs, wholeNs)});
    }
}

std::string remarkOn(const CopyPart& part, CopyRole carries, const ProgramTraits& program)
{
    const CopyRole role = part.direction == EventKind::CopyH2D ? carries : CopyRole::Unknown;
    std::string remark(causeSentence(part.group.cause));
    if (const std::string_view advised = causeAdvice(part.group.cause, role, program); !advised.empty())
        (remark += ' ') += advised;
    return remark;
}

}  // namespace

std::vector<CopyPart> copyParts(const DeviceJudgement& device, CopyChoice choice)
{
    std::vector<CopyPart> parts;
    addParts(parts, EventKind::CopyH2D, device.toDevice, choice);
    addParts(parts, EventKind::CopyD2H, device.toHost, choice);
    std::stable_sort(parts.begin(), parts.end(),
                     [](const CopyPart& a, const CopyPart& b) { return a.group.exposedNs > b.group.exposedNs; });
    return parts;
}

Table copyTable(const std::vector<CopyPart>& parts, CopyRole carries, const ProgramTraits& program)
{
    Table table{{},
                {{"reason", "reason", Column::Kind::Words},
                 {"share", "share"},
                 {"exposed_ns", "exposed"},
                 {"copies", "copies"},
                 {"bytes", "data"},
                 {"time_ns", "time"},
                 {"rate", "rate"}},
                {}};
    for (const CopyPart& part : parts) {
        const CopyGroup& group = part.group;
        const char* direction = part.direction == EventKind::CopyH2D ? "H2D: " : "D2H: ";
        Table::Row row{{Cell{direction + std::string(causeName(group.cause))}, shareCell(part.share),
                        durationCell(group.exposedNs), countCell(group.copies)},
                       remarkOn(part, carries, program)};
        if (group.bytes > 0) {
            row.cells.push_back(bytesCell(group.bytes));
            row.cells.push_back(durationCell(group.durationNs));
            row.cells.push_back(Cell{formatRate(group.bytes, group.durationNs)});
        } else {
            row.cells.push_back(missingCell());
            row.cells.push_back(durationCell(group.durationNs));
            row.cells.push_back(missingCell());
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace overlane
