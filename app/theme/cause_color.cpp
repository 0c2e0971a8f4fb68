#include "app/theme/cause_color.h"

#include "core/analysis/cause_table.h"

namespace overlane
{

QColor causeColor(const Palette& palette, LostCause cause)
{
    return palette.kind(rowOf(cause).drawnAs);
}

}  // namespace overlane
