// Markdown of lessons for pages and terminals: paragraphs, lists, tables, fenced code, headings; in them `code`,
// **bold**, *emphasis*, [links](address). Read by md4c, as Qt reads it for the window.
//
// Pure functions, any thread. HTML shows raw HTML as text, and only https, http and mailto addresses become links.
// Plain text has no marks, and the address behind the text of a link.
#pragma once

#include <string>
#include <string_view>

namespace overlane
{

std::string markdownHtml(std::string_view text);
// Lines of a terminal, indented, and further below a heading.
std::string markdownText(std::string_view text, std::string_view indent = "  ");

// Of a text within a paragraph.
std::string markdownInlineHtml(std::string_view text);
std::string markdownInlineText(std::string_view text);

}  // namespace overlane
