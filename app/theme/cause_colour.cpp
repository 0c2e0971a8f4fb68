#include "app/theme/cause_colour.h"

#include "core/analysis/cause_table.h"

namespace overlane
{

QColor causeColour(const Palette& palette, LostCause cause)
{
    return palette.kind(rowOf(cause).drawnAs);
}

}  // namespace overlane
