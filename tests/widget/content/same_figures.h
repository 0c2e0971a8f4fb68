// Blocks as a terminal, a page and the window show them: every figure and every word in all three.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <variant>

#include <QTextDocument>

#include "app/theme/palette.h"
#include "app/widgets/cell_table.h"
#include "app/widgets/data_table.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/content/html.h"
#include "core/content/markup.h"
#include "core/content/terminal.h"

namespace overlane::test
{

inline void expectTheSameFigures(const Table& table)
{
    const std::string terminal = terminalText(table);
    const std::string page = htmlText(table);
    CellTable model;
    model.set(table);
    ASSERT_EQ(model.rowCount(), static_cast<int>(table.rows.size()));
    for (int row = 0; row < model.rowCount(); ++row)
        for (int column = 0; column < model.columnCount(); ++column) {
            const Cell& cell = table.rows[static_cast<std::size_t>(row)].cells[static_cast<std::size_t>(column)];
            if (table.columns[static_cast<std::size_t>(column)].kind == Column::Kind::Name) {
                EXPECT_EQ(model.index(row, column).data(kExportRole), text(cell.text));
            } else {
                EXPECT_EQ(model.index(row, column).data(), text(cell.text));
                EXPECT_NE(terminal.find(cell.text), std::string::npos) << cell.text;
                EXPECT_NE(page.find(markupText(cell.text)), std::string::npos) << cell.text;
            }
            if (const auto* whole = std::get_if<std::int64_t>(&cell.value)) {
                EXPECT_EQ(model.index(row, column).data(kExportRole).toLongLong(), *whole);
            }
        }
}

// Counts the tables.
inline int expectTheSameFigures(const Blocks& blocks)
{
    int tables = 0;
    for (const Block& block : blocks) {
        if (const auto* table = std::get_if<Table>(&block)) {
            expectTheSameFigures(*table);
            ++tables;
            continue;
        }
        const QString terminal = text(terminalText(block)).simplified();
        const std::string page = htmlText(block);
        QTextDocument document;
        document.setHtml(richText({block}, Palette::current()));
        const QString window = document.toPlainText().simplified();
        const auto expectShown = [&](const std::string& words) {
            EXPECT_NE(page.find(markupText(words)), std::string::npos) << words;
            EXPECT_TRUE(window.contains(text(words).simplified())) << words;
            EXPECT_TRUE(terminal.contains(text(words).simplified())) << words;
        };
        if (const auto* facts = std::get_if<Facts>(&block))
            for (const auto& [name, value] : facts->rows) {
                expectShown(name);
                expectShown(value.text);
            }
        if (const auto* sentence = std::get_if<Sentence>(&block))
            expectShown(sentence->text);
        if (const auto* list = std::get_if<List>(&block))
            for (const std::string& item : list->items)
                expectShown(item);
    }
    return tables;
}

}  // namespace overlane::test
