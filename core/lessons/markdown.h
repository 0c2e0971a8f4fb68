// Markdown: the small part of it that lessons use, for pages and terminals: paragraphs, lists, tables,
// code, "### " headings; in them `code`, **bold**, *emphasis*, [links](address).
//
// Pure functions, any thread. The window shows lessons through Qt's own Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace overlane
{

enum class MarkdownKind : std::uint8_t { Paragraph, List, Table, Code, Heading };

struct MarkdownBlock {
    MarkdownKind kind = MarkdownKind::Paragraph;
    // Of a paragraph and a heading one text, of a list its items, of code its lines.
    std::vector<std::string> lines;
    std::vector<std::vector<std::string>> rows;  // of a table, its head first
};

std::vector<MarkdownBlock> markdownBlocks(std::string_view text);

// Every text escaped; only https, http and mailto addresses become links.
std::string markdownHtml(std::string_view text);
// Of a text within a paragraph.
std::string markdownInlineHtml(std::string_view text);
// Without the marks; of links the text with the address.
std::string markdownInlinePlain(std::string_view text);

}  // namespace overlane
