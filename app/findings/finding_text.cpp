#include "app/findings/finding_text.h"

#include <algorithm>

#include <QObject>

#include "app/widgets/text.h"
#include "core/content/terminal.h"
#include "core/findings/finding_blocks.h"

namespace overlane
{

QString listCaption(const FindingList& list, bool selected)
{
    QString caption = selected ? u"Selected range, %1"_s.arg(durationText(list.range.lengthNs()))
                               : u"Active range, %1"_s.arg(durationText(list.range.lengthNs()));
    if (list.steps > 0)
        caption += list.steps == 1 ? u", 1 whole step"_s : u", %1 steps"_s.arg(text(formatCount(list.steps)));
    if (list.idleNs > 0) {
        const std::int64_t perDeviceNs = list.idleNs / std::max<std::int64_t>(1, list.devices);
        caption += list.devices > 1
                       ? u": GPU idle %1 on average of %2 GPUs"_s.arg(durationText(perDeviceNs)).arg(list.devices)
                       : u": GPU idle %1"_s.arg(durationText(list.idleNs));
        // Where nothing is wrong there is nothing to explain, and 0 % would read as a failure.
        const bool allGood = list.explainedNs == 0 && !list.findings.empty() &&
                             std::ranges::all_of(list.findings, [](const Finding& finding) {
                                 return finding.severity == FindingSeverity::Good;
                             });
        if (!allGood)
            caption += u", %1 explained by findings"_s.arg(
                text(formatShare(static_cast<double>(list.explainedNs) / static_cast<double>(list.idleNs))));
    }
    return caption;
}

QString severityText(FindingSeverity severity)
{
    QString words = text(severityName(severity));
    words[0] = words[0].toUpper();
    return words;
}

QString findingText(const Trace& trace, const Finding& finding)
{
    return text(terminalText(findingHead(finding)) + terminalText(findingBlocks(finding, &trace)));
}

QString findingsText(const Trace& trace, const FindingList& list, bool selected)
{
    QString whole = listCaption(list, selected) + u"\n\n"_s;
    for (const Finding& finding : list.findings)
        whole += findingText(trace, finding) + '\n';
    return whole + text(terminalText(notCheckedList(list)));
}

}  // namespace overlane
