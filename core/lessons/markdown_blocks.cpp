#include "core/lessons/markdown_blocks.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "core/content/markup.h"

namespace overlane
{
namespace
{

// md4c fills up the rows of a table, so that a hostile one has many cells for three bytes of its text.
constexpr std::size_t kMostCells = 1 << 16;

// A place that a link may lead to.
bool isKnown(std::string_view address)
{
    constexpr std::array<std::string_view, 3> kSchemes{"https://", "http://", "mailto:"};
    return std::any_of(kSchemes.begin(), kSchemes.end(),
                       [&](std::string_view scheme) { return address.starts_with(scheme); });
}

class BlockReader
{
public:
    static std::vector<MarkdownBlock> read(std::string_view markdown)
    {
        BlockReader reader;
        MD_PARSER parser{};
        parser.flags = MD_FLAG_NOHTML | MD_FLAG_TABLES | MD_FLAG_NOINDENTEDCODEBLOCKS;
        parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) { return of(self).enter(type, detail); };
        parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) { return of(self).leave(type); };
        parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) { return of(self).enter(type, detail); };
        parser.leave_span = [](MD_SPANTYPE type, void*, void* self) { return of(self).leave(type); };
        parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
            return of(self).take(type, {text, size});
        };
        if (md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &reader) != 0) {
            reader.open(MD_BLOCK_P);
            reader.m_text->append("The rest is left out: its tables are too large.");
        }
        return std::move(reader.m_blocks);
    }

private:
    static BlockReader& of(void* self) { return *static_cast<BlockReader*>(self); }

    void open(MD_BLOCKTYPE type)
    {
        m_blocks.push_back({type, {}, {}});
        if (type != MD_BLOCK_TABLE)
            m_text = &m_blocks.back().texts.emplace_back();
    }

    int enter(MD_BLOCKTYPE type, const void* detail)
    {
        switch (type) {
            case MD_BLOCK_UL:
            case MD_BLOCK_OL:
                m_newList = m_newList || m_lists.empty();
                m_lists.push_back({type, 0});
                if (type == MD_BLOCK_OL)
                    m_lists.back().number = static_cast<const MD_BLOCK_OL_DETAIL*>(detail)->start;
                break;
            case MD_BLOCK_LI:
                if (std::exchange(m_newList, false) || m_blocks.back().type != m_lists.back().type)
                    open(m_lists.back().type);
                else
                    m_text = &m_blocks.back().texts.emplace_back();
                m_text->number = m_lists.back().number++;
                break;
            case MD_BLOCK_P:
                if (m_lists.empty() || !m_blocks.back().isList())
                    open(type);
                else if (!m_text->plain.empty())
                    m_text->append(" ");
                break;
            case MD_BLOCK_H:
            case MD_BLOCK_CODE:
                open(type);
                break;
            case MD_BLOCK_TABLE: {
                const auto& size = *static_cast<const MD_BLOCK_TABLE_DETAIL*>(detail);
                m_cells += std::size_t(size.col_count) * (std::size_t(size.head_row_count) + size.body_row_count);
                if (m_cells > kMostCells)
                    return -1;  // md4c goes on after a positive one
                open(type);
                break;
            }
            case MD_BLOCK_TR:
                m_blocks.back().rows.emplace_back();
                break;
            case MD_BLOCK_TH:
            case MD_BLOCK_TD:
                m_text = &m_blocks.back().rows.back().emplace_back();
                break;
            default:
                break;
        }
        return 0;
    }

    int leave(MD_BLOCKTYPE type)
    {
        if (type == MD_BLOCK_UL || type == MD_BLOCK_OL)
            m_lists.pop_back();
        return 0;
    }

    int enter(MD_SPANTYPE type, const void* detail)
    {
        if (type == MD_SPAN_A) {
            const MD_ATTRIBUTE& address = static_cast<const MD_SPAN_A_DETAIL*>(detail)->href;
            m_link.assign(address.text, address.size);
            if (isKnown(m_link))
                m_text->html += fmt::format("<a href=\"{}\">", markupText(m_link));
        } else {
            m_text->html += tag(type, "");
        }
        return 0;
    }

    int leave(MD_SPANTYPE type)
    {
        if (type != MD_SPAN_A) {
            m_text->html += tag(type, "/");
        } else if (isKnown(m_link)) {
            m_text->html += "</a>";
            m_text->plain += fmt::format(" ({})", m_link);
        }
        return 0;
    }

    static std::string tag(MD_SPANTYPE type, std::string_view slash)
    {
        const std::string_view name = type == MD_SPAN_STRONG ? "b" : type == MD_SPAN_EM ? "em" : "code";
        return type == MD_SPAN_IMG ? std::string() : fmt::format("<{}{}>", slash, name);
    }

    int take(MD_TEXTTYPE type, std::string_view text)
    {
        const bool lineBreak = type == MD_TEXT_SOFTBR || type == MD_TEXT_BR;
        m_text->append(lineBreak ? " " : type == MD_TEXT_NULLCHAR ? "\uFFFD" : text);
        return 0;
    }

    struct OpenList {
        MD_BLOCKTYPE type = MD_BLOCK_UL;
        unsigned number = 0;  // of the next item
    };

    std::vector<MarkdownBlock> m_blocks;
    InlineText* m_text = nullptr;   // what is being read, in the last block
    std::string m_link;             // links hold no links
    std::vector<OpenList> m_lists;  // within each other
    bool m_newList = false;
    std::size_t m_cells = 0;
};

}  // namespace

void InlineText::append(std::string_view text)
{
    html += markupText(text);
    plain += text;
}

std::vector<MarkdownBlock> markdownBlocks(std::string_view markdown)
{
    return BlockReader::read(markdown);
}

}  // namespace overlane
