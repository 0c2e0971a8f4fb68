// The titles above lanes, where a timeline shows more than one trace: a letter or word on a colored
// ground, then the name and what is to be said of it.
//
// Pure, for the GUI thread; rich text.
#pragma once

#include <QString>

#include "app/theme/palette.h"

namespace overlane
{

QString titleHtml(const Palette& colors, const QColor& ground, const QString& badge, const QString& name,
                  const QString& rest);

}  // namespace overlane
