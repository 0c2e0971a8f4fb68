#include "app/widgets/rich_text.h"

#include "app/widgets/text.h"
#include "core/content/html.h"

namespace overlane
{

QString richText(const Blocks& blocks, const Palette& colors)
{
    const QString style =
        QStringLiteral(
            "<style>p, ul, dl { margin: 0 0 3px 0 } h3 { font-size: 13px; margin: 4px 0 0 0 }"
            ".lead { font-size: 15px; font-weight: bold } .note, .muted { color: %1 }"
            ".better { color: %2 } .worse { color: %3 } .warning { color: %4 }</style>")
            .arg(colors.mutedText.name(), colors.good.name(), colors.error.name(), colors.warning.name());
    return style + text(htmlText(blocks));
}

}  // namespace overlane
