#include "core/lessons/markdown.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>

#include "core/content/markup.h"
#include "core/lessons/lesson_blocks.h"

namespace overlane
{
namespace
{

std::vector<std::string> cellsOf(std::string_view line)
{
    line = trimmedText(line);
    line.remove_prefix(1);  // the first '|'
    if (line.ends_with('|'))
        line.remove_suffix(1);
    std::vector<std::string> cells;
    while (true) {
        const std::size_t bar = line.find('|');
        cells.emplace_back(trimmedText(line.substr(0, bar)));
        if (bar == std::string_view::npos)
            return cells;
        line.remove_prefix(bar + 1);
    }
}

bool isRuler(const std::vector<std::string>& cells)
{
    return std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
        return !cell.empty() && cell.find_first_not_of("-:") == std::string::npos;
    });
}

// The marks of a text within a paragraph, given to whoever renders it.
struct InlineMarks {
    std::function<std::string(std::string_view)> text, code, strong, emphasis;
    std::function<std::string(std::string_view text, std::string_view address)> link;
};

std::string inlined(std::string_view text, const InlineMarks& marks, int depth = 0)
{
    constexpr int kDeepest = 8;
    std::string result;
    std::string plain;
    const auto flush = [&] {
        if (!plain.empty())
            result += marks.text(std::exchange(plain, {}));
    };
    const auto inner = [&](std::string_view part) {
        return depth < kDeepest ? inlined(part, marks, depth + 1) : marks.text(part);
    };
    while (!text.empty()) {
        const bool strong = text.starts_with("**");
        const std::string_view sign = strong ? "**" : text.substr(0, 1);
        const std::size_t end =
            sign == "`" || strong || sign == "*" ? text.find(sign, sign.size()) : std::string_view::npos;
        const bool opens = end != std::string_view::npos && end > sign.size() && text[sign.size()] != ' ';
        if (opens) {
            const std::string_view part = text.substr(sign.size(), end - sign.size());
            flush();
            result += sign == "`" ? marks.code(part) : strong ? marks.strong(inner(part)) : marks.emphasis(inner(part));
            text.remove_prefix(end + sign.size());
            continue;
        }
        const std::size_t middle = sign == "[" ? text.find("](") : std::string_view::npos;
        const std::size_t close = middle == std::string_view::npos ? middle : text.find(')', middle);
        if (close != std::string_view::npos && text.substr(0, middle).find(']') == std::string_view::npos) {
            flush();
            result += marks.link(inner(text.substr(1, middle - 1)), text.substr(middle + 2, close - middle - 2));
            text.remove_prefix(close + 1);
            continue;
        }
        plain += text.front();
        text.remove_prefix(1);
    }
    flush();
    return result;
}

// A place that a link may lead to.
bool isKnown(std::string_view address)
{
    constexpr std::array<std::string_view, 3> kSchemes{"https://", "http://", "mailto:"};
    return std::any_of(kSchemes.begin(), kSchemes.end(),
                       [&](std::string_view scheme) { return address.starts_with(scheme); });
}

}  // namespace

std::vector<MarkdownBlock> markdownBlocks(std::string_view text)
{
    std::vector<MarkdownBlock> blocks;
    bool code = false;
    bool fresh = true;  // behind a blank line
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        const std::string_view content = trimmedText(line);
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto open = [&](MarkdownKind kind) -> MarkdownBlock& {
            if (fresh || blocks.empty() || blocks.back().kind != kind)
                blocks.push_back({kind, {}, {}});
            fresh = false;
            return blocks.back();
        };
        if (content.starts_with("```")) {
            code = !code;
            fresh = true;
            if (code)
                blocks.push_back({MarkdownKind::Code, {}, {}});
        } else if (code) {
            blocks.back().lines.emplace_back(line);
        } else if (content.empty()) {
            fresh = true;
        } else if (content.starts_with("### ")) {
            fresh = true;
            open(MarkdownKind::Heading).lines.emplace_back(content.substr(4));
            fresh = true;
        } else if (content.starts_with("- ")) {
            open(MarkdownKind::List).lines.emplace_back(content.substr(2));
        } else if (content.starts_with('|')) {
            if (std::vector<std::string> cells = cellsOf(content); !isRuler(cells))
                open(MarkdownKind::Table).rows.push_back(std::move(cells));
        } else if (!fresh && !blocks.empty() && blocks.back().kind == MarkdownKind::List) {
            blocks.back().lines.back() += " " + std::string(content);
        } else {
            MarkdownBlock& block = open(MarkdownKind::Paragraph);
            if (block.lines.empty())
                block.lines.emplace_back(content);
            else
                block.lines.back() += " " + std::string(content);
        }
    }
    return blocks;
}

std::string markdownInlineHtml(std::string_view text)
{
    const InlineMarks marks{[](std::string_view part) { return markupText(part); },
                            [](std::string_view part) { return "<code>" + markupText(part) + "</code>"; },
                            [](std::string_view part) { return fmt::format("<b>{}</b>", part); },
                            [](std::string_view part) { return fmt::format("<em>{}</em>", part); },
                            [](std::string_view part, std::string_view address) {
                                return isKnown(address)
                                           ? fmt::format("<a href=\"{}\">{}</a>", markupText(address), part)
                                           : std::string(part);
                            }};
    return inlined(text, marks);
}

std::string markdownInlinePlain(std::string_view text)
{
    const auto same = [](std::string_view part) { return std::string(part); };
    return inlined(text, {same, same, same, same, [](std::string_view part, std::string_view address) {
                              return isKnown(address) ? fmt::format("{} ({})", part, address) : std::string(part);
                          }});
}

std::string markdownHtml(std::string_view text)
{
    std::string html;
    for (const MarkdownBlock& block : markdownBlocks(text)) {
        switch (block.kind) {
            case MarkdownKind::Paragraph:
                html += fmt::format("<p>{}</p>\n", markdownInlineHtml(block.lines.front()));
                break;
            case MarkdownKind::Heading:
                html += fmt::format("<h3>{}</h3>\n", markdownInlineHtml(block.lines.front()));
                break;
            case MarkdownKind::List:
                html += "<ul>\n";
                for (const std::string& item : block.lines)
                    html += fmt::format("<li>{}</li>\n", markdownInlineHtml(item));
                html += "</ul>\n";
                break;
            case MarkdownKind::Code:
                html += "<pre><code>";
                for (const std::string& line : block.lines)
                    html += markupText(line) + "\n";
                html += "</code></pre>\n";
                break;
            case MarkdownKind::Table:
                html += "<div class=\"scroll\"><table>\n";
                for (std::size_t i = 0; i < block.rows.size(); ++i) {
                    html += "<tr>";
                    for (const std::string& cell : block.rows[i])
                        html += fmt::format("<{0}>{1}</{0}>", i == 0 ? "th" : "td", markdownInlineHtml(cell));
                    html += "</tr>\n";
                }
                html += "</table></div>\n";
                break;
        }
    }
    return html;
}

}  // namespace overlane
