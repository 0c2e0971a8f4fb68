// Sweeps that do not go as they should say what is missing and why.
#include <gtest/gtest.h>

#include <QFile>

#include "core/sweep/sweep_axis.h"
#include "core/sweep/sweep_file.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/sweep/sweep_window_test.h"

namespace overlane
{
namespace
{

class SweepFailures : public SweepWindowTest
{
protected:
    SweepPlan over(const char* range)
    {
        SweepPlan plan;
        plan.base = scenario();
        plan.deviceKey = document()->laboratory()->device().key;
        plan.axes.push_back(parseSweepAxis(range).value());
        return plan;
    }
    std::string status() { return panel()->status().toStdString(); }
};

TEST_F(SweepFailures, APointThatCannotRunIsNamedAndTheOthersAreDrawn)
{
    m_lab->openSweeps();
    const int id = library()->start(over("worker_node=0,1"), "Nodes", metric_key::kBatch);
    panel()->choose(id);
    wait();
    EXPECT_EQ(panel()->plot()->points().size(), 1u);
    test::expectText(status());
    test::expectText(control<QListWidget>("sweepList")->currentItem()->text().toStdString());
    // What the next one would run is no matter of the one that is shown.
    pick("sweepReady", "compute");
    test::expectText(status());
}

TEST_F(SweepFailures, AFolderThatCannotBeMadeIsSaidAndTheSweepRunsAllTheSame)
{
    const QString place = m_folder.filePath("taken");
    QFile file(place);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    SweepLibrary library(place);
    QString said;
    QObject::connect(&library, &SweepLibrary::failed, &library, [&](const QString& sentence) { said = sentence; });
    ASSERT_NE(library.start(over("workers=1,2"), "Workers", metric_key::kBatch), 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !library.busy(); }, kLongestWaitMs));
    EXPECT_TRUE(library.sweeps().back().complete());
    EXPECT_TRUE(said.contains(place)) << qPrintable(said);
}

// What a killed program leaves: a line that was being written.
TEST_F(SweepFailures, AfterAKillItGoesOnFromTheLastWholeLine)
{
    m_lab->openSweeps();
    panel()->choose(library()->start(over("workers=1,2,3,4"), "Workers", metric_key::kBatch));
    wait();
    const QString path = library()->sweeps().back().file;
    const auto whole = readSweep(path.toStdString());
    ASSERT_TRUE(whole.ok());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadWrite));
    ASSERT_TRUE(file.resize(file.size() - 40));
    file.close();
    library()->open(path);
    panel()->choose(library()->sweeps().back().id);
    ASSERT_EQ(library()->sweeps().back().result.runs.size(), 3u);
    click("sweepGoOn");
    wait();
    EXPECT_TRUE(library()->sweeps().back().complete());
    const auto again = readSweep(path.toStdString());
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again.value().result.runs.size(), whole.value().result.runs.size());
}

}  // namespace
}  // namespace overlane
