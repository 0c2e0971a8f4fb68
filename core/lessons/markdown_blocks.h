// Markdown blocks: what md4c finds in a text, each piece as HTML and as plain text.
//
// Pure function, any thread. Items of a list within a list follow those of the outer one; a quotation is its
// paragraphs, an image its text, a line break a space.
#pragma once

#include <md4c.h>
#include <string>
#include <string_view>
#include <vector>

namespace overlane
{

struct InlineText {
    std::string html;
    std::string plain;
    unsigned number = 0;  // of an item of a numbered list

    void append(std::string_view text);
};

struct MarkdownBlock {
    MD_BLOCKTYPE type = MD_BLOCK_P;             // P, H, UL, OL, CODE, TABLE
    std::vector<InlineText> texts;              // of a list its items, of others one
    std::vector<std::vector<InlineText>> rows;  // of a table, its head first

    bool isList() const { return type == MD_BLOCK_UL || type == MD_BLOCK_OL; }
};

std::vector<MarkdownBlock> markdownBlocks(std::string_view markdown);

}  // namespace overlane
