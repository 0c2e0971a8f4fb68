#include "app/trial/setting_rows.h"

#include <QObject>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

QString predictedText(const TrialAnswer::Predicted& predicted)
{
    return QObject::tr("%1 (%2 to %3)")
        .arg(durationText(predicted.batchNs), durationText(predicted.lowNs), durationText(predicted.highNs));
}

QString tipOf(const TrialAnswer::Row& row)
{
    QStringList lines;
    if (!row.why.empty())
        lines << text(row.why);
    QStringList runs;
    for (const std::int64_t ns : row.runsNs)
        runs << durationText(ns);
    if (!runs.isEmpty())
        lines << QObject::tr("A batch of each run: %1").arg(runs.join(QStringLiteral(", ")));
    if (!row.failure.empty())
        lines << text(row.failure);
    return lines.join('\n');
}

CellRow cellsOf(const TrialAnswer::Row& row)
{
    const QString none = QStringLiteral("-");
    CellRow cells;
    cells.tip = tipOf(row);
    cells.cells.push_back({text(row.change), {}, CellTone::Plain});
    cells.cells.push_back(
        {QString::number(row.runsNs.size()), static_cast<qlonglong>(row.runsNs.size()), CellTone::Plain});
    if (!row.failure.empty())
        cells.cells.push_back({QObject::tr("failed"), {}, CellTone::Worse});
    else
        cells.cells.push_back({row.batchNs > 0 ? durationText(row.batchNs) : none,
                               row.batchNs > 0 ? QVariant(static_cast<qlonglong>(row.batchNs)) : QVariant(),
                               CellTone::Plain});
    const QString change = text(row.claim);
    cells.cells.push_back({change.isEmpty() || !row.failure.empty() ? none : change,
                           change.isEmpty() ? QVariant() : QVariant(-row.gain),
                           row.direction == "faster"   ? CellTone::Better
                           : row.direction == "slower" ? CellTone::Worse
                                                       : CellTone::Muted});
    cells.cells.push_back({row.predicted ? predictedText(*row.predicted) : none,
                           row.predicted ? QVariant(static_cast<qlonglong>(row.predicted->batchNs)) : QVariant(),
                           CellTone::Muted});
    return cells;
}

}  // namespace

std::vector<CellColumn> settingColumns()
{
    return {{QObject::tr("Setting"), QStringLiteral("setting"), true},
            {QObject::tr("Runs"), QStringLiteral("runs")},
            {QObject::tr("A batch takes"), QStringLiteral("batch_ns")},
            {QObject::tr("Change"), QStringLiteral("change")},
            {QObject::tr("What if predicted"), QStringLiteral("predicted_ns")}};
}

std::vector<CellRow> settingRows(const TrialAnswer& answer)
{
    std::vector<CellRow> rows;
    for (const TrialAnswer::Row& row : answer.rows)
        if (!row.runsNs.empty() || !row.failure.empty())
            rows.push_back(cellsOf(row));
    if (!rows.empty())
        rows.front().cells.back() = {QStringLiteral("-"), {}, CellTone::Muted};  // what predictions begin with
    return rows;
}

}  // namespace overlane
