#include "core/io/overlane_format.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include "core/io/overlane_reader.h"
#include "core/io/zstd_codec.h"
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
using testing::HasSubstr;

class OverlaneFormatTest : public test::TemporaryFolder
{
protected:
    Result<Trace> read(const std::string& path) { return overlaneFormat().read(path, m_progress); }
    Result<void> write(const Trace& trace, const std::string& path)
    {
        return overlaneFormat().write(trace, path, m_progress);
    }
    void execute(const std::string& path, const std::string& sql)
    {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
        char* message = nullptr;
        EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
        sqlite3_close(database);
    }

    Progress m_progress;
};

TEST_F(OverlaneFormatTest, ReadsBackWhatItWrote)
{
    for (const std::uint32_t seed : {1u, 2u, 3u, 4u, 5u}) {
        const Trace trace = randomTrace(seed, 3000);
        const std::string path = file("odd name?mode=memory#%41 'x'.overlane");
        ASSERT_TRUE(write(trace, path).ok());
        Result<Trace> again = read(path);
        ASSERT_TRUE(again.ok()) << again.error();
        EXPECT_EQ(traceText(trace), traceText(again.value()));
        ASSERT_TRUE(write(again.value(), file("second.overlane")).ok());
        EXPECT_EQ(bytesOf(path), bytesOf(file("second.overlane")));
    }
}

TEST_F(OverlaneFormatTest, KeepsSeveralChunksAndAnEmptyTrace)
{
    const Trace large = randomTrace(9, 150'000);
    ASSERT_TRUE(write(large, file("large.overlane")).ok());
    Result<Trace> again = read(file("large.overlane"));
    ASSERT_TRUE(again.ok()) << again.error();
    EXPECT_EQ(traceText(large), traceText(again.value()));

    const Trace empty = TraceBuilder().build();
    ASSERT_TRUE(write(empty, file("empty.overlane")).ok());
    Result<Trace> nothing = read(file("empty.overlane"));
    ASSERT_TRUE(nothing.ok()) << nothing.error();
    EXPECT_EQ(nothing.value().eventCount(), 0u);
}

TEST_F(OverlaneFormatTest, ColorsTakeRoomOnlyWhereThereAreSome)
{
    const auto colored = [](std::uint32_t color) {
        TraceBuilder builder;
        Event event;
        event.track = builder.addTrack({}, TrackKind::Thread, "main");
        event.kind = EventKind::Annotation;
        event.durationNs = 5;
        event.color = color;
        builder.addEvent(event);
        return builder.build();
    };
    const std::string plain = file("plain.overlane");
    const std::string bright = file("bright.overlane");
    ASSERT_TRUE(write(colored(0), plain).ok());
    ASSERT_TRUE(write(colored(0xFF336699), bright).ok());
    Result<Trace> read = this->read(bright);
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(read.value().color(EventIndex(0)), 0xFF336699u);
    execute(plain,
            "CREATE TABLE ok (n CHECK (n = 0)); INSERT INTO ok SELECT count(*) FROM columns WHERE name = 'colour'");
    execute(bright,
            "CREATE TABLE ok (n CHECK (n = 1)); INSERT INTO ok SELECT count(*) FROM columns WHERE name = 'colour'");
}

TEST_F(OverlaneFormatTest, GraphsAreKeptAndOlderProgramsIgnoreTheirColumn)
{
    TraceBuilder builder;
    Event event;
    event.track = builder.addTrack({}, TrackKind::Stream, "stream 7", 0, 7);
    event.kind = EventKind::Kernel;
    event.durationNs = 5;
    builder.addEvent(event);
    event.startNs = 10;
    event.graph = 0xFFFFFFFF;
    builder.addEvent(event);
    ASSERT_TRUE(write(builder.build(), file("graph.overlane")).ok());
    const Result<Trace> read = this->read(file("graph.overlane"));
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(read.value().graph(EventIndex(0)), 0u);
    EXPECT_EQ(read.value().graph(EventIndex(1)), 0xFFFFFFFFu);
    // A column of its own that not every chunk has, and the same version of the file: see docs/format.md.
    execute(file("graph.overlane"),
            "CREATE TABLE ok (n CHECK (n = 1)); INSERT INTO ok SELECT count(*) FROM columns WHERE name = 'graph';"
            "INSERT INTO ok SELECT value FROM meta WHERE key = 'version'");
}

TEST_F(OverlaneFormatTest, CollectivesTakeRoomOnlyWhereThereAreSomeAndAreIgnoredByOlderPrograms)
{
    const auto made = [](const CollectiveInfo* info) {
        TraceBuilder builder;
        Event event;
        event.track = builder.addTrack({}, TrackKind::Stream, "stream 7", 0, 7);
        event.kind = EventKind::Kernel;
        event.durationNs = 5;
        CollectiveInfo named = info ? *info : CollectiveInfo();
        builder.intern("the first name has number 0");
        named.group = builder.intern("dp");
        builder.addEvent(event);
        event.startNs = 10;
        builder.addEvent(event, info ? &named : nullptr);
        return builder.build();
    };
    const CollectiveInfo info{CollectiveKind::AllGather, {}, 41, 1 << 20, 8};
    ASSERT_TRUE(write(made(nullptr), file("plain.overlane")).ok());
    ASSERT_TRUE(write(made(&info), file("told.overlane")).ok());
    const auto count = [&](const char* name, int columns) {
        execute(file(name), fmt::format("CREATE TABLE ok (n CHECK (n = {})); INSERT INTO ok SELECT count(*) FROM "
                                        "columns WHERE name LIKE 'collective%'; CREATE TABLE version (n CHECK (n = "
                                        "1)); INSERT INTO version SELECT value FROM meta WHERE key = 'version'",
                                        columns));
    };
    count("plain.overlane", 0);
    count("told.overlane", 5);
    // The first collective of a group, of which nothing else is known: zeros alone.
    const CollectiveInfo zeros{CollectiveKind::AllReduce, {}, 0, 0, 0};
    ASSERT_TRUE(write(made(&zeros), file("zeros.overlane")).ok());
    const Result<Trace> withZeros = read(file("zeros.overlane"));
    ASSERT_TRUE(withZeros.ok()) << withZeros.error();
    EXPECT_TRUE(withZeros.value().stats().all().empty()) << "no column is taken for lost";
    ASSERT_NE(withZeros.value().collective(EventIndex(1)), nullptr);
    EXPECT_EQ(withZeros.value().collective(EventIndex(1))->sequence, 0);
    // A kind of a newer program, and a column that is damaged.
    const std::string told = file("told.overlane");
    const auto expectTold = [&](const CollectiveInfo& expected) {
        const Result<Trace> read = this->read(told);
        ASSERT_TRUE(read.ok()) << read.error();
        EXPECT_EQ(read.value().collective(EventIndex(0)), nullptr);
        const CollectiveInfo* found = read.value().collective(EventIndex(1));
        ASSERT_NE(found, nullptr);
        CollectiveInfo plain = *found;
        EXPECT_EQ(plain.group.valid() ? read.value().strings().view(plain.group) : "", expected.bytes > 0 ? "dp" : "");
        plain.group = StringId();
        EXPECT_EQ(plain, expected);
    };
    expectTold(info);
    execute(told,
            "UPDATE columns SET data = x'00' WHERE name IN ('collective_group', 'collective_sequence', "
            "'collective_bytes', 'collective_size')");
    expectTold({CollectiveKind::AllGather, {}, -1, 0, 0});
    execute(told, "UPDATE columns SET data = x'00' WHERE name = 'collective'");
    const Result<Trace> read = this->read(told);
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(read.value().collective(EventIndex(1)), nullptr);
    EXPECT_EQ(read.value().eventCount(), 2u);
}

TEST_F(OverlaneFormatTest, RecognizesItsOwnFilesOnly)
{
    ASSERT_TRUE(write(randomTrace(1, 10), file("a.overlane")).ok());
    EXPECT_TRUE(overlaneFormat().sniff(bytesOf(file("a.overlane"))));
    execute(file("b.sqlite"), "CREATE TABLE t(x)");
    EXPECT_FALSE(overlaneFormat().sniff(bytesOf(file("b.sqlite"))));
    EXPECT_FALSE(overlaneFormat().sniff(std::string("SQLite format 3\0", 16)));
    EXPECT_FALSE(overlaneFormat().sniff(std::string()));
}

TEST_F(OverlaneFormatTest, AFailedSaveLeavesTheOldFile)
{
    const std::string path = file("trace.overlane");
    ASSERT_TRUE(write(randomTrace(1, 50), path).ok());
    const std::string before = bytesOf(path);
    const Trace large = randomTrace(2, 100'000);

    rlimit old{};
    getrlimit(RLIMIT_FSIZE, &old);
    rlimit small = old;
    small.rlim_cur = 200'000;
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const Result<void> saved = write(large, path);
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);

    ASSERT_FALSE(saved.ok());
    EXPECT_THAT(saved.error(), HasSubstr("unchanged"));
    test::expectText(test::withoutFigures(saved.error()));
    EXPECT_EQ(bytesOf(path), before);
    EXPECT_EQ(fileCount(), 1u);
}

TEST_F(OverlaneFormatTest, ACancelledSaveLeavesTheOldFile)
{
    const std::string path = file("trace.overlane");
    setBytes(path, "old");
    m_progress.cancel();
    const Result<void> saved = write(randomTrace(1, 50), path);
    ASSERT_FALSE(saved.ok());
    EXPECT_TRUE(saved.isCancelled());
    EXPECT_EQ(bytesOf(path), "old");
    EXPECT_EQ(fileCount(), 1u);
}

TEST_F(OverlaneFormatTest, SaysWhyItCannotSave)
{
    const Trace trace = randomTrace(1, 10);
    const Result<void> nowhere = write(trace, file("no/such/folder/a.overlane"));
    ASSERT_FALSE(nowhere.ok());
    test::expectText(nowhere.error());
    std::filesystem::create_directory(file("folder.overlane"));
    EXPECT_FALSE(write(trace, file("folder.overlane")).ok());
    EXPECT_FALSE(write(trace, "").ok());
}

TEST_F(OverlaneFormatTest, KeepsLinksAndModesOfTheFileItReplaces)
{
    namespace fs = std::filesystem;
    setBytes(file("real.overlane"), "old");
    fs::permissions(file("real.overlane"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink(file("real.overlane"), file("link.overlane"));
    ASSERT_TRUE(write(randomTrace(1, 10), file("link.overlane")).ok());
    EXPECT_TRUE(fs::is_symlink(file("link.overlane")));
    EXPECT_EQ(fs::status(file("real.overlane")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_TRUE(read(file("real.overlane")).ok());
}

TEST_F(OverlaneFormatTest, RefusesANewerVersion)
{
    const std::string path = file("a.overlane");
    ASSERT_TRUE(write(randomTrace(1, 10), path).ok());
    execute(path, "PRAGMA user_version = 7");
    const Result<Trace> trace = read(path);
    ASSERT_FALSE(trace.ok());
    test::expectText(trace.error());
    EXPECT_THAT(trace.error(), HasSubstr(path));
}

TEST_F(OverlaneFormatTest, IgnoresWhatALaterMinorReleaseAdds)
{
    const Trace trace = randomTrace(1, 100);
    const std::string path = file("a.overlane");
    ASSERT_TRUE(write(trace, path).ok());
    execute(path,
            "CREATE TABLE later(x); ALTER TABLE tracks ADD COLUMN colour; INSERT INTO meta VALUES('later', 1);"
            "INSERT INTO columns VALUES(0, 'later', 1, 1, 0, x'00')");
    test::sumUp(path);
    Result<Trace> again = read(path);
    ASSERT_TRUE(again.ok()) << again.error();
    EXPECT_EQ(traceText(trace), traceText(again.value()));
}

TEST_F(OverlaneFormatTest, OpensFilesOfBeforeBookkeepingTracks)
{
    const Trace trace = randomTrace(7, 300);
    ASSERT_TRUE(write(trace, file("old.overlane")).ok());
    execute(file("old.overlane"), std::string("ALTER TABLE tracks DROP COLUMN bookkeeping;") + test::kDropChecksums);
    const Result<Trace> again = read(file("old.overlane"));
    ASSERT_TRUE(again.ok()) << again.error();
    EXPECT_EQ(again.value().eventCount(), trace.eventCount());
    ASSERT_EQ(again.value().tracks().size(), trace.tracks().size());
    for (const Track& track : again.value().tracks())
        EXPECT_FALSE(track.bookkeeping) << track.name;
}

TEST_F(OverlaneFormatTest, RefusesContentThatCannotBe)
{
    const PackedBytes bomb = zstdPack(PackedBytes(100'000'000, 0));
    std::string hex;
    for (const std::uint8_t byte : bomb)
        hex += fmt::format("{:02x}", byte);
    const std::pair<std::string, std::string> cases[] = {
        {"UPDATE columns SET data = x'" + hex + "' WHERE name = 'start_ns'", "unpacks to 100000000 bytes"},
        {"UPDATE columns SET data = x'" + hex + "', raw_bytes = 100000000 WHERE name = 'start_ns'",
         "announces 100000000 bytes"},
        {"UPDATE columns SET data = x'00'", "not Zstandard"},
        {"UPDATE columns SET data = 5", "not Zstandard"},
        {"UPDATE columns SET count = count - 1 WHERE name = 'kind'", "values where"},
        {"UPDATE columns SET raw_bytes = -1 WHERE name = 'kind'", "announces -1 bytes"},
        {"DELETE FROM columns WHERE name = 'track'", "missing"},
        {"DELETE FROM tracks WHERE id > 5", "out of range"},
        {"UPDATE tracks SET parent = id", "no valid parent"},
        {"UPDATE tracks SET parent = 'a'", "no valid parent"},
        {"UPDATE tracks SET kind = 99", "out of range"},
        {"UPDATE tracks SET device = 99999999999", "out of range"},
        {"UPDATE tracks SET counter_unit = 77", "unknown unit"},
        {"UPDATE chunks SET rows = 99999999", "announces 99999999 rows"},
        {"UPDATE chunks SET kind = 'x'", "unknown kind"},
        {"DROP TABLE tracks", "no such table"},
        {"DROP TABLE meta; CREATE VIEW meta AS SELECT 'title' AS key, 'x' AS value", "meta"},
        {"PRAGMA user_version = 0", "no file version"},
    };
    const std::string original = file("a.overlane");
    ASSERT_TRUE(write(randomTrace(1, 200), original).ok());
    // One chunk, and no checksums, which would notice everything first.
    execute(original, std::string("DELETE FROM chunks WHERE kind = 'samples';") + test::kDropChecksums);
    for (const auto& [sql, message] : cases) {
        const std::string path = file("bad.overlane");
        setBytes(path, bytesOf(original));
        execute(path, sql);
        const Result<Trace> trace = read(path);
        ASSERT_FALSE(trace.ok()) << sql.substr(0, 80);
        EXPECT_THAT(trace.error(), HasSubstr(message)) << sql.substr(0, 80);
    }
}

TEST_F(OverlaneFormatTest, RefusesATinyFileThatAnnouncesBillions)
{
    const std::string path = file("a.overlane");
    ASSERT_TRUE(write(randomTrace(1, 200), path).ok());
    execute(path,
            "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
            "INSERT INTO chunks SELECT i, 'events', 1000000 FROM n");
    const Result<Trace> trace = read(path);
    ASSERT_FALSE(trace.ok());
    test::expectText(trace.error());
}

TEST_F(OverlaneFormatTest, SurvivesDamageAnywhere)
{
    const std::string original = file("a.overlane");
    ASSERT_TRUE(write(randomTrace(1, 500), original).ok());
    const std::string bytes = bytesOf(original);
    std::mt19937 random(11);
    int refused = 0;
    for (int round = 0; round < 600; ++round) {
        std::string broken = bytes;
        for (int change = 0; change < 1 + round % 8; ++change)
            broken[random() % broken.size()] = static_cast<char>(random());
        if (round % 5 == 0)
            broken.resize(random() % broken.size());
        setBytes(file("bad.overlane"), broken);
        refused += read(file("bad.overlane")).ok() ? 0 : 1;
    }
    EXPECT_GT(refused, 100);  // every cut file at least
}

TEST_F(OverlaneFormatTest, SaysWhenItIsNoDatabase)
{
    setBytes(file("text.overlane"), std::string(5000, 'x'));
    const Result<Trace> text = read(file("text.overlane"));
    ASSERT_FALSE(text.ok());
    test::expectText(text.error());
    EXPECT_FALSE(read(file("missing.overlane")).ok());
}

TEST_F(OverlaneFormatTest, AFileOfMoreEventsThanFitIsRefusedBeforeItIsRead)
{
    TraceBuilder builder;
    const TrackId thread = builder.addTrack({}, TrackKind::Thread, "t");
    const MemoryGuard little(0);
    for (std::size_t at = 0; at <= little.mostEvents(); ++at)
        builder.addEvent({.track = thread, .startNs = static_cast<std::int64_t>(at), .durationNs = 1});
    ASSERT_TRUE(saveOverlane(builder.build(), file("big.overlane"), m_progress).ok());
    const Result<Trace> refused = readOverlane(file("big.overlane"), m_progress, little);
    ASSERT_FALSE(refused.ok());
    test::expectText(refused.error());
    const MemoryGuard enough(std::int64_t{4} << 30);
    EXPECT_TRUE(readOverlane(file("big.overlane"), m_progress, enough).ok());
}

TEST_F(OverlaneFormatTest, StopsReadingWhenAsked)
{
    ASSERT_TRUE(write(randomTrace(1, 500), file("a.overlane")).ok());
    m_progress.cancel();
    const Result<Trace> trace = read(file("a.overlane"));
    ASSERT_FALSE(trace.ok());
    EXPECT_TRUE(trace.isCancelled());
}

}  // namespace
}  // namespace overlane
