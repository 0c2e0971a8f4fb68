#include "app/timeline/title_text.h"

#include "app/widgets/text.h"

namespace overlane
{

QString titleHtml(const Palette& colors, const QColor& ground, const QString& badge, const QString& name,
                  const QString& rest)
{
    return u"<span style='background:%1; color:%2'><b>&nbsp;%3&nbsp;</b></span>&nbsp; %4%5"_s.arg(
        ground.name(), colors.textOn(ground).name(), badge.toHtmlEscaped(),
        name.isEmpty() ? QString() : name.toHtmlEscaped() + (rest.isEmpty() ? "" : u" \u00b7 "_s),
        rest.toHtmlEscaped());
}

}  // namespace overlane
