#include "app/timeline/time_tip.h"

#include <vector>

#include <QColor>

#include "app/widgets/rich_text.h"
#include "core/judgement/time_parts.h"

namespace overlane
{

QString timeTip(const Judgement& judgement, const DeviceSummary& device, const Palette& palette)
{
    std::vector<QColor> colors;
    for (const TimePart& part : timeParts(judgement, device))
        colors.push_back(palette.kind(part.drawnAs()));
    return richText(timeTable(judgement, device), colors, palette);
}

}  // namespace overlane
