// What reading a file costs, counted and not timed: however a text is broken, the bytes looked at grow
// with its bytes, and a cancel is noticed before much more is done.
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <sqlite3.h>
#include <zlib.h>

#include "core/io/chrome_document.h"
#include "core/io/format.h"
#include "core/io/host_order.h"
#include "core/io/kineto_format.h"
#include "core/io/sqlite_database.h"
#include "tests/support/odd_shapes.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using Kind = ChromeDocument::ItemKind;

std::string repeated(std::string_view part, std::size_t bytes)
{
    std::string text;
    while (text.size() < bytes)
        text += part;
    return text;
}

// Walks the whole text; the bytes looked at.
std::int64_t scanned(std::string_view text)
{
    MemorySource source(text);
    const Progress progress;
    ChromeDocument document(source, progress);
    for (;;) {
        const Result<ChromeDocument::Item> item = document.next();
        if (!item.ok() || item.value().kind == Kind::End || item.value().kind == Kind::Cut)
            return document.scannedBytes();
    }
}

// Once over the text, once more for what is looked at again, and the allowance.
std::int64_t most(std::string_view text)
{
    return 4 * static_cast<std::int64_t>(text.size()) + 3 * ChromeDocument::kRescanAllowance;
}

class BrokenShapeTest : public testing::TestWithParam<const char*>
{
};

TEST_P(BrokenShapeTest, isReadInBytesThatGrowWithTheText)
{
    for (const std::size_t bytes : {std::size_t{200'000}, std::size_t{3'000'000}}) {
        const std::string text = R"({"traceEvents":[)" + repeated(GetParam(), bytes) + R"({"a" "b"}]})";
        EXPECT_LE(scanned(text), most(text)) << bytes;
    }
}

INSTANTIATE_TEST_SUITE_P(Chrome, BrokenShapeTest,
                         testing::Values("{[},", "{\"a\":{},", "{\"a\":[{},", "{\"a\" \"b\"},", "{\"},",
                                         "{\"a\":\"},{\\\"", "},{", "{{},{", "[},{", "]},{[", "{\"x\": },{", "\"},{\"",
                                         "{ },,,{["));

TEST(ReaderWorkTest, AnySoupOfTokensIsReadInBytesThatGrowWithTheText)
{
    constexpr std::array<std::string_view, 12> kTokens{"{", "}", "[", "]", ",", ":", "\"", "\\", " ", "a", "},{", "{["};
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        std::mt19937_64 random(seed);
        const std::size_t used = 2 + random() % (kTokens.size() - 1);
        std::string text = R"({"traceEvents":[{)";
        while (text.size() < 300'000)
            text += kTokens[random() % used];
        EXPECT_LE(scanned(text), most(text)) << "seed " << seed;
    }
}

TEST(ReaderWorkTest, EventsBehindADamagedOneAreStillFound)
{
    MemorySource source(R"({"traceEvents":[{"ph":"X","name:"a"},{"ph":"X","name":"b"},{[},{"ph":"X","name":"c"}]})");
    const Progress progress;
    ChromeDocument document(source, progress);
    int events = 0;
    for (Result<ChromeDocument::Item> item = document.next();
         item.ok() && item.value().kind != Kind::End && item.value().kind != Kind::Cut; item = document.next())
        events += item.value().kind == Kind::Event ? 1 : 0;
    EXPECT_GE(events, 1);
}

// One event that never ends; cancels once `after` reads were asked for.
class EndlessEvent final : public ByteSource
{
public:
    EndlessEvent(Progress& progress, int after) : m_progress(progress), m_after(after) {}
    Result<std::size_t> read(std::span<char> target) override
    {
        if (m_reads++ == m_after)
            m_progress.cancel();
        std::fill(target.begin(), target.end(), 'y');
        constexpr std::string_view kBegin = "{\"traceEvents\":[{\"name\":\"";
        if (m_reads == 1)
            std::copy(kBegin.begin(), kBegin.end(), target.begin());
        m_largest = std::max(m_largest, target.size());
        return target.size();
    }
    double fraction() const override { return 0; }
    int reads() const { return m_reads; }
    std::size_t largest() const { return m_largest; }

private:
    Progress& m_progress;
    int m_after;
    int m_reads = 0;
    std::size_t m_largest = 0;
};

TEST(ReaderWorkTest, ACancelEndsTheWalkWithinOneReadOfALargeEvent)
{
    Progress progress;
    EndlessEvent source(progress, 20);
    ChromeDocument document(source, progress);
    Result<ChromeDocument::Item> item = document.next();
    while (item.ok())
        item = document.next();
    EXPECT_TRUE(item.isCancelled());
    EXPECT_EQ(source.reads(), 21) << "read on after the cancel";
    EXPECT_LE(source.largest(), ChromeDocument::kReadBytes);
    EXPECT_LE(document.scannedBytes(), static_cast<std::int64_t>(21 * ChromeDocument::kReadBytes));
}

TEST(ReaderWorkTest, ACancelEndsTheWalkBetweenTwoItemsOfOneBuffer)
{
    const std::string text = "[" + repeated("1,", 200'000) + "1]";
    MemorySource source(text);
    Progress progress;
    ChromeDocument document(source, progress);
    for (int items = 0; items < 100; ++items)
        ASSERT_TRUE(document.next().ok());
    progress.cancel();
    const std::int64_t before = document.scannedBytes();
    const Result<ChromeDocument::Item> next = document.next();
    ASSERT_FALSE(next.ok());
    EXPECT_TRUE(next.isCancelled());
    EXPECT_EQ(document.scannedBytes(), before);
}

TEST(ReaderWorkTest, ACancelIsNoticedWhereGzipDataHoldNothing)
{
    const test::TempDir folder;
    const std::string path = folder.path("empty.json.gz");
    std::string member(64, '\0');
    z_stream stream{};
    ASSERT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_out = reinterpret_cast<Bytef*>(member.data());
    stream.avail_out = static_cast<uInt>(member.size());
    ASSERT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    member.resize(member.size() - stream.avail_out);
    deflateEnd(&stream);
    folder.write("empty.json.gz", repeated(member, 3'000'000));

    Progress progress;
    progress.cancel();
    for (const bool ownThread : {false, true}) {
        const auto source = ownThread ? openByteSource(path, &progress) : openByteSourceInline(path, &progress);
        ASSERT_TRUE(source.ok()) << source.error();
        std::vector<char> target(1000);
        const Result<std::size_t> count = source.value()->read(target);
        ASSERT_FALSE(count.ok()) << "read to the end: nothing was in it";
        EXPECT_TRUE(count.isCancelled());
    }
    const Result<Trace> trace = readTrace(path, progress);
    ASSERT_FALSE(trace.ok());
    EXPECT_TRUE(trace.isCancelled());
}

TEST(ReaderWorkTest, ACancelIsNoticedWhileRowsAreCounted)
{
    const test::TempDir folder;
    const std::string path = folder.path("many.sqlite");
    sqlite3* raw = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &raw), SQLITE_OK);
    ASSERT_EQ(
        sqlite3_exec(raw,
                     "CREATE TABLE OSRT_API(start); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
                     "LIMIT 200000) INSERT INTO OSRT_API SELECT i FROM n",
                     nullptr, nullptr, nullptr),
        SQLITE_OK);
    sqlite3_close(raw);
    Progress progress;
    Result<SqliteDatabase> database = SqliteDatabase::openStranger(path, &progress);
    ASSERT_TRUE(database.ok()) << database.error();
    EXPECT_EQ(database.value().rowCount("OSRT_API").value(), 200'000);
    progress.cancel();
    const Result<std::int64_t> count = database.value().rowCount("OSRT_API");
    ASSERT_FALSE(count.ok());
    EXPECT_TRUE(count.isCancelled());
    const Result<Trace> trace = readTrace(path, progress);
    ASSERT_FALSE(trace.ok());
    EXPECT_TRUE(trace.isCancelled());
}

TEST(ReaderWorkTest, TheOrderOfProcessesIsFoundInVisitsThatGrowWithThem)
{
    const auto visits = [](int processes) {
        TraceBuilder builder;
        HostOrder order(builder);
        for (int at = 0; at < processes; ++at) {
            const TrackId process = builder.addTrack({}, TrackKind::Process, "p");
            order.addProcess(process);
            order.addThread(process, builder.addTrack(process, TrackKind::Thread, "t"), true);
        }
        order.finish();
        return order.visits();
    };
    EXPECT_GE(visits(1'000), 2'000);
    EXPECT_LE(visits(8'000), 9 * visits(1'000));
}

class OddShapeTest : public testing::TestWithParam<test::OddShape>
{
};

TEST_P(OddShapeTest, isTheSameTraceFromAFileAndFromTheBuilder)
{
    const test::OddEvents made = test::oddEvents(GetParam(), 300);
    const Trace built = test::builtTrace(made);
    const std::string text = test::kinetoText(made);
    MemorySource source(text);
    Progress progress;
    const Result<Trace> read = readKineto(source, "odd.json", progress);
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(read.value().eventCount(), made.events.size());
    EXPECT_EQ(built.eventCount(), made.events.size());
    EXPECT_EQ(read.value().span(), built.span());
    EXPECT_EQ(read.value().counters().size(), built.counters().size());
    EXPECT_EQ(read.value().devices().size(), built.devices().size());
    EXPECT_LE(scanned(text), static_cast<std::int64_t>(text.size())) << "a sound file is looked at once";
}

INSTANTIATE_TEST_SUITE_P(All, OddShapeTest, testing::ValuesIn(test::kOddShapes),
                         [](const auto& each) { return test::oddShapeName(each.param); });

}  // namespace
}  // namespace overlane
