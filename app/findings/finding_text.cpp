#include "app/findings/finding_text.h"

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
        const QString share =
            text(formatShare(static_cast<double>(list.explainedNs) / static_cast<double>(list.idleNs)));
        caption += list.devices > 1
                       ? u": GPU idle %1 on average of %2 GPUs, %3 explained by findings"_s
                             .arg(durationText(list.idleNs / list.devices))
                             .arg(list.devices)
                             .arg(share)
                       : u": GPU idle %1, %2 explained by findings"_s.arg(durationText(list.idleNs), share);
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
