#include "core/lessons/markdown.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "core/content/column_table.h"
#include "core/content/terminal.h"
#include "core/lessons/markdown_blocks.h"

namespace overlane
{
namespace
{

// A text within a paragraph that begins as a block does is that block's.
InlineText inlineText(std::string_view markdown)
{
    InlineText all;
    for (const MarkdownBlock& block : markdownBlocks(markdown))
        for (const InlineText& text : block.texts) {
            all.append(all.plain.empty() ? "" : " ");
            all.html += text.html;
            all.plain += text.plain;
        }
    return all;
}

std::string tableHtml(const std::vector<std::vector<InlineText>>& rows)
{
    std::string html = "<div class=\"scroll\"><table>\n";
    for (const std::vector<InlineText>& row : rows) {
        html += "<tr>";
        for (const InlineText& cell : row)
            html += fmt::format("<{0}>{1}</{0}>", &row == &rows.front() ? "th" : "td", cell.html);
        html += "</tr>\n";
    }
    return html + "</table></div>\n";
}

std::string tableText(const std::vector<std::vector<InlineText>>& rows, std::string_view indent)
{
    const auto cells = [](const std::vector<InlineText>& row) {
        std::vector<std::string> texts;
        texts.reserve(row.size());
        for (const InlineText& cell : row)
            texts.push_back(cell.plain);
        return texts;
    };
    ColumnTable table(cells(rows.front()));
    for (auto row = rows.begin() + 1; row != rows.end(); ++row)
        table.row(cells(*row));
    return table.text(indent);
}

std::string codeText(std::string_view code, std::string_view indent)
{
    std::string lines;
    while (!code.empty()) {
        const std::size_t end = std::min(code.find('\n'), code.size());
        lines += fmt::format("{}  {}\n", indent, code.substr(0, end));
        code.remove_prefix(std::min(end + 1, code.size()));
    }
    return lines;
}

}  // namespace

std::string markdownInlineHtml(std::string_view text)
{
    return inlineText(text).html;
}

std::string markdownInlineText(std::string_view text)
{
    return inlineText(text).plain;
}

std::string markdownHtml(std::string_view text)
{
    std::string html;
    for (const MarkdownBlock& block : markdownBlocks(text)) {
        const auto all = [&](std::string_view form) {
            for (const InlineText& each : block.texts)
                html += fmt::format(fmt::runtime(form), each.html, each.number);
        };
        switch (block.type) {
            case MD_BLOCK_H:
                all("<h3>{}</h3>\n");
                break;
            case MD_BLOCK_CODE:
                all("<pre><code>{}</code></pre>\n");
                break;
            case MD_BLOCK_TABLE:
                html += tableHtml(block.rows);
                break;
            case MD_BLOCK_UL:
                html += "<ul>\n";
                all("<li>{}</li>\n");
                html += "</ul>\n";
                break;
            case MD_BLOCK_OL:
                html += "<ol>\n";
                all("<li value=\"{1}\">{0}</li>\n");
                html += "</ol>\n";
                break;
            default:
                all("<p>{}</p>\n");
                break;
        }
    }
    return html;
}

std::string markdownText(std::string_view text, std::string_view firstIndent)
{
    std::string lines;
    std::string indent(firstIndent);
    bool apart = false;  // a blank line comes before the next block
    for (const MarkdownBlock& block : markdownBlocks(text)) {
        if (std::exchange(apart, block.type != MD_BLOCK_H))
            lines += "\n";
        if (block.type == MD_BLOCK_TABLE)
            lines += tableText(block.rows, indent);
        for (const InlineText& each : block.texts) {
            if (block.isList())
                lines +=
                    markedText(block.type == MD_BLOCK_UL ? "-" : fmt::format("{}.", each.number), each.plain, indent);
            else if (block.type == MD_BLOCK_CODE)
                lines += codeText(each.plain, indent);
            else
                lines += wrapText(each.plain, block.type == MD_BLOCK_H ? firstIndent : indent);
        }
        if (block.type == MD_BLOCK_H)
            indent = std::string(firstIndent) + "  ";
    }
    return lines;
}

}  // namespace overlane
