#include "core/io/overlane_recovery.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/io/overlane_format.h"
#include "core/io/overlane_schema.h"
#include "tests/support/torn_recording.h"
#include "tests/unit/io/overlane_trace_text.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using test::bytesOf;
using test::setBytes;
using test::TornRecording;
using testing::HasSubstr;

class OverlaneRecoveryTest : public test::TemporaryFolder
{
protected:
    void SetUp() override
    {
        m_torn = test::tornRecording(file("made.overlane"));
        ASSERT_FALSE(m_torn.journal.empty());
    }

    Result<Trace> read(const std::string& path) { return overlaneFormat().read(path, m_progress); }
    void put(const std::string& path, const std::string& bytes, const std::string& journal)
    {
        setBytes(path, bytes);
        setBytes(path + "-journal", journal);
    }
    // What is read is the one whole flush.
    void expectRestored(const std::string& path)
    {
        const Result<Trace> trace = read(path);
        ASSERT_TRUE(trace.ok()) << trace.error();
        EXPECT_EQ(trace.value().eventCount(), 10u);
        EXPECT_EQ(trace.value().tracks()[0].name, "whole");
        EXPECT_EQ(trace.value().stats().count("unfinished_recording"), 1);
        EXPECT_EQ(trace.value().stats().count("foreign_journal"), 0);
    }

    TornRecording m_torn;
    Progress m_progress;
};

// The schema cookie, where a recorder's mark is.
void setCookie(std::string& bytes, std::size_t header, std::string_view cookie)
{
    bytes.replace(header + 40, 4, cookie);
}

TEST_F(OverlaneRecoveryTest, AKilledFlushIsUndoneInACopy)
{
    const std::string path = file("torn.overlane");
    put(path, m_torn.file, m_torn.journal);
    expectRestored(path);
    EXPECT_EQ(bytesOf(path), m_torn.file) << "the user's file was changed";
    EXPECT_EQ(bytesOf(path + "-journal"), m_torn.journal);
}

TEST_F(OverlaneRecoveryTest, TheJournalLiesBesideTheFileThatALinkNames)
{
    put(file("real.overlane"), m_torn.file, m_torn.journal);
    fs::create_directory(file("links"));
    fs::create_symlink(file("real.overlane"), file("links/link.overlane"));
    expectRestored(file("links/link.overlane"));
}

TEST_F(OverlaneRecoveryTest, NoFileIsDeletedThatAJournalNames)
{
    const std::string victim = file("victim.txt");
    const std::string finished = file("finished.overlane");
    ASSERT_TRUE(overlaneFormat().write(test::randomTrace(1, 50), finished, m_progress).ok());
    const std::string saved = bytesOf(finished);
    int round = 0;
    for (const std::string& bytes : {m_torn.file, m_torn.whole, saved, std::string()}) {
        setBytes(victim, "precious");
        const std::string path = file("attack" + std::to_string(++round) + ".overlane");
        put(path, bytes, m_torn.journal + test::superJournalRecord(victim));
        (void)read(path);
        EXPECT_TRUE(fs::exists(victim)) << "opened, round " << round;
        const Result<void> replaced = overlaneFormat().write(test::randomTrace(2, 50), path, m_progress);
        EXPECT_TRUE(replaced.ok()) << replaced.error();
        EXPECT_TRUE(fs::exists(victim)) << "replaced, round " << round;
        put(path, bytes, m_torn.journal + test::superJournalRecord(victim));
        const Result<OverlaneWriter> writer = OverlaneWriter::create(path);
        EXPECT_EQ(writer.ok(), bytes.empty());
        EXPECT_TRUE(fs::exists(victim)) << "recorded over, round " << round;
    }
}

TEST_F(OverlaneRecoveryTest, AJournalBesideAFinishedTraceIsLeftAlone)
{
    const Trace trace = test::randomTrace(3, 200);
    const std::string path = file("finished.overlane");
    ASSERT_TRUE(overlaneFormat().write(trace, path, m_progress).ok());
    setBytes(path + "-journal", m_torn.journal);
    const Result<Trace> again = read(path);
    ASSERT_TRUE(again.ok()) << again.error();
    EXPECT_EQ(again.value().eventCount(), trace.eventCount());
    EXPECT_EQ(again.value().stats().count("foreign_journal"), 1);
    EXPECT_EQ(again.value().stats().count("unfinished_recording"), 0);
    EXPECT_EQ(bytesOf(path + "-journal"), m_torn.journal);
}

TEST_F(OverlaneRecoveryTest, AFinishedRecordingIsNotRolledBack)
{
    const std::string path = file("recorded.overlane");
    {
        Result<OverlaneWriter> writer = OverlaneWriter::create(path);
        ASSERT_TRUE(writer.ok());
        writer.value().addTrack({}, TrackKind::Thread, "later");
        ASSERT_TRUE(writer.value().flush().ok());
        EXPECT_EQ(read(path).value().stats().count("unfinished_recording"), 1);
        ASSERT_TRUE(writer.value().finish().ok());
    }
    setBytes(path + "-journal", m_torn.journal);
    const Result<Trace> trace = read(path);
    ASSERT_TRUE(trace.ok()) << trace.error();
    EXPECT_EQ(trace.value().tracks()[0].name, "later");
    EXPECT_EQ(trace.value().stats().count("unfinished_recording"), 0);
}

TEST_F(OverlaneRecoveryTest, TheJournalOfAnotherRecordingIsNotUsed)
{
    const TornRecording other = test::tornRecording(file("other.overlane"));
    const std::string path = file("mixed.overlane");
    put(path, m_torn.whole, other.journal);
    const Result<Trace> trace = read(path);
    ASSERT_TRUE(trace.ok()) << trace.error();
    EXPECT_EQ(trace.value().eventCount(), 10u);
    EXPECT_EQ(trace.value().stats().count("foreign_journal"), 1);
}

// A recorder of before the mark is known by a file that is shorter than its header says.
TEST_F(OverlaneRecoveryTest, RecordingsOfBeforeTheMarkAreRestored)
{
    constexpr std::string_view kOld("\0\0\0\x08", 4);
    TornRecording old = m_torn;
    setCookie(old.file, 0, kOld);
    const std::size_t page = old.journal.find("SQLite format 3");
    ASSERT_NE(page, std::string::npos);
    setCookie(old.journal, page, kOld);
    const std::string path = file("old.overlane");
    put(path, old.file, old.journal);
    expectRestored(path);
    // The whole file, of which nothing says that it is cut.
    setCookie(old.whole, 0, kOld);
    put(path, old.whole, old.journal);
    const Result<Trace> trace = read(path);
    ASSERT_TRUE(trace.ok()) << trace.error();
    EXPECT_EQ(trace.value().stats().count("foreign_journal"), 1);
}

TEST_F(OverlaneRecoveryTest, ADamagedJournalIsNotUsedInParts)
{
    const std::string path = file("damaged.overlane");
    const auto expectUnused = [&](const std::string& journal, const std::string& what) {
        put(path, m_torn.whole, journal);
        const Result<Trace> trace = read(path);
        ASSERT_TRUE(trace.ok()) << what << ": " << trace.error();
        EXPECT_EQ(trace.value().eventCount(), 10u) << what;
        EXPECT_EQ(trace.value().stats().count("foreign_journal"), 1) << what;
    };
    const auto changed = [&](std::size_t at, std::string_view bytes) {
        std::string journal = m_torn.journal;
        return journal.replace(at, bytes.size(), bytes);
    };
    const std::size_t kSector = sqliteNumber(m_torn.journal, 20);
    expectUnused(changed(0, "x"), "magic");
    expectUnused(changed(8, std::string_view("\0\0\x7f\xff", 4)), "count of records");
    expectUnused(changed(16, std::string_view("\x7f\0\0\0", 4)), "pages before");
    expectUnused(changed(20, std::string_view("\0\0\0\3", 4)), "sector");
    expectUnused(changed(24, std::string_view("\0\0\2\0", 4)), "page size");
    expectUnused(changed(kSector, std::string_view("\0\0\0\0", 4)), "page 0");
    expectUnused(changed(kSector, std::string_view("\0\1\0\1", 4)), "page of the lock");
    expectUnused(changed(kSector + 4 + 184, "\xee"), "content");
    expectUnused(m_torn.journal.substr(0, kSector + 100), "cut short");
    fs::remove(path + "-journal");
    fs::create_symlink("/dev/zero", path + "-journal");
    EXPECT_EQ(read(path).value().stats().count("foreign_journal"), 1);
}

TEST_F(OverlaneRecoveryTest, AJournalWhosePagesNeverReachedTheFileSaysNothing)
{
    std::string journal = m_torn.journal;
    journal.replace(0, 12, std::string(12, '\0'));
    for (const std::string& unsynced : {journal, std::string(), std::string(5, '\0')}) {
        put(file("a.overlane"), m_torn.whole, unsynced);
        expectRestored(file("a.overlane"));
    }
}

TEST_F(OverlaneRecoveryTest, SavingOverAKilledRecordingTakesItsJournalAway)
{
    const std::string path = file("torn.overlane");
    put(path, m_torn.file, m_torn.journal);
    const Result<Trace> restored = read(path);
    ASSERT_TRUE(restored.ok());
    ASSERT_TRUE(overlaneFormat().write(restored.value(), path, m_progress).ok());
    EXPECT_FALSE(fs::exists(path + "-journal"));
    const Result<Trace> again = read(path);
    ASSERT_TRUE(again.ok()) << again.error();
    EXPECT_EQ(again.value().eventCount(), 10u);
    // Something else of that name is somebody's.
    setBytes(path + "-journal", "dear diary");
    ASSERT_TRUE(overlaneFormat().write(restored.value(), path, m_progress).ok());
    EXPECT_EQ(bytesOf(path + "-journal"), "dear diary");
}

TEST_F(OverlaneRecoveryTest, RecordingWhereAJournalWasLeftTakesItAway)
{
    const std::string path = file("again.overlane");
    setBytes(path + "-journal", m_torn.journal);
    ASSERT_TRUE(OverlaneWriter::create(path).ok());
    EXPECT_FALSE(fs::exists(path + "-journal"));
    EXPECT_TRUE(read(path).ok());
}

TEST_F(OverlaneRecoveryTest, NoticesThatARecorderWroteOn)
{
    const std::string path = file("live.overlane");
    Result<OverlaneWriter> writer = OverlaneWriter::create(path);
    ASSERT_TRUE(writer.ok());
    const Result<OverlaneRecovery> inPlace = OverlaneRecovery::forFile(path);
    const Result<OverlaneRecovery> copied = OverlaneRecovery::forFile(path, OverlaneRecovery::Where::InCopy);
    ASSERT_TRUE(inPlace.ok() && copied.ok());
    EXPECT_FALSE(inPlace.value().changed());
    EXPECT_NE(copied.value().path(), path);
    ASSERT_TRUE(writer.value().flush().ok());
    EXPECT_TRUE(inPlace.value().changed());
    EXPECT_FALSE(copied.value().changed());
    EXPECT_TRUE(read(path).ok());
}

}  // namespace
}  // namespace overlane
