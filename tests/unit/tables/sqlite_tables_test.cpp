#include "core/tables/sqlite_tables.h"

#include <csignal>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include "core/io/format.h"
#include "core/trace/trace_builder.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/tables/made_up_table.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;

Result<ArrowTable> makeMadeUp(TableAsked& /*asked*/)
{
    return test::madeUpTable();
}

Result<ArrowTable> makeLong(TableAsked& /*asked*/)
{
    ArrowTable table = test::madeUpTable();
    table.rows = 100'000;
    table.columns.resize(1);
    return table;
}

constexpr TableKind kMadeUp{"odd \"name\"", "Made up.", makeMadeUp};
constexpr TableKind kLong{"long", "Made up.", makeLong};

std::shared_ptr<const Trace> oneGpu()
{
    TraceBuilder builder;
    builder.metadata().format = "recorded";
    builder.metadata().title = "it's a title";
    builder.addDevice({0, "NVIDIA H100", 80, 0});
    const TrackId thread = builder.addTrack({}, TrackKind::Thread, "thread");
    builder.addEvent({thread, 0, 70, builder.intern("work"), EventKind::HostWork});
    return std::make_shared<const Trace>(builder.build());
}

Result<void> write(const TableKind& kind, const std::string& path, Progress& progress)
{
    const TableKind* kinds[] = {&kind};
    TableAsked asked{oneGpu(), {}, {}, progress};
    return writeSqliteTables(asked, kinds, "train.overlane", path);
}

// All rows of a query: fields by |, rows by line.
std::string rows(const std::string& path, const std::string& sql)
{
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    std::string text;
    const auto add = [](void* to, int count, char** values, char**) {
        for (int at = 0; at < count; ++at)
            *static_cast<std::string*>(to) += fmt::format("{}{}", at > 0 ? "|" : "", values[at] ? values[at] : "null");
        *static_cast<std::string*>(to) += '\n';
        return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), add, &text, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
    return text;
}

TEST(SqliteTables, HoldEveryValueAndNone)
{
    const test::TempDir folder;
    const std::string path = folder.path("t.sqlite");
    Progress progress;
    ASSERT_TRUE(write(kMadeUp, path, progress).ok());
    EXPECT_EQ(rows(path, "SELECT * FROM \"odd \"\"name\"\"\""),
              "-5000000000|=SUM(A1,\"x\")|4000000000|0.0|0|\n"
              "-4999999999|null|null|0.125|0|g\n"
              "-4999999998|two\nlines|4000000000|0.25|1|gg\n"
              "-4999999997|=SUM(A1,\"x\")|4000000000|0.375|0|ggg\n");
    EXPECT_THAT(rows(path, "EXPLAIN QUERY PLAN SELECT * FROM \"odd \"\"name\"\"\" WHERE start_ns > 0"),
                HasSubstr("_by_start_ns"));
    EXPECT_EQ(rows(path, "PRAGMA integrity_check"), "ok\n");
    EXPECT_EQ(progress.fraction(), 1);
}

TEST(SqliteTables, SayWhatTheyAreOf)
{
    const test::TempDir folder;
    const std::string path = folder.path("t.sqlite");
    Progress progress;
    ASSERT_TRUE(write(kMadeUp, path, progress).ok());
    EXPECT_EQ(rows(path, "SELECT key, value FROM meta ORDER BY key"),
              "device_0|NVIDIA H100\ndevice_0_memory_bytes|80\nduration_ns|70\nformat_version|1\n"
              "recorded_by|recorded\nsource|train.overlane\nstart_epoch_ns|0\ntitle|it's a title\n");
}

// Nor are they taken for an export of Nsight Systems.
TEST(SqliteTables, AreNoTraceAndOpeningThemSaysWhatTheyAre)
{
    const test::TempDir folder;
    const std::string path = folder.path("t.sqlite");
    Progress progress;
    ASSERT_TRUE(write(kMadeUp, path, progress).ok());
    const Result<Trace> read = readTrace(path, progress);
    ASSERT_FALSE(read.ok());
    ASSERT_TRUE(read.error().starts_with(path));
    test::expectText(read.error().substr(path.size()));
}

TEST(SqliteTables, CancelledTheyLeaveTheOlderFile)
{
    const test::TempDir folder;
    const std::string path = folder.write("t.sqlite", "older");
    Progress progress;
    progress.cancel();
    EXPECT_TRUE(write(kLong, path, progress).isCancelled());
    EXPECT_EQ(test::readFile(path), "older");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(SqliteTables, OnAFullDiskTheOlderFileStays)
{
    const test::TempDir folder;
    const std::string path = folder.write("t.sqlite", "older");
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = before;
    small.rlim_cur = 100'000;
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &small);
    Progress progress;
    const Result<void> done = write(kLong, path, progress);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(done.ok());
    EXPECT_THAT(done.error(), HasSubstr("unchanged"));
    EXPECT_EQ(test::readFile(path), "older");
}

}  // namespace
}  // namespace overlane
