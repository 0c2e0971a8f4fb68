// Damaged and hostile trace files: each gets a sentence or a counted reason, and keeps the rest.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/io/format.h"
#include "core/io/kineto_format.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using testing::AllOf;
using testing::HasSubstr;

const std::string kKernel =
    R"json({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":10,"dur":5,"args":{"device":0,"stream":7}})json";

Result<Trace> readText(std::string_view text)
{
    MemorySource source(text);
    Progress progress;
    return readKineto(source, "test.json", progress);
}

std::string document(std::string_view events)
{
    return fmt::format(R"({{"schemaVersion": 1, "traceEvents": [{}], "traceName": "t"}})", events);
}

// The trace of kernel, `middle`, kernel.
Trace around(std::string_view middle)
{
    Result<Trace> trace = readText(document(fmt::format("{}, {}, {}", kKernel, middle, kKernel)));
    EXPECT_TRUE(trace.ok());
    return std::move(trace).value();
}

std::int64_t accounted(const Trace& trace)
{
    auto sum = static_cast<std::int64_t>(trace.eventCount());
    for (const ImportStat& stat : trace.stats().all())
        sum += stat.count;
    return sum;
}

struct BadEvent {
    const char* label;
    const char* text;
    const char* reason;
};

class BadEventTest : public testing::TestWithParam<BadEvent>
{
};

TEST_P(BadEventTest, isCountedAndItsNeighborsKept)
{
    const Trace trace = around(GetParam().text);
    EXPECT_EQ(trace.eventCount(), 2U);
    EXPECT_EQ(trace.stats().count(GetParam().reason), 1);
    EXPECT_EQ(trace.metadata().sourceEvents, 3);
    EXPECT_EQ(accounted(trace), 3);
    EXPECT_EQ(trace.metadata().properties.at("traceName"), "t") << "what follows the list is read too";
}

INSTANTIATE_TEST_SUITE_P(
    Kineto, BadEventTest,
    testing::Values(
        BadEvent{"NaNTime", R"({"ph":"X","name":"a","ts":NaN,"dur":1})", "bad_time"},
        BadEvent{"InfiniteTime", R"({"ph":"X","name":"a","ts":Infinity,"dur":1})", "bad_time"},
        BadEvent{"BareInf", R"({"ph":"X","name":"a","ts":1,"dur":inf})", "bad_duration"},
        BadEvent{"NoTime", R"({"ph":"X","name":"a"})", "bad_time"},
        BadEvent{"HugeTime", R"({"ph":"X","name":"a","ts":99999999999999999999,"dur":1})", "bad_time"},
        BadEvent{"HugeExponent", R"({"ph":"X","name":"a","ts":1e400,"dur":1})", "bad_time"},
        BadEvent{"HugeDuration", R"({"ph":"X","name":"a","ts":1,"dur":9223372036854775808})", "bad_duration"},
        BadEvent{"NegativeTime", R"({"ph":"X","name":"a","ts":-5,"dur":1})", "negative_time"},
        BadEvent{"NegativeDuration", R"({"ph":"X","name":"a","ts":5,"dur":-1})", "negative_duration"},
        BadEvent{"NotCollected", R"({"ph":"X","cat":"kernel","name":"a","pid":0,"ts":0,"dur":0})", "zero_timestamps"},
        BadEvent{"TimeIsAList", R"({"ph":"X","name":"a","ts":[1],"dur":1})", "bad_time"},
        BadEvent{"PhaseIsANumber", R"({"ph":12,"name":"a","ts":1})", "no_phase"},
        BadEvent{"NoPhase", R"({})", "no_phase"},
        BadEvent{"UnknownPhase", R"({"ph":"Z","name":"a","ts":1})", "unknown_phase"},
        BadEvent{"Number", "17", "not_an_object"}, BadEvent{"Text", R"("text")", "not_an_object"},
        BadEvent{"List", "[1, {}]", "not_an_object"}, BadEvent{"Null", "null", "not_an_object"},
        BadEvent{"EndOfNothing", R"({"ph":"E","name":"a","ts":1})", "unmatched_end"},
        BadEvent{"NeverEnds", R"({"ph":"B","name":"a","ts":1})", "unmatched_begin"},
        BadEvent{"NoQuoteAfterName", R"({"ph":"X","name":"a,"ts":1,"dur":2})", "broken_json"},
        BadEvent{"NoQuoteBeforeName", R"({"ph":"X","name":a","ts":1,"dur":2})", "broken_json"},
        BadEvent{"NoQuoteAfterKey", R"({"ph":"X","name:"a","ts":1,"dur":2})", "broken_json"},
        BadEvent{"BackslashBeforeQuote", R"({"ph":"X","name":"C:\dir\","ts":1,"dur":2})", "broken_json"},
        BadEvent{"NoComma", R"({"ph":"X" "name":"a","ts":1,"dur":2})", "broken_json"}),
    [](const auto& each) { return std::string(each.param.label); });

TEST(KinetoBroken, saysWhereTheFirstBrokenEventIs)
{
    const std::string text = document(fmt::format(R"({}, {{"ph":"X","name:"a"}}, {})", kKernel, kKernel));
    const Result<Trace> trace = readText(text);
    ASSERT_TRUE(trace.ok());
    ASSERT_EQ(trace.value().stats().all().size(), 1U);
    const ImportStat& stat = trace.value().stats().all()[0];
    EXPECT_EQ(stat.severity, Severity::Error);
    // The byte after the quote that closes "name: too early.
    EXPECT_THAT(stat.explanation, HasSubstr(fmt::format("byte {}", text.find(R"(a"})"))));
}

TEST(KinetoBroken, forgivesWhatLeavesTheMeaningClear)
{
    for (const auto& [text, name] : std::vector<std::pair<std::string, std::string>>{
             {R"({"ph":"X","name":"C:\path\x","ts":1,"dur":2})", "C:\\path\\x"},
             {"{\"ph\":\"X\",\"name\":\"a\x01z\",\"ts\":1,\"dur\":2}", "a z"},
             {R"({"ph":"X","name":"a\n\"b\" \u00e9","ts":"1.5","dur":2})", "a\\n\"b\" \u00e9"},
             {R"({"ph":"X","name":"n","ts":1,"dur":2,"args":{"x":NaN,"y":-Infinity,"z":18446744073709551616}})",
              "n"}}) {
        const Trace trace = around(text);
        ASSERT_EQ(trace.eventCount(), 3U) << text;
        bool found = false;
        for (std::uint32_t at = 0; at < 3; ++at)
            found = found || trace.name(EventIndex(at)) == name;
        EXPECT_TRUE(found) << text;
    }
}

TEST(KinetoBroken, aCutFileKeepsWhatCameBefore)
{
    const std::string whole = document(fmt::format("{}, {}, {}", kKernel, kKernel, kKernel));
    for (std::size_t length = whole.find(kKernel) + kKernel.size(); length < whole.size(); ++length) {
        const Result<Trace> trace = readText(whole.substr(0, length));
        ASSERT_TRUE(trace.ok()) << trace.error();
        ASSERT_GE(trace.value().eventCount(), 1U) << length;
        ASSERT_EQ(accounted(trace.value()), trace.value().metadata().sourceEvents);
        bool told = false;
        for (const ImportStat& stat : trace.value().stats().all())
            told = told || stat.severity == Severity::Error;
        ASSERT_TRUE(told) << "cut at " << length;
    }
}

TEST(KinetoBroken, deepNestingIsOneBrokenEvent)
{
    const std::string deep = "{\"ph\":\"X\",\"ts\":1,\"args\":" + std::string(5000, '[') + std::string(5000, ']') + "}";
    EXPECT_EQ(around(deep).metadata().sourceEvents, 3);
}

TEST(KinetoBroken, otherJsonIsRefusedWithAReason)
{
    for (const char* text : {"{}", R"({"a": [1, 2]})", R"({"traceEvents": null})", R"({"traceEvents)", "{\"a\" 1}"}) {
        const Result<Trace> trace = readText(text);
        ASSERT_FALSE(trace.ok()) << text;
        EXPECT_THAT(trace.error(), AllOf(HasSubstr("test.json"), HasSubstr("traceEvents"), HasSubstr("choose")));
    }
    EXPECT_FALSE(readText("").ok());
    EXPECT_FALSE(readText("plain text").ok());
}

TEST(KinetoBroken, anEventLargerThanTheBufferIsRead)
{
    const std::string large =
        fmt::format(R"({{"ph":"X","name":"big","ts":1,"dur":2,"args":{{"x":"{}"}}}})", std::string(5 << 20, 'y'));
    EXPECT_EQ(around(large).eventCount(), 3U);
}

TEST(KinetoBroken, cancelledReadingSaysSo)
{
    MemorySource source("[{}]");
    Progress progress;
    progress.cancel();
    const Result<Trace> trace = readKineto(source, "test.json", progress);
    ASSERT_FALSE(trace.ok());
    EXPECT_TRUE(trace.isCancelled());
}

// Files on disk, in a folder of their own.
class FileTest : public testing::Test
{
protected:
    void SetUp() override
    {
        m_folder = std::filesystem::temp_directory_path() / fmt::format("overlane_io_{}", getpid());
        std::filesystem::create_directories(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    std::string write(const std::string& name, std::string_view bytes) const
    {
        std::ofstream(m_folder / name, std::ios::binary) << bytes;
        return m_folder / name;
    }
    std::string writeGzip(const std::string& name, std::string_view bytes) const
    {
        gzFile file = gzopen((m_folder / name).c_str(), "wb9");
        gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
        gzclose(file);
        return m_folder / name;
    }
    static std::string errorOf(const std::string& path)
    {
        Progress progress;
        const Result<Trace> trace = readTrace(path, progress);
        return trace.ok() ? "opened" : trace.error();
    }
    std::filesystem::path m_folder;
};

TEST_F(FileTest, whatCannotBeOpenedIsExplained)
{
    test::expectText(errorOf(m_folder / "none.json"));
    test::expectText(errorOf(m_folder));
    test::expectText(errorOf("/dev/null"));
    test::expectText(errorOf(write("empty.json", "")));
    test::expectText(errorOf(write("a.txt", "hello")));
    EXPECT_THAT(errorOf(write("a.json.gz", "\x1f\x8bgarbage")), HasSubstr("a.json.gz"));
    const std::string secret = write("secret.json", "[]");
    chmod(secret.c_str(), 0);
    if (access(secret.c_str(), R_OK) != 0) {  // the superuser may read everything
        EXPECT_THAT(errorOf(secret), AllOf(HasSubstr("secret.json"), HasSubstr("ermission")));
    }
}

TEST_F(FileTest, aCutGzipFileKeepsWhatCameBefore)
{
    std::string events = kKernel;
    for (int at = 0; at < 20000; ++at)
        events += fmt::format(R"(,{{"ph":"X","name":"n{}","ts":{},"dur":1}})", at * 7919 % 9973, at);
    const std::string path = writeGzip("whole.json.gz", document(events));
    Progress progress;
    const Result<Trace> whole = readTrace(path, progress);
    ASSERT_TRUE(whole.ok()) << whole.error();
    EXPECT_EQ(whole.value().eventCount(), 20001U);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    const Result<Trace> half = readTrace(path, progress);
    ASSERT_TRUE(half.ok()) << half.error();
    EXPECT_GT(half.value().eventCount(), 5000U);
    EXPECT_LT(half.value().eventCount(), 15000U);
    test::expectText(half.value().stats().all().back().explanation);
}

TEST_F(FileTest, gzipOfSeveralMembersIsReadToTheEnd)
{
    const std::string first = writeGzip("a.gz", "[" + kKernel + ",");
    const std::string second = writeGzip("b.gz", kKernel + "]");
    std::ifstream a(first, std::ios::binary);
    std::ifstream b(second, std::ios::binary);
    std::ofstream(m_folder / "both.json.gz", std::ios::binary) << a.rdbuf() << b.rdbuf();
    Progress progress;
    const Result<Trace> trace = readTrace(m_folder / "both.json.gz", progress);
    ASSERT_TRUE(trace.ok()) << trace.error();
    EXPECT_EQ(trace.value().eventCount(), 2U);
    EXPECT_TRUE(trace.value().stats().all().empty());
}

TEST_F(FileTest, gzipBombsAreRefused)
{
    // 160 MiB of space behind a valid beginning, past the 128 that are read whatever they were; the limit works alike
    // for 4 GiB.
    const std::string path = m_folder / "bomb.json.gz";
    gzFile file = gzopen(path.c_str(), "wb9");
    gzputs(file, "{\"traceEvents\": [");
    const std::string spaces(1 << 20, ' ');
    for (int mib = 0; mib < 160; ++mib)
        gzwrite(file, spaces.data(), static_cast<unsigned>(spaces.size()));
    gzclose(file);
    test::expectText(errorOf(path));
    test::expectText(errorOf(writeGzip("zeros.json.gz", std::string(1 << 24, '\0'))));
}

TEST_F(FileTest, unknownExtensionsAreNotWritten)
{
    Progress progress;
    const Result<Trace> trace = readText(document(kKernel));
    ASSERT_TRUE(trace.ok());
    for (const char* name : {"out.sqlite", "out.nsys-rep", "out.txt"}) {
        const Result<void> written = writeTrace(trace.value(), m_folder / name, progress);
        ASSERT_FALSE(written.ok());
        EXPECT_THAT(written.error(), AllOf(HasSubstr(name), HasSubstr(".overlane")));
        EXPECT_FALSE(std::filesystem::exists(m_folder / name));
    }
}

}  // namespace
}  // namespace overlane
