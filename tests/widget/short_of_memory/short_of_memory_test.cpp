// Every thread of the window runs out of memory in turn: the window says so and goes on, notes and trace stay.
#include <array>
#include <functional>

#include <QDir>
#include <QLineEdit>

#include "app/findings/findings_panel.h"
#include "app/second/second_timelines.h"
#include "app/session/recorder.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/notes_keeper.h"
#include "app/shell/search_bar.h"
#include "app/tables/events_panel.h"
#include "app/widgets/message_bar.h"
#include "core/spool/record_environment.h"
#include "tests/widget/short_of_memory/short_memory.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

// From "hardly anything" to "no large column".
constexpr std::array<std::size_t, 3> kFromBytes = {512, 4096, 32768};

// In the words of the worker, and in those of a computation that answers for itself.
bool tellsOfMemory(const QString& text)
{
    return text.contains("not enough memory") || text.contains("Memory does not suffice");
}

class ShortOfMemoryTest : public WindowTest
{
protected:
    void SetUp() override
    {
        WindowTest::SetUp();
        open(recorded(kPinnedRun));
        wait();
        document()->setNotes("mine");
        QObject::connect(document(), &Document::failed, document(), [this](const QString& why) { m_told << why; });
        QObject::connect(m_window.secondTimelines(), &SecondTimelines::failed, document(),
                         [this](const QString& why) { m_told << why; });
    }
    void wait()
    {
        const auto idle = [this] {
            return !document()->busy() && !document()->insights()->busy() && !m_window.secondTimelines()->busy();
        };
        ASSERT_TRUE(QTest::qWaitFor(idle, kLongestWaitMs));
    }
    // Does it with less and less memory to be had; what was refused is said, and the notes are still there.
    template <typename Action>
    void tryShort(Action action, const std::function<QString()>& alsoTold = {})
    {
        int refused = 0;
        for (const std::size_t fromBytes : kFromBytes) {
            SCOPED_TRACE(fromBytes);
            m_told.clear();
            int now = 0;
            {
                const ShortMemory memory(fromBytes);
                action();
                wait();
                now = ShortMemory::refused();
            }
            refused += now;
            if (now > 0) {
                const QString all = m_told.join('\n') + (alsoTold ? alsoTold() : QString());
                EXPECT_TRUE(tellsOfMemory(all)) << all.toStdString();
            }
            EXPECT_TRUE(m_window.isVisible());
            EXPECT_EQ(document()->notes(), "mine");
        }
        EXPECT_GT(refused, 0) << "there was memory enough: nothing was shown";
        m_told.clear();
    }

    QStringList m_told;
};

TEST_F(ShortOfMemoryTest, OpeningAFile)
{
    const auto before = document()->trace();
    tryShort([this] { document()->open(recorded(kPinnedRun)); });
    EXPECT_TRUE(m_window.messageBar()->isVisible());
    EXPECT_EQ(document()->trace(), before);
}

TEST_F(ShortOfMemoryTest, Simulating)
{
    document()->setGuard({});
    tryShort([this] { document()->simulate(); });
}

TEST_F(ShortOfMemoryTest, LookingForFindings)
{
    const Interval all = document()->trace()->span();
    tryShort(
        [&] {
            document()->selection()->setRange({});
            document()->selection()->setRange(all);
        },
        [this] { return document()->insights()->error(); });
    document()->selection()->setRange({});
    wait();
    EXPECT_TRUE(document()->insights()->error().isEmpty());
    ASSERT_NE(document()->insights()->insight(), nullptr);
}

TEST_F(ShortOfMemoryTest, ComparingWithAnotherTrace)
{
    tryShort([this] { m_window.compareWith(recorded(kPinnedRun)); },
             [this] { return m_window.secondTimelines()->comparison()->error(); });
}

TEST_F(ShortOfMemoryTest, ReplayingAndPredicting)
{
    WhatIfSource* source = m_window.secondTimelines()->whatIf();
    tryShort(
        [&] {
            m_window.secondTimelines()->openWhatIf();
            WhatIfChoices choices = source->choices();
            choices.set(ChangeKind::DropSyncs, !choices.has(ChangeKind::DropSyncs));
            source->setChoices(choices);
            wait();
        },
        [&] { return source->error() + source->predictionError(); });
}

TEST_F(ShortOfMemoryTest, Saving)
{
    const QTemporaryDir folder;
    const QString file = folder.filePath("saved.overlane");
    tryShort([&] {
        document()->save(file);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !document()->saver()->busy(); }, kLongestWaitMs));
    });
    EXPECT_TRUE(QDir(folder.path()).entryList({"*.tmp"}, QDir::Files | QDir::Hidden).isEmpty());
}

// A program that is recorded for as long as nothing fails.
class RecordingShortOfMemory : public testing::Test
{
protected:
    void SetUp() override
    {
        qunsetenv(record_environment::kCudaInjection);
        QObject::connect(&m_recorder, &Recorder::started, [this] { m_started = true; });
        QObject::connect(&m_recorder, &Recorder::notStarted, [this](const QString& why) { m_told = why; });
        QObject::connect(&m_recorder, &Recorder::finished, [this](const RecorderOutcome& end) { m_told = end.error; });
        m_options.program.command = {OVERLANE_RECORDED_PROGRAM, "600", "5"};
        m_options.output = m_folder.filePath("out.overlane").toStdString();
        m_options.library = "/dev/null";
        m_options.gauges = false;
    }
    void start() { m_recorder.start(m_options, m_folder.filePath("log")); }
    bool waitForWords()
    {
        return QTest::qWaitFor([this] { return !m_told.isEmpty(); }, 60'000);
    }

    QTemporaryDir m_folder;
    RecordOptions m_options;
    Recorder m_recorder;
    bool m_started = false;
    QString m_told;
};

TEST_F(RecordingShortOfMemory, AStartThatFailsIsTold)
{
    const ShortMemory memory(256);
    start();
    ASSERT_TRUE(waitForWords());
    EXPECT_GT(ShortMemory::refused(), 0);
    EXPECT_TRUE(tellsOfMemory(m_told)) << m_told.toStdString();
    EXPECT_EQ(m_recorder.phase(), Recorder::Phase::Idle);
}

TEST_F(RecordingShortOfMemory, AnEndBeforeTheProgramsIsTold)
{
    start();
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_started || !m_told.isEmpty(); }, 60'000));
    ASSERT_TRUE(m_told.isEmpty()) << m_told.toStdString();
    // Enough for what libstdc++ lists a folder with, which ends the program where there is none.
    const ShortMemory memory(32768);
    ASSERT_TRUE(waitForWords());
    EXPECT_GT(ShortMemory::refused(), 0);
    EXPECT_TRUE(tellsOfMemory(m_told)) << m_told.toStdString();
    EXPECT_TRUE(m_told.contains(".parts"));
    EXPECT_EQ(m_recorder.phase(), Recorder::Phase::Idle);
}

TEST(DriverShortOfMemory, IsAnAnswerThatSaysSo)
{
    GpuRuns runs;
    runs.detect([]() -> GpuSupport { throw std::bad_alloc(); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs.support().has_value(); }, 60'000));
    EXPECT_EQ(runs.support()->state, GpuSupport::State::NoDriver);
    EXPECT_TRUE(tellsOfMemory(QString::fromStdString(runs.support()->sentence))) << runs.support()->sentence;
}

TEST(NotesShortOfMemory, TheEndIsNotHinderedByThem)
{
    const QTemporaryDir folder;
    Document document;
    document.open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/h200/") + kPinnedRun);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !document.busy(); }, 60'000));
    auto keeper = std::make_unique<NotesKeeper>(&document, folder.path());
    document.setNotes("mine");
    ASSERT_TRUE(document.dirty());
    {
        // A kept file is of that size, and nothing else on the way.
        const ShortMemory memory(sizeof(UnsavedFile), ShortMemory::Whose::AllThreads);
        keeper.reset();
        EXPECT_GT(ShortMemory::refused(), 0);
    }
}

}  // namespace
}  // namespace overlane
