// What the core says of a comparison and of a prediction, as the window shows it: the same as on a terminal and a page.
#include <gtest/gtest.h>
#include <memory>

#include <QTextDocument>

#include "app/theme/palette.h"
#include "app/widgets/cell_table.h"
#include "app/widgets/data_table.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/base/progress.h"
#include "core/compare/comparison_tables.h"
#include "core/content/html.h"
#include "core/content/markup.h"
#include "core/content/terminal.h"
#include "core/io/format.h"
#include "core/judgement/judged_trace.h"
#include "core/replay/prediction_blocks.h"

namespace overlane
{
namespace
{

// Of a few of the sample traces, with every block that the core makes of them.
class SampleBlocksTest : public testing::TestWithParam<const char*>
{
protected:
    SampleBlocksTest()
    {
        Progress progress;
        const std::string folder = OVERLANE_SOURCE_DIR "/tests/data/traces/h200/";
        const auto judged = [&](const std::string& name) -> std::shared_ptr<const JudgedTrace> {
            return JudgedTrace::make(std::move(readTrace(folder + name, progress).value()), name).value();
        };
        const auto a = judged(GetParam());
        const auto b = judged("w8_pin_nb_side_d16.pt.trace.json.gz");
        const Comparison comparison =
            compare({&a->trace, &a->analysis, &a->steps}, {&b->trace, &b->analysis, &b->steps}).value();
        const std::vector<FindingChange> findings = findingChanges(a->judgement.findings, b->judgement.findings);
        m_blocks = {allFigures(comparison), allKernels(comparison), allCopies(comparison),
                    findingTable(findings, comparison.perStep)};
        for (const DeviceComparison& device : comparison.devices) {
            m_blocks.emplace_back(meanTable(comparison, device));
            m_blocks.emplace_back(medianTable(comparison, device));
        }
        const Replay replay = Replay::build(std::shared_ptr<const Trace>(a, &a->trace), a->analysis).value();
        const std::vector<Change> pin{Change{ChangeKind::Pin}};
        for (const Blocks& said : {replayBlocks(replay.report()), predictionBlocks(replay.predict(pin).value())})
            m_blocks.insert(m_blocks.end(), said.begin(), said.end());
    }

    Blocks m_blocks;
};

TEST_P(SampleBlocksTest, TerminalPageAndWindowShowTheSameFigures)
{
    int tables = 0;
    for (const Block& block : m_blocks) {
        const std::string terminal = terminalText(block);
        const std::string page = htmlText(block);
        QTextDocument document;
        document.setHtml(richText({block}, Palette::current()));
        const QString window = document.toPlainText();
        const auto expectShown = [&](const std::string& words) {
            EXPECT_NE(page.find(markupText(words)), std::string::npos) << words;
            EXPECT_TRUE(window.contains(text(words).simplified()) || window.contains(text(words))) << words;
        };
        if (const auto* facts = std::get_if<Facts>(&block))
            for (const auto& [name, value] : facts->rows) {
                EXPECT_NE(terminal.find(value.text), std::string::npos) << value.text;
                expectShown(name);
                expectShown(value.text);
            }
        if (const auto* sentence = std::get_if<Sentence>(&block))
            expectShown(sentence->text);
        if (const auto* list = std::get_if<List>(&block))
            for (const std::string& item : list->items)
                expectShown(item);
        const auto* table = std::get_if<Table>(&block);
        if (!table)
            continue;
        ++tables;
        CellTable model;
        model.set(*table);
        ASSERT_EQ(model.rowCount(), static_cast<int>(table->rows.size()));
        for (int row = 0; row < model.rowCount(); ++row)
            for (int column = 0; column < model.columnCount(); ++column) {
                const Cell& cell = table->rows[static_cast<std::size_t>(row)].cells[static_cast<std::size_t>(column)];
                EXPECT_EQ(model.index(row, column).data(), text(cell.text));
                if (table->columns[static_cast<std::size_t>(column)].kind != Column::Kind::Name) {
                    EXPECT_NE(terminal.find(cell.text), std::string::npos) << cell.text;
                    EXPECT_NE(page.find(markupText(cell.text)), std::string::npos) << cell.text;
                }
                if (const auto* ns = std::get_if<std::int64_t>(&cell.value)) {
                    EXPECT_EQ(model.index(row, column).data(kExportRole).toLongLong(), *ns);
                }
            }
    }
    EXPECT_GE(tables, 5);
}

INSTANTIATE_TEST_SUITE_P(Samples, SampleBlocksTest,
                         testing::Values("w8_page_nb_side_d16.pt.trace.json.gz", "w4_page_b_main_d4.pt.trace.json.gz",
                                         "w4_pin_nb_main_d4.pt.trace.json.gz"));

}  // namespace
}  // namespace overlane
