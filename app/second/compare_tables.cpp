#include "app/second/compare_tables.h"

#include <cmath>

#include <QCoreApplication>
#include <QStringList>

#include "app/widgets/text.h"
#include "core/compare/comparison_sentence.h"

namespace overlane
{

namespace
{

QString tr(const char* words)
{
    return QCoreApplication::translate("Compare", words);
}

Cell words(const QString& what, CellTone tone = CellTone::Plain)
{
    return {what, {}, tone};
}

Cell duration(std::int64_t ns, bool there = true)
{
    return there ? Cell{durationText(ns), QVariant(static_cast<qlonglong>(ns)), CellTone::Plain}
                 : Cell{QStringLiteral("\u2013"), QString(), CellTone::Muted};
}

// Less time is better; what may not be claimed is neither.
CellTone toneOf(std::int64_t deltaNs, Claim claim)
{
    if (!isClaimed(claim) || deltaNs == 0)
        return CellTone::Muted;
    return deltaNs < 0 ? CellTone::Better : CellTone::Worse;
}

Cell delta(std::int64_t deltaNs, Claim claim)
{
    return {text(deltaText(deltaNs)), QVariant(static_cast<qlonglong>(deltaNs)), toneOf(deltaNs, claim)};
}

Cell claimed(Claim claim)
{
    return words(text(claimText(claim)), isClaimed(claim) ? CellTone::Plain : CellTone::Muted);
}

QString halfText(const Distribution& side)
{
    return tr("%1 steps, the middle half from %2 to %3")
        .arg(side.count)
        .arg(durationText(std::llround(side.lowerQuartile)), durationText(std::llround(side.upperQuartile)));
}

QString devicePrefix(const Comparison& comparison, std::size_t device)
{
    return comparison.devices.size() < 2 ? QString() : tr("GPU %1: ").arg(comparison.devices[device].a.id);
}

CellRow quantityRow(const QString& name, const QuantityChange& change)
{
    const std::int64_t aNs = std::llround(change.a.median);
    const std::int64_t bNs = std::llround(change.b.median);
    return {{words(name), duration(aNs, change.a.count > 0), duration(bNs, change.b.count > 0),
             delta(bNs - aNs, change.claim),
             words(change.claim == Claim::TooFew || change.claim == Claim::TooUneven
                       ? text(claimText(change.claim))
                       : QStringLiteral("%1, %2").arg(text(claimText(change.claim)), text(pText(change.p))),
                   toneOf(bNs - aNs, change.claim) == CellTone::Muted ? CellTone::Muted : CellTone::Plain)},
            tr("A: %1. B: %2.").arg(halfText(change.a), halfText(change.b))};
}

CellRow overlapRow(const QString& name, const QuantityChange& change)
{
    const auto share = [](const Distribution& side) {
        return side.count > 0 ? Cell{text(formatShare(side.median)), QVariant(side.median), CellTone::Plain}
                              : Cell{QStringLiteral("\u2013"), QString(), CellTone::Muted};
    };
    const double difference = change.b.median - change.a.median;
    const bool sure = isClaimed(change.claim);
    Cell points{QStringLiteral("%1%2 points")
                    .arg(difference > 0   ? QStringLiteral("+")
                         : difference < 0 ? QStringLiteral("\u2212")
                                          : QString())
                    .arg(std::abs(100 * difference), 0, 'f', 0),
                QVariant(difference),
                !sure            ? CellTone::Muted
                : difference > 0 ? CellTone::Better
                                 : CellTone::Worse};
    return {{words(name), share(change.a), share(change.b), points, claimed(change.claim)}, {}};
}

CellRow workRow(const QString& name, const WorkChange& work, bool copies)
{
    const bool inA = work.a.count > 0;
    const bool inB = work.b.count > 0;
    CellRow row{{words(name), duration(work.a.perStepNs, inA), duration(work.b.perStepNs, inB),
                 delta(work.deltaNs(), work.claim), duration(work.a.medianNs, inA), duration(work.b.medianNs, inB)},
                {}};
    const auto count = [](const WorkChange::Side& side) {
        return Cell{text(formatCount(side.count)), QVariant(static_cast<qlonglong>(side.count)), CellTone::Plain};
    };
    row.cells.push_back(count(work.a));
    row.cells.push_back(count(work.b));
    if (copies) {
        const auto rate = [](const WorkChange::Side& side) {
            return side.bytes > 0 && side.totalNs > 0
                       ? Cell{text(formatRate(side.bytes, side.totalNs)),
                              QVariant(static_cast<double>(side.bytes) * 1e9 / static_cast<double>(side.totalNs)),
                              CellTone::Plain}
                       : Cell{QStringLiteral("\u2013"), QString(), CellTone::Muted};
        };
        const auto hidden = [](const WorkChange::Side& side) {
            const double share =
                side.totalNs > 0 ? static_cast<double>(side.hiddenNs) / static_cast<double>(side.totalNs) : 0;
            return side.count > 0 ? Cell{text(formatShare(share)), QVariant(share), CellTone::Plain}
                                  : Cell{QStringLiteral("\u2013"), QString(), CellTone::Muted};
        };
        row.cells.insert(row.cells.end(), {rate(work.a), rate(work.b), hidden(work.a), hidden(work.b)});
    }
    row.cells.push_back(claimed(work.claim));
    row.tip = name + '\n' + text(claimText(work.claim)) +
              (work.claim == Claim::TooFew ? QString() : QStringLiteral(", ") + text(pText(work.p)));
    return row;
}

std::vector<CellColumn> workColumns(const QString& what, bool perStep, bool copies)
{
    const QString each = perStep ? tr(" a step") : QString();
    std::vector<CellColumn> columns = {{what, QStringLiteral("name"), true},
                                       {tr("A") + each, QStringLiteral("a_ns"), false},
                                       {tr("B") + each, QStringLiteral("b_ns"), false},
                                       {tr("Change"), QStringLiteral("change_ns"), false},
                                       {tr("One in A"), QStringLiteral("a_median_ns"), false},
                                       {tr("One in B"), QStringLiteral("b_median_ns"), false},
                                       {tr("Count A"), QStringLiteral("a_count"), false},
                                       {tr("Count B"), QStringLiteral("b_count"), false}};
    if (copies)
        columns.insert(columns.end(), {{tr("Rate A"), QStringLiteral("a_bytes_per_second"), false},
                                       {tr("Rate B"), QStringLiteral("b_bytes_per_second"), false},
                                       {tr("Hidden A"), QStringLiteral("a_hidden"), false},
                                       {tr("Hidden B"), QStringLiteral("b_hidden"), false}});
    columns.push_back({tr("Sure?"), QStringLiteral("claim"), true});
    return columns;
}

QString copyName(const WorkChange& copies)
{
    const QString size = text(sizeText(copies));
    return QStringLiteral("%1%2, %3")
        .arg(copies.direction == EventKind::CopyH2D ? tr("H2D") : tr("D2H"),
             size.isEmpty() ? QString() : QStringLiteral(" ") + size, text(memoryText(copies)));
}

QString plain(const CompareTable& table)
{
    QStringList lines;
    QStringList cells;
    for (const CellColumn& column : table.columns)
        cells << column.title;
    lines << cells.join('\t');
    for (const CellRow& row : table.rows) {
        cells.clear();
        for (const Cell& cell : row.cells)
            cells << cell.text;
        lines << cells.join('\t');
    }
    return lines.join('\n') + '\n';
}

}  // namespace

CompareTable figuresTable(const Comparison& comparison)
{
    CompareTable table;
    table.columns = {{comparison.perStep ? tr("Of a step") : tr("Of the range"), QStringLiteral("figure"), true},
                     {tr("A"), QStringLiteral("a"), false},
                     {tr("B"), QStringLiteral("b"), false},
                     {tr("Change"), QStringLiteral("change"), false},
                     {tr("Sure?"), QStringLiteral("claim"), true}};
    if (comparison.perStep)
        table.rows.push_back(quantityRow(tr("step time, median"), comparison.stepTime));
    table.rows.push_back({{words(comparison.perStep ? tr("step time, mean") : tr("whole range")),
                           duration(comparison.wallANs), duration(comparison.wallBNs),
                           delta(comparison.wallBNs - comparison.wallANs, comparison.stepTime.claim), words({})},
                          {}});
    for (std::size_t i = 0; i < comparison.devices.size(); ++i) {
        const DeviceComparison& device = comparison.devices[i];
        const QString prefix = devicePrefix(comparison, i);
        if (comparison.perStep) {
            table.rows.push_back(quantityRow(prefix + tr("exposed copy, median"), device.exposed));
            table.rows.push_back(overlapRow(prefix + tr("overlap, median"), device.overlap));
        }
        table.rows.push_back(
            {{words(prefix + tr("kernels run")), duration(device.kernelsANs), duration(device.kernelsBNs),
              delta(device.kernelsBNs - device.kernelsANs, Claim::TooFew), words({})},
             tr("Mean; kernels and the causes below add up to the mean step")});
        for (const CauseChange& cause : device.causes)
            table.rows.push_back({{words(prefix + tr("idle: ") + text(lostCauseName(cause.cause))), duration(cause.aNs),
                                   duration(cause.bNs), delta(cause.deltaNs(), cause.claim), claimed(cause.claim)},
                                  {}});
    }
    return table;
}

CompareTable kernelsTable(const Comparison& comparison)
{
    CompareTable table;
    table.columns = workColumns(tr("Kernel"), comparison.perStep, false);
    for (std::size_t i = 0; i < comparison.devices.size(); ++i)
        for (const WorkChange& work : comparison.devices[i].kernels)
            table.rows.push_back(workRow(devicePrefix(comparison, i) + text(work.name), work, false));
    return table;
}

CompareTable copiesTable(const Comparison& comparison)
{
    CompareTable table;
    table.columns = workColumns(tr("Copies"), comparison.perStep, true);
    for (std::size_t i = 0; i < comparison.devices.size(); ++i)
        for (const WorkChange& work : comparison.devices[i].copies)
            table.rows.push_back(workRow(devicePrefix(comparison, i) + copyName(work), work, true));
    return table;
}

CompareTable findingsTable(const std::vector<FindingChange>& findings, bool perStep)
{
    CompareTable table;
    const QString each = perStep ? tr(" a step") : QString();
    table.columns = {{tr("Finding"), QStringLiteral("finding"), true},
                     {tr("From A to B"), QStringLiteral("fate"), true},
                     {tr("A") + each, QStringLiteral("a_ns"), false},
                     {tr("B") + each, QStringLiteral("b_ns"), false},
                     {tr("Change"), QStringLiteral("change_ns"), false}};
    for (const FindingChange& change : findings) {
        const CellTone tone = change.fate == FindingFate::Gone   ? CellTone::Better
                              : change.fate == FindingFate::New  ? CellTone::Worse
                              : change.fate == FindingFate::Same ? CellTone::Muted
                                                                 : CellTone::Plain;
        const bool good = change.shown().severity == FindingSeverity::Good;
        const std::int64_t deltaNs = change.bNs - change.aNs;
        table.rows.push_back(
            {{words(text(change.shown().title)), words(text(fateName(change.fate)), good ? CellTone::Plain : tone),
              duration(change.aNs, change.a != nullptr), duration(change.bNs, change.b != nullptr),
              Cell{text(deltaText(deltaNs)), QVariant(static_cast<qlonglong>(deltaNs)),
                   change.fate == FindingFate::Same ? CellTone::Muted : CellTone::Plain}},
             text(change.shown().sentence)});
    }
    return table;
}

const WorkChange& workOf(const Comparison& comparison, WorkKind kind, int row, WorkPlace& place)
{
    auto left = static_cast<std::size_t>(row);
    for (place.device = 0;; ++place.device) {
        const DeviceComparison& device = comparison.devices[place.device];
        const auto& list = kind == WorkKind::Kernels ? device.kernels : device.copies;
        if (left < list.size()) {
            place.row = left;
            return list[left];
        }
        left -= list.size();
    }
}

EventIndex firstOf(const AnalysedTrace& trace, const AlignedSide& side, WorkKind kind, const WorkChange& work,
                   std::int32_t device, MemoryKind memory)
{
    const Trace& events = *trace.trace;
    const std::int64_t least = std::min(work.a.count > 0 ? work.a.leastBytes : work.b.leastBytes,
                                        work.b.count > 0 ? work.b.leastBytes : work.a.leastBytes);
    const std::int64_t most = std::max(work.a.mostBytes, work.b.mostBytes);
    const auto alike = [&](EventIndex event) {
        if (kind == WorkKind::Kernels)
            return events.kind(event) == EventKind::Kernel && events.name(event) == work.name;
        if (events.kind(event) != work.direction)
            return false;
        const CopyInfo copy = events.copy(event) != nullptr ? *events.copy(event) : CopyInfo{};
        return copy.bytes >= least && copy.bytes <= most && copy.hostSide(work.direction) == memory;
    };
    EventIndex first;
    for (std::uint32_t at = 0; at < events.eventCount(); ++at) {
        const EventIndex event(at);
        const std::int64_t startNs = events.columns().startNs[at];
        if (startNs < side.range.startNs || startNs >= side.range.endNs ||
            (first.valid() && events.columns().startNs[first.index()] <= startNs) || !alike(event))
            continue;
        if (events.track(events.trackOf(event)).device == device)
            first = event;
    }
    return first;
}

QString comparisonPlain(const ComparedTraces& compared)
{
    const Comparison& comparison = compared.comparison;
    return QStringLiteral("A: %1\nB: %2\n%3\n\n%4\n%5\n%6\n%7")
        .arg(compared.a.title, compared.b.title, text(comparison.sentence), plain(figuresTable(comparison)),
             plain(findingsTable(compared.findings, comparison.perStep)), plain(copiesTable(comparison)),
             plain(kernelsTable(comparison)));
}

}  // namespace overlane
