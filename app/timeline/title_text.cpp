#include "app/timeline/title_text.h"

namespace overlane
{

QString titleHtml(const Palette& colors, const QColor& ground, const QString& badge, const QString& name,
                  const QString& rest)
{
    return QStringLiteral("<span style='background:%1; color:%2'><b>&nbsp;%3&nbsp;</b></span>&nbsp; %4%5")
        .arg(ground.name(), colors.textOn(ground).name(), badge.toHtmlEscaped(),
             name.isEmpty() ? QString() : name.toHtmlEscaped() + (rest.isEmpty() ? "" : QStringLiteral(" \u00b7 ")),
             rest.toHtmlEscaped());
}

}  // namespace overlane
