#include "core/content/html.h"

#include <fmt/format.h>
#include <set>

#include "core/base/short_name.h"
#include "core/content/markup.h"

namespace overlane
{
namespace
{

constexpr std::size_t kNameCharacters = 90;

std::string_view toneClass(Tone tone)
{
    switch (tone) {
        case Tone::Muted:
            return "muted";
        case Tone::Better:
            return "better";
        case Tone::Worse:
            return "worse";
        case Tone::Warning:
            return "warning";
        case Tone::Plain:
            break;
    }
    return {};
}

std::string toned(const std::string& text, Tone tone)
{
    if (tone == Tone::Plain || text.empty())
        return markupText(text);
    return fmt::format("<span class=\"{}\">{}</span>", toneClass(tone), markupText(text));
}

std::string_view mark(Column::Kind kind)
{
    return kind == Column::Kind::Number ? "#" : kind == Column::Kind::Name ? "@" : "";
}

std::string html(const Sentence& sentence)
{
    const std::string_view cssClass = sentence.lead                  ? " class=\"lead\""
                                      : sentence.tone == Tone::Muted ? " class=\"note\""
                                                                     : "";
    const Tone tone = sentence.tone == Tone::Muted ? Tone::Plain : sentence.tone;
    return sentence.text.empty() ? "" : fmt::format("<p{}>{}</p>\n", cssClass, toned(sentence.text, tone));
}

std::string html(const List& list)
{
    std::string items;
    for (const std::string& item : list.items)
        items += fmt::format("<li>{}</li>\n", toned(item, list.tone));
    return items.empty() ? "" : fmt::format("<h3>{}</h3>\n<ul>\n{}</ul>\n", markupText(list.title), items);
}

std::string html(const Facts& facts)
{
    std::string rows;
    for (const auto& [name, value] : facts.rows)
        rows += fmt::format("<dt>{}</dt><dd>{}</dd>\n", markupText(name), htmlText(value));
    return rows.empty() ? "" : "<dl class=\"facts\">\n" + rows + "</dl>\n";
}

std::string html(const Table& table, const std::vector<std::string>& marks = {})
{
    if (table.rows.empty())
        return {};
    std::vector<std::string> heads;
    for (const Column& column : table.columns)
        heads.push_back(std::string(mark(column.kind)) + column.title);
    HtmlTable page(heads);
    std::set<std::string> said;  // once on a page
    for (std::size_t place = 0; place < table.rows.size(); ++place) {
        const Table::Row& row = table.rows[place];
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            cells.push_back(toned(table.columns[i].kind == Column::Kind::Name
                                      ? shortened(shortName(row.cells[i].text), kNameCharacters)
                                      : row.cells[i].text,
                                  row.cells[i].tone));
        if (!row.remark.empty() && said.insert(row.remark).second)
            cells.front() += fmt::format("<br><span class=\"muted remark\">{}</span>", markupText(row.remark));
        if (place < marks.size())
            cells.front().insert(0, marks[place]);
        page.row(cells);
    }
    return (table.title.empty() ? "" : fmt::format("<h3>{}</h3>\n", markupText(table.title))) + page.html();
}

}  // namespace

std::string htmlText(const Block& block)
{
    return std::visit([](const auto& one) { return html(one); }, block);
}

std::string htmlText(const Blocks& blocks)
{
    std::string text;
    for (const Block& block : blocks)
        text += htmlText(block);
    return text;
}

std::string htmlText(const Cell& cell)
{
    return toned(cell.text, cell.tone);
}

std::string htmlText(const Table& table, const std::vector<std::string>& marks)
{
    return html(table, marks);
}

std::string withWholeNumbers(std::string page)
{
    constexpr std::string_view kThinSpace = "\u2009", kNoBreak = "\u202f";
    static_assert(kThinSpace.size() == kNoBreak.size());
    for (std::size_t at = page.find(kThinSpace); at != std::string::npos; at = page.find(kThinSpace, at))
        page.replace(at, kThinSpace.size(), kNoBreak);
    return page;
}

HtmlTable::HtmlTable(const std::vector<std::string>& heads)
{
    for (std::string_view head : heads) {
        const std::string_view cssClass = head.starts_with('#')   ? " class=\"n\""
                                          : head.starts_with('@') ? " class=\"name\""
                                                                  : "";
        if (!cssClass.empty())
            head.remove_prefix(1);
        m_classes.push_back(cssClass);
        m_head += fmt::format("<th{}>{}</th>", cssClass == " class=\"n\"" ? cssClass : "", markupText(head));
    }
}

void HtmlTable::row(const std::vector<std::string>& cells)
{
    m_rows += "<tr>";
    std::size_t column = 0;
    for (const std::string& cell : cells)
        m_rows += fmt::format("<td{}>{}</td>", m_classes[column++], cell);
    m_rows += "</tr>\n";
}

std::string HtmlTable::html() const
{
    return fmt::format("<div class=\"scroll\"><table><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>\n",
                       m_head, m_rows);
}

}  // namespace overlane
