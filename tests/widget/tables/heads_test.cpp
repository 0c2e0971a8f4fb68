// Heads of the tables below the timeline: over their cells, and apart from the heads next to them.
#include <QComboBox>
#include <QHeaderView>
#include <QImage>
#include <QStyle>
#include <QTableView>

#include "app/shell/bottom_panel.h"
#include "app/tables/events_panel.h"
#include "app/theme/palette.h"
#include "app/widgets/data_table.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

constexpr int kApartPx = 12;

class HeadsTest : public WindowTest
{
protected:
    // Every table of the tabs, one after the other in sight.
    template <typename Look>
    int forEachTable(Look look)
    {
        int seen = 0;
        BottomPanel* tabs = m_window.bottomPanel();
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            handleEvents();
            for (const DataTable* table : tabs->widget(tab)->findChildren<DataTable*>()) {
                if (!table->isVisible() || table->model()->columnCount() == 0)
                    continue;
                SCOPED_TRACE(table->objectName().toStdString());
                ++seen;
                look(*table);
            }
        }
        return seen;
    }
    void SetUp() override
    {
        WindowTest::SetUp();
        m_window.resize(1280, 800);
        open(recorded(kPageableRun));
        handleEvents();
    }
};

// Pixels on both sides of where a column ends that no letter has. The line between two heads is none.
int roomPx(const QImage& heads, int edgePx)
{
    const auto isBare = [&](int x) {
        for (int y = 3; y < heads.height() - 3; ++y)
            if (heads.pixel(x, y) != heads.pixel(edgePx + (x < edgePx ? -3 : 3), y))
                return false;
        return true;
    };
    int room = 4;
    for (int x = edgePx - 3; x > 0 && isBare(x); --x)
        ++room;
    for (int x = edgePx + 3; x < heads.width() && isBare(x); ++x)
        ++room;
    return room;
}

TEST_F(HeadsTest, StandApartFromTheNextOne)
{
    int pairs = 0;
    const int seen = forEachTable([&](const DataTable& table) {
        const QHeaderView* header = table.horizontalHeader();
        const QImage heads = header->viewport()->grab().toImage();
        for (int place = 0; place + 1 < header->count(); ++place) {
            const int column = header->logicalIndex(place);
            const int edgePx = header->sectionViewportPosition(column) + header->sectionSize(column);
            if (header->isSectionHidden(column) || edgePx + kApartPx >= heads.width())
                continue;
            ++pairs;
            EXPECT_GE(roomPx(heads, edgePx), kApartPx)
                << table.model()->headerData(column, Qt::Horizontal).toString().toStdString() << " and "
                << table.model()->headerData(header->logicalIndex(place + 1), Qt::Horizontal).toString().toStdString();
        }
    });
    EXPECT_GE(seen, 4);
    EXPECT_GE(pairs, 20);
}

// The arrow of the order takes room of the head that it stands in.
TEST_F(HeadsTest, HoldTheirTitleWithTheArrowOfTheOrder)
{
    m_window.bottomPanel()->setCurrentIndex(m_window.bottomPanel()->indexOf(m_window.bottomPanel()->events()));
    handleEvents();
    const auto* table = m_window.bottomPanel()->events()->findChild<DataTable*>();
    ASSERT_NE(table, nullptr);
    const QHeaderView* header = table->horizontalHeader();
    const int arrowPx = header->style()->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, header);
    const int marginPx = header->style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, header);
    for (int column = 0; column < header->count(); ++column) {
        const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
        EXPECT_GE(header->sectionSize(column), header->fontMetrics().horizontalAdvance(title) + 3 * marginPx + arrowPx)
            << title.toStdString();
    }
}

TEST_F(HeadsTest, StandOverTheirCells)
{
    int columns = 0;
    forEachTable([&](const DataTable& table) {
        const QAbstractItemModel& model = *table.model();
        for (int column = 0; column < model.columnCount() && model.rowCount() > 0; ++column) {
            const QVariant own = model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
            const int head = own.isValid() ? own.toInt() : int(table.horizontalHeader()->defaultAlignment());
            const QVariant ofCell = model.index(0, column).data(Qt::TextAlignmentRole);
            const int cell = ofCell.isValid() ? ofCell.toInt() : int(Qt::AlignLeft);
            EXPECT_EQ(head & Qt::AlignHorizontal_Mask, cell & Qt::AlignHorizontal_Mask)
                << model.headerData(column, Qt::Horizontal).toString().toStdString();
            ++columns;
        }
    });
    EXPECT_GE(columns, 20);
}

}  // namespace
}  // namespace overlane
