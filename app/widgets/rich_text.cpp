#include "app/widgets/rich_text.h"

#include <variant>

#include "app/widgets/text.h"
#include "core/content/html.h"

namespace overlane
{

namespace
{

QString styleText(const Palette& colors)
{
    return u"<style>p, ul, dl { margin: 0 0 3px 0 } h3 { font-size: medium; margin: 4px 0 0 0 }"
           "td, th { padding-right: 10px }"
           ".lead { font-size: 14px; font-weight: bold } .note, .muted { color: %1 }"
           ".better { color: %2 } .worse { color: %3 } .warning { color: %4 }</style>"_s.arg(
               colors.mutedText.name(), colors.good.name(), colors.error.name(), colors.warning.name());
}

// In two columns, where a page has room for lines.
QString factsText(const Facts& facts)
{
    const QString alignment = facts.areWords() ? u"left"_s : u"right"_s;
    QString rows;
    for (const auto& [name, value] : facts.rows)
        rows +=
            u"<tr><td class='muted' style='white-space:nowrap'>%1</td>"
            "<td align='%2'>%3</td></tr>"_s.arg(text(name).toHtmlEscaped(), alignment, text(htmlText(value)));
    return rows.isEmpty() ? rows : u"<table cellspacing='0' cellpadding='1'>%1</table>"_s.arg(rows);
}

}  // namespace

QString richHtml(std::string_view html)
{
    return text(html)
        .replace(QLatin1String("class=\"n\""), QLatin1String("align=\"right\""))
        .replace(QLatin1String("<th>"), QLatin1String("<th align=\"left\">"));
}

QString richText(const Blocks& blocks, const Palette& colors)
{
    QString html = styleText(colors);
    for (const Block& block : blocks) {
        const auto* facts = std::get_if<Facts>(&block);
        html += facts ? factsText(*facts) : richHtml(htmlText(block));
    }
    return html;
}

QString richText(const Table& table, const std::vector<QColor>& rowColors, const Palette& colors)
{
    std::vector<std::string> squares;
    squares.reserve(static_cast<std::size_t>(rowColors.size()));
    for (const QColor& color : rowColors)
        squares.push_back(colorSquare(color).toStdString() + ' ');
    return styleText(colors) + richHtml(htmlText(table, squares));
}

QString colorSquare(const QColor& color)
{
    return u"<span style='color:%1'>\u25a0</span>"_s.arg(color.name());
}

}  // namespace overlane
