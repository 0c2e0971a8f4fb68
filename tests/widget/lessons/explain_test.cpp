// Whatever is pointed at has a sentence and leads to a lesson.
#include <gmock/gmock.h>
#include <set>

#include <QHeaderView>
#include <QHelpEvent>
#include <QTableView>

#include "app/findings/finding_row.h"
#include "app/laboratory/laboratory_panel.h"
#include "app/lessons/explainer.h"
#include "app/shell/bottom_panel.h"
#include "app/tables/events_model.h"
#include "app/tables/events_panel.h"
#include "app/timeline/gauge_panel.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_metrics.h"
#include "app/widgets/explain_role.h"
#include "core/lessons/explanations.h"
#include "tests/widget/lessons/lessons_window.h"

namespace overlane
{
namespace
{

class Explain : public LessonsWindow
{
protected:
    Explainer* explainer() { return m_lessons->explainer(); }
    void expectExplained(QWidget* widget, QPoint place, const std::string& what)
    {
        const Explained explained = explainer()->at(widget, place);
        EXPECT_FALSE(explained.words.isEmpty()) << what;
        EXPECT_FALSE(explained.lesson.isEmpty()) << what;
        EXPECT_FALSE(explained.title.isEmpty()) << what;
    }
    void hover(QWidget* widget, QPoint place)
    {
        QHelpEvent event(QEvent::ToolTip, place, widget->mapToGlobal(place));
        QApplication::sendEvent(widget, &event);
    }
};

TEST_F(Explain, EveryExplanationLeadsToALessonThatIsThere)
{
    ASSERT_TRUE(allLessons().ok()) << allLessons().error();
    for (const Explanation& one : allExplanations())
        EXPECT_NE(findLesson(allLessons().value(), one.lesson), nullptr) << one.key << " -> " << one.lesson;
}

TEST_F(Explain, EverySettingOfTheLaboratory)
{
    for (const Setting& setting : allSettings()) {
        const QString key = QString::fromUtf8(setting.key.data(), static_cast<int>(setting.key.size()));
        QWidget* found = nullptr;
        for (QWidget* control : m_window->laboratoryPanel()->findChildren<QWidget*>())
            if (control->property(kExplainProperty).toString() == "setting:" + key)
                found = control;
        ASSERT_NE(found, nullptr) << setting.key;
        expectExplained(found, {1, 1}, std::string(setting.key));
    }
}

TEST_F(Explain, EveryLane)
{
    LaneCanvas* lanes = m_window->timeline()->lanes();
    ASSERT_FALSE(lanes->trackLayout().rows.empty());
    for (const LaneRow& row : lanes->trackLayout().rows)
        expectExplained(lanes, {20, row.topPx + row.heightPx / 2}, lanes->trace()->track(row.track).name);
    // The lanes themselves say what the timeline says of the place.
    EXPECT_TRUE(explainer()->at(lanes, {kLabelWidthPx + 20, 10}).words.isEmpty());
}

TEST_F(Explain, TheLaneThatTheKeyboardIsOn)
{
    LaneCanvas* lanes = m_window->timeline()->lanes();
    m_window->timeline()->setFocus();
    ASSERT_TRUE(explainer()->explainFocused()) << "the first lane in sight, or that under the mouse";
    const Trace& trace = *lanes->trace();
    std::set<QString> said;
    const std::vector<LaneRow> rows = lanes->trackLayout().rows;  // they are laid out anew to show an event
    for (const LaneRow& row : rows) {
        const EventRange events = trace.track(row.track).events;
        if (events.empty())
            continue;
        const EventIndex first(events.first);
        explainer()->card()->hide();  // it has the keys until Esc
        m_window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(m_window.get()));
        m_window->timeline()->setFocus();
        ASSERT_EQ(QApplication::focusWidget(), m_window->timeline());
        m_window->document()->selection()->setEvent(first);
        m_window->timeline()->ensureVisible(first);
        QCoreApplication::processEvents();
        if (lanes->rectOf(first).isNull())
            continue;
        ASSERT_TRUE(explainer()->explainFocused());
        const Explanation* lane = findExplanation(explanationKey(trace.track(row.track)));
        ASSERT_NE(lane, nullptr);
        EXPECT_EQ(explainer()->card()->words(), QString::fromStdString(std::string(lane->sentence)));
        said.insert(explainer()->card()->words());
    }
    EXPECT_GE(said.size(), 3u);
}

TEST_F(Explain, EveryGauge)
{
    auto* gauges = m_window->findChild<GaugePanel*>();
    ASSERT_NE(gauges, nullptr);
    ASSERT_GT(gauges->plotCount(), 0);
    auto* plot = gauges->findChild<QWidget*>();
    int found = 0;
    TrackId before;
    for (int y = 0; y < plot->height(); ++y) {
        QRect place;
        const TrackId track = gauges->trackAt(y, &place);
        if (!track.valid() || track == before)
            continue;
        before = track;
        ++found;
        expectExplained(plot, {20, place.center().y()}, gauges->trace()->track(track).name);
    }
    EXPECT_EQ(found, gauges->plotCount());
}

TEST_F(Explain, EveryFigureAndCauseOfTheSummary)
{
    ASSERT_TRUE(QTest::qWaitFor([this] { return !m_window->document()->insights()->busy(); }, kLongestWaitMs));
    m_window->bottomPanel()->setCurrentIndex(
        m_window->bottomPanel()->indexOf(in<QWidget>(m_window.get(), "summaryTable")->parentWidget()));
    for (const char* name : {"summaryTable", "copyCausesTable", "idleCausesTable"}) {
        auto* table = in<QTableView>(m_window.get(), name);
        ASSERT_GT(table->model()->rowCount(), 0) << name;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            for (int column = 0; column < table->model()->columnCount(); ++column) {
                const QString key = table->model()->index(row, column).data(kExplainRole).toString();
                EXPECT_NE(findExplanation(key.toStdString()), nullptr) << name << " " << qPrintable(key);
            }
    }
    auto* table = in<QTableView>(m_window.get(), "summaryTable");
    for (int column = 0; column < table->model()->columnCount(); ++column)
        EXPECT_NE(
            findExplanation(table->model()->headerData(column, Qt::Horizontal, kExplainRole).toString().toStdString()),
            nullptr)
            << column;
}

TEST_F(Explain, KindTrackAndReasonOfEveryEvent)
{
    EventsPanel* events = m_window->bottomPanel()->events();
    m_window->bottomPanel()->setCurrentWidget(events);
    const EventsModel& model = *events->model();
    ASSERT_TRUE(QTest::qWaitFor([&] { return model.current() && model.rowCount() > 0; }, kLongestWaitMs));
    std::set<QString> reasons;
    for (int row = 0; row < model.rowCount(); ++row)
        for (const int column : {EventsModel::Kind, EventsModel::Track, EventsModel::Why}) {
            const QString key = model.index(row, column).data(kExplainRole).toString();
            if (column == EventsModel::Why)
                reasons.insert(key);
            EXPECT_EQ(key.isEmpty(), model.index(row, column).data().toString().isEmpty()) << row << " " << column;
            EXPECT_TRUE(key.isEmpty() || findExplanation(key.toStdString()) != nullptr) << qPrintable(key);
        }
    EXPECT_GE(reasons.size(), 2u);
}

TEST_F(Explain, EveryFinding)
{
    ASSERT_TRUE(QTest::qWaitFor([this] { return !m_window->document()->insights()->busy(); }, kLongestWaitMs));
    const auto rows = m_window->findChildren<FindingRow*>();
    ASSERT_FALSE(rows.isEmpty());
    for (FindingRow* row : rows)
        if (!row->finding().id.empty())
            expectExplained(row, {2, 2}, std::string(row->finding().id));
}

TEST_F(Explain, TheCardStaysAndItsLinkOpensTheLesson)
{
    QWidget* control = nullptr;
    for (QWidget* one : m_window->laboratoryPanel()->findChildren<QWidget*>())
        if (one->property(kExplainProperty).toString() == "setting:non_blocking" && one->isVisible())
            control = one;
    ASSERT_NE(control, nullptr);
    hover(control, {4, 4});
    ExplainCard* card = explainer()->card();
    ASSERT_TRUE(card->isVisible());
    EXPECT_FALSE(card->words().isEmpty());
    const Explanation* known = findExplanation("setting:non_blocking");
    QTest::mouseClick(card->link(), Qt::LeftButton);
    EXPECT_FALSE(card->isVisible());
    ASSERT_TRUE(m_lessons->shown());
    ASSERT_NE(page()->session()->lesson(), nullptr);
    EXPECT_EQ(page()->session()->lesson()->key, known->lesson);
}

TEST_F(Explain, TheKeyboardAsksForTheFocusedThing)
{
    QWidget* control = nullptr;
    for (QWidget* one : m_window->laboratoryPanel()->findChildren<QWidget*>())
        if (one->objectName() == "non_blocking")
            control = one;
    ASSERT_NE(control, nullptr);
    control->setFocus();
    QTest::keyClick(control, Qt::Key_F1, Qt::ShiftModifier);
    ExplainCard* card = explainer()->card();
    ASSERT_TRUE(card->isVisible());
    QTest::keyClick(card, Qt::Key_Escape);
    EXPECT_FALSE(card->isVisible());
}

}  // namespace
}  // namespace overlane
