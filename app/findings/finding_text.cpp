#include "app/findings/finding_text.h"

#include <QObject>
#include <QStringList>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr qsizetype kLongestName = 48;
constexpr std::size_t kMostListed = 5;

QString costOf(const QString& what, std::int64_t totalNs, std::int64_t perStepNs)
{
    if (perStepNs > 0)
        return QObject::tr("%1 %2 of each step, %3 in all").arg(what, durationText(perStepNs), durationText(totalNs));
    return QObject::tr("%1 %2").arg(what, durationText(totalNs));
}

}  // namespace

QString costText(const FindingCost& cost)
{
    const bool idle = cost.gpuIdleNs > 0;
    const std::int64_t totalNs = idle ? cost.gpuIdleNs : cost.hostBlockedNs;
    const std::int64_t perStepNs = idle ? cost.gpuIdlePerStepNs : cost.hostBlockedPerStepNs;
    if (totalNs == 0)
        return {};
    const QString time = perStepNs > 0 ? QObject::tr("%1 a step").arg(durationText(perStepNs)) : durationText(totalNs);
    if (!idle)
        return QObject::tr("host blocked %1").arg(time);
    return QObject::tr("%1, %2").arg(time, text(formatShare(cost.shareOfWall)));
}

QStringList costLines(const Finding& finding)
{
    const FindingCost& cost = finding.cost;
    QStringList lines;
    if (cost.gpuIdleNs > 0)
        lines << costOf(QObject::tr("GPU idle"), cost.gpuIdleNs, cost.gpuIdlePerStepNs) +
                     QObject::tr(", %1 of the range").arg(text(formatShare(cost.shareOfWall)));
    if (cost.hostBlockedNs > 0)
        lines << costOf(QObject::tr("Host blocked"), cost.hostBlockedNs, cost.hostBlockedPerStepNs);
    if (lines.isEmpty())
        lines << (finding.severity == FindingSeverity::Hazard ? QObject::tr("No time, but results may be wrong")
                                                              : QObject::tr("No time here"));
    return lines;
}

QString listCaption(const FindingList& list, bool selected)
{
    QString caption = selected ? QObject::tr("Selected range, %1").arg(durationText(list.range.lengthNs()))
                               : QObject::tr("Active range, %1").arg(durationText(list.range.lengthNs()));
    if (list.steps > 0)
        caption += list.steps == 1 ? QObject::tr(", 1 whole step")
                                   : QObject::tr(", %1 steps").arg(text(formatCount(list.steps)));
    if (list.idleNs > 0) {
        const QString share =
            text(formatShare(static_cast<double>(list.explainedNs) / static_cast<double>(list.idleNs)));
        caption += list.devices > 1
                       ? QObject::tr(": GPU idle %1 on average of %2 GPUs, %3 explained by findings")
                             .arg(durationText(list.idleNs / list.devices))
                             .arg(list.devices)
                             .arg(share)
                       : QObject::tr(": GPU idle %1, %2 explained by findings").arg(durationText(list.idleNs), share);
    }
    return caption;
}

QStringList notCheckedLines(const FindingList& list)
{
    QStringList lines;
    for (const NotChecked& rule : list.notChecked)
        lines << QObject::tr("%1: %2").arg(text(rule.title), text(rule.reason));
    return lines;
}

QString severityText(FindingSeverity severity)
{
    switch (severity) {
        case FindingSeverity::Hazard:
            return QObject::tr("Hazard");
        case FindingSeverity::Problem:
            return QObject::tr("Problem");
        case FindingSeverity::Hint:
            return QObject::tr("Hint");
        case FindingSeverity::Good:
            break;
    }
    return QObject::tr("Good");
}

QString evidenceText(const Trace& trace, EventIndex event)
{
    const Interval at = trace.interval(event);
    const QString name = elidedInTheMiddle(text(trace.name(event)), kLongestName);
    return QObject::tr("%1, %2 at %3")
        .arg(name.isEmpty() ? text(kindName(trace.kind(event))) : name, durationText(at.lengthNs()),
             durationText(at.startNs));
}

QString findingText(const Trace& trace, const Finding& finding)
{
    QStringList lines{
        QStringLiteral("%1: %2 [%3]").arg(severityText(finding.severity), text(finding.title), text(finding.id)),
        QStringLiteral("  ") + text(finding.sentence)};
    for (const QString& line : costLines(finding))
        lines << QStringLiteral("  ") + line;
    if (!finding.framework.empty() && finding.change != finding.changePyTorch)
        lines << QStringLiteral("  %1: %2").arg(text(finding.framework), text(finding.change));
    else if (!finding.changePyTorch.empty())
        lines << QObject::tr("  PyTorch: %1").arg(text(finding.changePyTorch));
    if (!finding.changeCuda.empty() && finding.change != finding.changeCuda)
        lines << QObject::tr("  CUDA: %1").arg(text(finding.changeCuda));
    for (std::size_t i = 0; i < std::min(kMostListed, finding.evidence.size()); ++i)
        lines << QObject::tr("  Evidence: %1").arg(evidenceText(trace, finding.evidence[i]));
    const auto more = finding.evidenceCount - static_cast<std::int64_t>(std::min(kMostListed, finding.evidence.size()));
    if (more > 0 && !finding.evidence.empty())
        lines << QObject::tr("  and %1 more").arg(text(formatCount(more)));
    return lines.join('\n') + '\n';
}

QString findingsText(const Trace& trace, const FindingList& list, bool selected)
{
    QString whole = listCaption(list, selected) + QStringLiteral("\n\n");
    for (const Finding& finding : list.findings)
        whole += findingText(trace, finding) + '\n';
    if (!list.notChecked.empty())
        whole += QObject::tr("Not checked:\n  %1\n").arg(notCheckedLines(list).join(QStringLiteral("\n  ")));
    return whole;
}

}  // namespace overlane
