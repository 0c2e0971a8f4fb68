#include "app/theme/cause_colour.h"

#include "core/analysis/cause_kind.h"

namespace overlane
{

QColor causeColour(const Palette& palette, LostCause cause)
{
    return palette.kind(causeKind(cause));
}

}  // namespace overlane
