// The document and its workers, asked for several things at once.
#include "app/session/document.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <QTest>

#include "core/loader/settings.h"

namespace overlane
{
namespace
{

class DocumentTest : public testing::Test
{
protected:
    static bool settle(Document& document)
    {
        constexpr int kLongestWaitMs = 60'000;
        return QTest::qWaitFor([&] { return !document.busy() && !document.insights()->busy(); }, kLongestWaitMs);
    }

    const QString m_file = QStringLiteral(OVERLANE_SOURCE_DIR "/resources/samples/two_gpus.overlane");
};

TEST_F(DocumentTest, AFileAskedForAfterARunIsShownAndItsFindingsFollow)
{
    Document document;
    document.simulate();
    document.open(m_file);
    ASSERT_TRUE(settle(document));
    EXPECT_EQ(document.origin(), Document::Origin::File);
    EXPECT_EQ(document.path(), m_file);
    ASSERT_NE(document.insights()->insight(), nullptr);
    EXPECT_EQ(document.insights()->insight()->trace, document.trace());
    EXPECT_EQ(document.insights()->insight()->range, document.judgedRange());
}

TEST_F(DocumentTest, OfSettingsThatChangeFastTheLastAreShown)
{
    Document document;
    document.simulate();
    for (const double workers : {1, 2, 3, 4, 5}) {
        document.laboratory()->set(*findSetting("workers"), workers);
        QCoreApplication::processEvents();
    }
    ASSERT_TRUE(settle(document));
    EXPECT_EQ(document.trace()->metadata().scenarioJson, scenarioToJson(document.laboratory()->scenario()));
    EXPECT_EQ(document.laboratory()->scenario().workers, 5);
    EXPECT_EQ(document.insights()->insight()->trace, document.trace());
}

TEST_F(DocumentTest, TheWorkerThatReadsATraceJudgesItForItsActiveRange)
{
    Document document;
    document.open(m_file);
    ASSERT_TRUE(settle(document));
    const AnalyzedTrace& shown = document.current();
    ASSERT_NE(shown.judged, nullptr);
    EXPECT_EQ(document.judgement(), shown.judged.get());
    const Interval active = document.judgedRange();
    document.selection()->setRange(Interval{active.startNs, active.startNs + active.lengthNs() / 2});
    EXPECT_NE(document.judgement(), shown.judged.get());
    EXPECT_EQ(document.judgedRange(), document.selection()->range());
    document.selection()->setRange({});
    EXPECT_EQ(document.judgedRange(), active);
}

TEST_F(DocumentTest, IsSavedWhileItsFindingsAreLookedFor)
{
    const QTemporaryDir folder;
    Document document;
    document.open(m_file);
    ASSERT_TRUE(settle(document));
    document.setNotes("mine");
    document.save(folder.filePath("saved.overlane"));
    const Interval span = document.trace()->span();
    for (const int part : {2, 3, 4})
        document.selection()->setRange(Interval{span.startNs, span.startNs + span.lengthNs() / part});
    ASSERT_TRUE(settle(document));
    EXPECT_FALSE(document.dirty());
    EXPECT_EQ(document.insights()->insight()->range, document.judgedRange());
    Document next;
    next.open(folder.filePath("saved.overlane"));
    ASSERT_TRUE(settle(next));
    EXPECT_EQ(next.notes(), "mine");
    EXPECT_EQ(next.trace()->eventCount(), document.trace()->eventCount());
}

TEST_F(DocumentTest, GoesWhileEverythingRuns)
{
    Document document;
    document.simulate();
    ASSERT_TRUE(settle(document));
    document.selection()->setRange(Interval{0, 1});
    document.simulate();
    document.open(m_file);
    EXPECT_TRUE(document.busy());
}

}  // namespace
}  // namespace overlane
