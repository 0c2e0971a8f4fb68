#include "core/io/overlane_integrity.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "core/io/overlane_format.h"
#include "core/io/overlane_writer.h"
#include "tests/support/expect_text.h"
#include "tests/support/torn_recording.h"
#include "tests/unit/io/overlane_checksums.h"
#include "tests/unit/io/overlane_trace_text.h"

namespace overlane
{
namespace
{

using test::bytesOf;
using test::randomTrace;
using test::setBytes;
using test::traceText;

class OverlaneIntegrityTest : public test::TemporaryFolder
{
protected:
    Result<Trace> read(const std::string& path) { return overlaneFormat().read(path, m_progress); }
    // A saved trace in which `sql` was executed.
    std::string changed(const Trace& trace, const std::string& sql)
    {
        std::string path = file("changed.overlane");
        EXPECT_TRUE(overlaneFormat().write(trace, path, m_progress).ok());
        const Result<SqliteDatabase> database = SqliteDatabase::openForWriting(path);
        EXPECT_TRUE(database.ok());
        const Result<void> done = SqliteDatabase::openForWriting(path).value().execute(sql.c_str());
        EXPECT_TRUE(done.ok()) << done.error();
        return path;
    }

    Progress m_progress;
};

int errorNotes(const Trace& trace, std::string* words = nullptr)
{
    int errors = 0;
    for (const ImportStat& stat : trace.stats().all())
        if (stat.severity == Severity::Error) {
            ++errors;
            if (words)
                *words += stat.reason + ": " + stat.explanation + "\n";
        }
    return errors;
}

// Has an error among its notes that the other has not, or not as often.
bool saysMore(const Trace& trace, const Trace& good)
{
    const auto known = [&good](const ImportStat& stat) {
        return std::ranges::any_of(good.stats().all(), [&stat](const ImportStat& each) {
            return each.reason == stat.reason && each.count >= stat.count;
        });
    };
    return std::ranges::any_of(trace.stats().all(), [&known](const ImportStat& stat) {
        return stat.severity == Severity::Error && !known(stat);
    });
}

// Of all ways to damage a file the smallest: each flipped bit is refused, named, or changes nothing.
void flipBits(const std::string& path, const std::string& bytes, int rounds, std::uint32_t seed)
{
    Progress progress;
    const Result<Trace> good = overlaneFormat().read(path, progress);
    ASSERT_TRUE(good.ok()) << good.error();
    const std::string text = traceText(good.value());
    std::mt19937 random(seed);
    int named = 0;
    int refused = 0;
    for (int round = 0; round < rounds; ++round) {
        std::string broken = bytes;
        const std::size_t at = random() % broken.size();
        broken[at] = static_cast<char>(broken[at] ^ (1 << random() % 8));
        setBytes(path, broken);
        const Result<Trace> trace = overlaneFormat().read(path, progress);
        if (!trace.ok()) {
            ++refused;
            EXPECT_FALSE(trace.error().empty());
            continue;
        }
        if (saysMore(trace.value(), good.value()))
            ++named;
        else
            EXPECT_EQ(traceText(trace.value()), text) << "silent at byte " << at << " of " << broken.size();
    }
    EXPECT_GT(named, 0);
    EXPECT_LT(refused, rounds / 2);
    std::printf("of %d flips %d were refused and %d named\n", rounds, refused, named);
}

TEST_F(OverlaneIntegrityTest, NoFlippedBitOfASavedTraceIsSilent)
{
    const std::string path = file("flipped.overlane");
    ASSERT_TRUE(overlaneFormat().write(randomTrace(5, 1'000), path, m_progress).ok());
    flipBits(path, bytesOf(path), 500, 1);
}

TEST_F(OverlaneIntegrityTest, NoFlippedBitOfARecordingIsSilent)
{
    const std::string path = file("flipped.overlane");
    {
        Result<OverlaneWriter> writer = OverlaneWriter::create(path);
        ASSERT_TRUE(writer.ok());
        Event event;
        event.track = writer.value().addTrack({}, TrackKind::Stream, "stream", 0, 7);
        event.kind = EventKind::Kernel;
        for (int flush = 0; flush < 8; ++flush) {
            for (int at = 0; at < 200; ++at) {
                event.startNs += 1000 + at % 7;
                event.durationNs = 500 + at % 13;
                event.correlation = static_cast<std::uint32_t>(at);
                event.name = writer.value().intern("kernel " + std::to_string(flush * 7 + at % 40));
                writer.value().addEvent(event);
            }
            ASSERT_TRUE((flush < 7 ? writer.value().flush() : writer.value().finish()).ok());
        }
    }
    flipBits(path, bytesOf(path), 300, 2);
}

TEST_F(OverlaneIntegrityTest, EachPartIsNamed)
{
    const Trace trace = randomTrace(1, 300);
    const std::pair<const char*, const char*> cases[] = {
        {"UPDATE meta SET value = value + 1 WHERE key = 'start_epoch_ns'", "damaged_meta"},
        {"UPDATE properties SET value = 'y' WHERE name = 'a''b'", "damaged_properties"},
        {"UPDATE strings SET text = 'other' WHERE id = 4", "damaged_strings"},
        {"DELETE FROM strings WHERE id > 20", "damaged_strings"},
        {"UPDATE tracks SET native_id = 8 WHERE id = 2", "damaged_tracks"},
        {"UPDATE devices SET memory_bytes = 1", "damaged_devices"},
        {"UPDATE stats SET count = 8", "damaged_stats"},
        {"DELETE FROM chunks WHERE kind = 'samples'", "damaged_chunks"},
        {"DELETE FROM columns WHERE name = 'colour'", "damaged_columns"},
        {"UPDATE meta SET value = value + 1 WHERE key = 'checksum tracks'", "damaged_whole"},
        {"DELETE FROM meta WHERE key = 'checksum tracks'", "damaged_tracks"},
        {"DELETE FROM meta WHERE key LIKE 'checksum %'", "damaged_tracks"},
        {"ALTER TABLE columns DROP COLUMN checksum", "damaged_columns"},
        {"DELETE FROM strings WHERE id = 1", "lost_strings"},
        {"UPDATE stats SET severity = 77", "lost_stats"},
        {"UPDATE devices SET id = -7", "lost_devices"},
        {"DROP TABLE properties", "lost_properties"},
    };
    for (const auto& [sql, reason] : cases) {
        const Result<Trace> again = read(changed(trace, sql));
        ASSERT_TRUE(again.ok()) << sql << ": " << again.error();
        EXPECT_EQ(again.value().stats().count(reason), 1) << sql;
        EXPECT_EQ(again.value().eventCount(), trace.eventCount()) << sql;
    }
}

TEST_F(OverlaneIntegrityTest, ADamagedChunkIsLeftOutAndTheRestOpens)
{
    const Trace trace = randomTrace(2, 150'000);  // three chunks
    const Result<Trace> again =
        read(changed(trace,
                     "UPDATE columns SET data = zeroblob(length(data)) WHERE name = 'start_ns' AND chunk = 1 "
                     "+ (SELECT min(id) FROM chunks WHERE kind = 'events')"));
    ASSERT_TRUE(again.ok()) << again.error();
    EXPECT_EQ(again.value().eventCount(), trace.eventCount() - 65'536);
    EXPECT_EQ(again.value().stats().count("damaged_chunk"), 65'536);
    std::string words;
    EXPECT_EQ(errorNotes(again.value(), &words), errorNotes(trace) + 1);
    test::expectText(words);
}

TEST_F(OverlaneIntegrityTest, WithNothingLeftItSaysWhy)
{
    const Result<Trace> none = read(changed(randomTrace(3, 300), "UPDATE columns SET count = count + 1"));
    ASSERT_FALSE(none.ok());
    test::expectText(none.error());
}

TEST_F(OverlaneIntegrityTest, EventsAreShownWithoutWhatTheyCanLack)
{
    const Trace trace = randomTrace(4, 2000);
    for (const char* column : {"name", "correlation", "process", "copy_bytes", "copy_source", "copy_destination",
                               "copy_async", "colour", "graph"}) {
        const Result<Trace> again = read(
            changed(trace, std::string("UPDATE columns SET raw_bytes = raw_bytes + 1 WHERE name = '") + column + "'"));
        ASSERT_TRUE(again.ok()) << column << ": " << again.error();
        EXPECT_EQ(again.value().eventCount(), trace.eventCount()) << column;
        EXPECT_GT(again.value().stats().count(std::string("damaged_column_") + column), 0) << column;
        for (std::size_t at = 0; std::string_view(column) == "process" && at < trace.eventCount(); ++at)
            EXPECT_FALSE(again.value().link(EventIndex(at)).valid());
    }
}

TEST_F(OverlaneIntegrityTest, FilesOfBeforeChecksumsOpenWithoutAWord)
{
    const Trace trace = randomTrace(6, 500);
    const Result<Trace> again = read(changed(trace, test::kDropChecksums));
    ASSERT_TRUE(again.ok()) << again.error();
    EXPECT_EQ(traceText(again.value()), traceText(trace));
    for (const char* folder : {"/resources/samples", "/tests/data"})
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(std::string(OVERLANE_SOURCE_DIR) + folder)) {
            if (entry.path().extension() != ".overlane")
                continue;
            const Result<Trace> sample = read(entry.path().string());
            ASSERT_TRUE(sample.ok()) << sample.error();
            std::string words;
            EXPECT_EQ(errorNotes(sample.value(), &words), 0) << entry.path() << words;
        }
}

}  // namespace
}  // namespace overlane
