// Traces written as trace-event JSON: valid for any reader, and the same trace when read again.
#include "core/io/chrome_writer.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/resource.h>

#include "core/io/byte_source.h"
#include "core/io/chrome_schema.h"
#include "core/io/format.h"
#include "core/io/json_text.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/io/overlane_trace_text.h"

namespace overlane
{
namespace
{

using Json = nlohmann::json;
using testing::HasSubstr;

Trace readAgain(const std::string& path)
{
    Progress progress;
    Result<Trace> trace = readTrace(path, progress);
    EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error());
    return trace.ok() ? std::move(trace).value() : Trace();
}

// As traceText(), with names in place of their numbers, which are those of the order in which they are met.
std::string keptText(const Trace& trace)
{
    std::string kept;
    std::istringstream lines(test::traceText(trace));
    std::size_t at = 0;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("event ")) {
            const std::string number =
                fmt::format(" {} {} ", trace.columns().name[at].value(), kindName(trace.kind(EventIndex(at))));
            const std::size_t place = line.find(number);
            EXPECT_NE(place, std::string::npos);
            const std::string name = fmt::format(" '{}' ", trace.name(EventIndex(at++)));
            kept += line.replace(place, number.find(' ', 1) + 1, name) + '\n';
        } else if (!line.starts_with("string ")) {
            kept += line + '\n';
        }
    return kept;
}

Json written(const Trace& trace)
{
    const test::TempDir folder;
    Progress progress;
    const Result<void> done = writeChrome(trace, folder.path("trace.json"), progress);
    EXPECT_TRUE(done.ok());
    EXPECT_EQ(progress.fraction(), 1);
    return Json::parse(test::readFile(folder.path("trace.json")), nullptr, false);
}

// A kernel and a copy that two calls start, on a stream of each of two GPUs.
Trace twoLaunches()
{
    TraceBuilder builder;
    const TrackId process = builder.addTrack({}, TrackKind::Process, "python", -1, 4242);
    const TrackId thread = builder.addTrack(process, TrackKind::Thread, "main \"quoted\" \\ thread", -1, 17);
    const auto stream = [&](std::int32_t id, TrackKind engine, const char* name) {
        const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU", id, id);
        return builder.addTrack(builder.addTrack(device, engine, name, id), TrackKind::Stream, "stream 7", id, 7);
    };
    const TrackId compute = stream(0, TrackKind::EngineCompute, "compute");
    const TrackId copies = stream(1, TrackKind::EngineH2D, "H2D");
    builder.addEvent({thread, 1000, 2001, builder.intern("cudaLaunchKernel"), EventKind::RuntimeCall, 5});
    builder.addEvent({compute, 5003, 7, builder.intern("kernel<\"a\\b\">"), EventKind::Kernel, 5});
    builder.addEvent({thread, 4000, 10, builder.intern("cudaMemcpyAsync"), EventKind::RuntimeCall, 6});
    builder.addEvent({copies, 5000, 100, builder.intern("batch 1"), EventKind::CopyH2D, 6, 0,
                      CopyInfo{4096, MemoryKind::Pinned, MemoryKind::Device, AsyncFlag::Async}});
    return builder.build(false);
}

TEST(ChromeWriter, ReadAgainTheTraceIsTheSame)
{
    const test::TempDir folder;
    for (std::uint32_t seed = 1; seed <= 6; ++seed)
        for (const char* name : {"trace.json", "trace.json.gz"}) {
            Trace trace = test::randomTrace(seed, 600);
            trace.setNotes({});
            Progress progress;
            ASSERT_TRUE(writeTrace(trace, folder.path(name), progress).ok());
            EXPECT_EQ(keptText(readAgain(folder.path(name))), keptText(trace)) << seed << " " << name;
        }
}

TEST(ChromeWriter, GzipHoldsTheSameText)
{
    const test::TempDir folder;
    Progress progress;
    const Trace trace = test::randomTrace(3, 5000);
    ASSERT_TRUE(writeTrace(trace, folder.path("plain.json"), progress).ok());
    ASSERT_TRUE(writeTrace(trace, folder.path("packed.json.gz"), progress).ok());
    const std::string plain = test::readFile(folder.path("plain.json"));
    EXPECT_TRUE(test::readFile(folder.path("packed.json.gz")).starts_with("\x1f\x8b"));
    Result<std::unique_ptr<ByteSource>> source = openByteSource(folder.path("packed.json.gz"));
    ASSERT_TRUE(source.ok());
    std::string unpacked(plain.size() + 1, '\0');
    std::size_t size = 0;
    for (;;) {
        const auto count = source.value()->read(std::span(unpacked.data() + size, unpacked.size() - size));
        ASSERT_TRUE(count.ok());
        if (count.value() == 0)
            break;
        size += count.value();
    }
    unpacked.resize(size);
    EXPECT_EQ(unpacked, plain);
}

TEST(ChromeWriter, NamesProcessesAndThreadsAsPyTorchDoes)
{
    const Json json = written(twoLaunches());
    ASSERT_TRUE(json.is_object());
    std::map<std::string, std::string> names;
    for (const Json& event : json["traceEvents"])
        if (event["name"] == "process_name" || event["name"] == "thread_name")
            names[fmt::format("{} {} {}", event["name"].get<std::string>(), event["pid"].dump(), event["tid"].dump())] =
                event["args"]["name"];
    EXPECT_EQ(names["process_name 4242 0"], "python");
    EXPECT_EQ(names["thread_name 4242 17"], "main \"quoted\" \\ thread");
    EXPECT_EQ(names["process_name 0 0"], "GPU");
    EXPECT_EQ(names["thread_name 0 7"], "stream 7");
    EXPECT_EQ(names["thread_name 1 7"], "stream 7");
    EXPECT_EQ(json["displayTimeUnit"], "ms");
}

TEST(ChromeWriter, EventsHaveTheKeysOfKineto)
{
    const Json json = written(twoLaunches());
    std::map<std::string, Json> events;
    for (const Json& event : json["traceEvents"])
        if (event["ph"] == "X")
            events[event["cat"]] = event;
    const Json& kernel = events["kernel"];
    EXPECT_EQ(kernel["name"], "kernel<\"a\\b\">");
    EXPECT_EQ(kernel["ts"], 5.003);
    EXPECT_EQ(kernel["dur"], 0.007);
    EXPECT_EQ(kernel["args"]["stream"], 7);
    EXPECT_EQ(kernel["args"]["device"], 0);
    EXPECT_EQ(kernel["args"]["correlation"], 5);
    const Json& copy = events["gpu_memcpy"];
    EXPECT_EQ(copy["name"], "Memcpy HtoD (Pinned -> Device)");
    EXPECT_EQ(copy["args"]["label"], "batch 1");
    EXPECT_EQ(copy["args"]["bytes"], 4096);
    EXPECT_EQ(copy["args"]["call_kind"], "async");
}

TEST(ChromeWriter, ArrowsLeadFromTheCallToItsWork)
{
    const Json json = written(twoLaunches());
    std::map<std::int64_t, std::string> phases;
    for (const Json& event : json["traceEvents"])
        if (event.value("cat", "") == "ac2g")
            phases[event["id"]] += event["ph"].get<std::string>() + event["pid"].dump();
    EXPECT_THAT(phases, testing::UnorderedElementsAre(testing::Pair(5, testing::AnyOf("s4242f0", "f0s4242")),
                                                      testing::Pair(6, testing::AnyOf("s4242f1", "f1s4242"))));
}

// A reader that does not know the declarations sees the copy, the kernel and their calls all the same.
TEST(ChromeWriter, WithoutItsOwnMemberTheFileIsAnOrdinaryTraceOfPyTorch)
{
    const test::TempDir folder;
    Json json = written(twoLaunches());
    json.erase(std::string(kChromeOverlane));
    const Trace trace = readAgain(folder.write("foreign.json", json.dump()));
    ASSERT_EQ(trace.eventCount(), 4u);
    EXPECT_EQ(trace.metadata().format, "kineto");
    std::size_t linked = 0;
    for (std::uint32_t at = 0; at < 4; ++at) {
        linked += trace.link(EventIndex(at)).valid();
        if (const CopyInfo* copy = trace.copy(EventIndex(at))) {
            EXPECT_EQ(*copy, (CopyInfo{4096, MemoryKind::Pinned, MemoryKind::Device, AsyncFlag::Async}));
        }
    }
    EXPECT_EQ(linked, 4u);
    EXPECT_EQ(trace.devices().size(), 2u);
}

TEST(ChromeWriter, EventsOfAThreadNest)
{
    const Json json = written(test::randomTrace(5, 800));
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::pair<double, double>>> threads;
    for (const Json& event : json["traceEvents"])
        if (event["ph"] == "X")
            threads[{event["pid"], event["tid"]}].emplace_back(
                std::round(event["ts"].get<double>() * 1000),
                -std::round((event["ts"].get<double>() + event["dur"].get<double>()) * 1000));
    ASSERT_GT(threads.size(), 9u) << "rows that do not nest have threads of their own";
    for (auto& [thread, events] : threads) {
        std::sort(events.begin(), events.end());
        std::vector<double> open;
        for (const auto& [start, end] : events) {
            while (!open.empty() && open.back() <= start)
                open.pop_back();
            if (!open.empty()) {
                EXPECT_LE(-end, open.back());
            }
            open.push_back(-end);
        }
    }
}

TEST(ChromeWriter, NoTimeIsNegative)
{
    TraceBuilder builder;
    const TrackId thread = builder.addTrack({}, TrackKind::Thread, "thread");
    const TrackId counter = builder.addCounter({}, "Pinned memory", CounterUnit::Bytes);
    builder.addEvent({thread, -70, 20, builder.intern("before"), EventKind::HostWork});
    builder.addSample(counter, -123'456, 8);
    const Trace trace = builder.build(false);
    const Json file = written(trace);
    for (const Json& event : file["traceEvents"])
        EXPECT_GE(event.value("ts", 0.0), 0) << event;
    const test::TempDir folder;
    Progress progress;
    ASSERT_TRUE(writeTrace(trace, folder.path("t.json"), progress).ok());
    EXPECT_EQ(keptText(readAgain(folder.path("t.json"))), keptText(trace));
}

TEST(ChromeWriter, CancelledItLeavesTheOlderFile)
{
    const test::TempDir folder;
    const std::string path = folder.write("trace.json", "older");
    Progress progress;
    progress.cancel();
    EXPECT_TRUE(writeTrace(test::randomTrace(1, 5000), path, progress).isCancelled());
    EXPECT_EQ(test::readFile(path), "older");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(ChromeWriter, OnAFullDiskTheOlderFileStaysAndTheReasonIsSaid)
{
    const test::TempDir folder;
    for (const char* name : {"trace.json", "trace.json.gz"}) {
        const std::string path = folder.write(name, "older");
        const Trace trace = test::randomTrace(1, 20000);
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        rlimit small = before;
        small.rlim_cur = 20'000;
        auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
        ::setrlimit(RLIMIT_FSIZE, &small);
        Progress progress;
        const Result<void> done = writeTrace(trace, path, progress);
        ::setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
        ASSERT_FALSE(done.ok());
        EXPECT_THAT(done.error(), testing::StartsWith(path));
        EXPECT_THAT(done.error(), HasSubstr("unchanged"));
        EXPECT_EQ(test::readFile(path), "older");
    }
}

TEST(ChromeWriter, AnyBytesBecomeValidJson)
{
    std::string text;
    appendJsonText(text, std::string("a\"b\\c\n\x01\x7f\xff\xc3\xa9\xe2\x82", 13));
    EXPECT_EQ(Json::parse(text).get<std::string>(), "a\"b\\c\n\x01\x7f\xEF\xBF\xBD\xc3\xa9\xEF\xBF\xBD\xEF\xBF\xBD");
}

// Declarations of a stranger: each that makes no sense is refused, and its events are read as any others.
TEST(DeclaredTracks, RefuseWhatCannotBe)
{
    const test::TempDir folder;
    const std::string head = R"({"overlane":{"version":1,"zero_ns":0},"traceEvents":[)";
    const auto declared = [](const char* args) {
        return fmt::format(R"({{"ph":"M","name":"overlane_track","pid":1,"tid":1,"args":{{{}}}}},)", args);
    };
    const std::string event =
        R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":2,"args":{"track":0,"stream":7}}]})";
    for (const char* args : {R"("track":1,"kind":"thread","name":"gap")", R"("track":0,"kind":"castle","name":"x")",
                             R"("track":0,"kind":"thread","name":"x","parent":0)", R"("kind":"thread")",
                             R"("track":0,"kind":"counter","name":"no events")"}) {
        const Trace trace = readAgain(folder.write("t.json", fmt::format("{}{}{}", head, declared(args), event)));
        ASSERT_EQ(trace.eventCount(), 1u) << args;
        EXPECT_EQ(trace.track(trace.trackOf(EventIndex(0))).name, "stream 7") << args;
    }
    std::string chain = head;
    for (int depth = 0; depth < 200; ++depth)
        chain += declared(fmt::format(R"("track":{},"kind":"group","name":"g"{})", depth,
                                      depth > 0 ? fmt::format(",\"parent\":{}", depth - 1) : "")
                              .c_str());
    EXPECT_LE(readAgain(folder.write("deep.json", chain + event)).tracks().size(), 70u);
}

TEST(DeclaredTracks, OfACutFileCountWhatIsMissing)
{
    const test::TempDir folder;
    Progress progress;
    ASSERT_TRUE(writeTrace(test::randomTrace(2, 500), folder.path("whole.json"), progress).ok());
    const std::string text = test::readFile(folder.path("whole.json"));
    const Trace trace = readAgain(folder.write("cut.json", std::string_view(text).substr(0, text.size() * 2 / 3)));
    EXPECT_LT(trace.eventCount(), 500u);
    EXPECT_EQ(trace.stats().count("negative_duration"), 0) << "counts are those of this file";
    const std::vector<ImportStat>& stats = trace.stats().all();
    EXPECT_TRUE(std::ranges::any_of(stats, [](const ImportStat& stat) { return stat.reason == "cut_file"; }));
    std::int64_t counted = static_cast<std::int64_t>(trace.eventCount());
    for (const ImportStat& stat : stats)
        counted += stat.count;
    EXPECT_EQ(counted, trace.metadata().sourceEvents);
}

// Bytes changed, taken away and repeated, above all where the tracks are declared.
TEST(DeclaredTracks, OfDamagedFilesAreReadOrRefused)
{
    const test::TempDir folder;
    Progress progress;
    ASSERT_TRUE(writeTrace(test::randomTrace(4, 60), folder.path("whole.json"), progress).ok());
    const std::string whole = test::readFile(folder.path("whole.json"));
    const std::size_t head = whole.find("\"ph\":\"X\"");
    std::size_t opened = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        std::mt19937 random(seed);
        std::string text = whole;
        for (std::uint32_t change = 0; change <= seed % 12; ++change) {
            const std::size_t at = random() % (change % 3 == 0 ? text.size() : head);
            if (random() % 2 == 0)
                text[at] = "0123456789-\"{}[],:"[random() % 18];
            else
                text.erase(at, random() % 8);
        }
        const Result<Trace> trace = readTrace(folder.write("damaged.json", text), progress);
        if (!trace.ok())
            continue;
        ++opened;
        for (const Track& track : trace.value().tracks())
            EXPECT_LE(track.events.last, trace.value().eventCount());
    }
    EXPECT_GT(opened, 100u);
}

TEST(DeclaredTracks, AnotherVersionIsReadAsAnyTrace)
{
    const test::TempDir folder;
    const std::string file = folder.write("t.json", R"({"overlane":{"version":99,"format":"recorded"},"traceEvents":[
        {"ph":"M","name":"overlane_track","args":{"track":0,"kind":"thread","name":"declared"}},
        {"ph":"X","cat":"cpu_op","name":"op","pid":3,"tid":4,"ts":1,"dur":2,"args":{"track":0}}]})");
    const Trace trace = readAgain(file);
    EXPECT_EQ(trace.metadata().format, "kineto");
    ASSERT_EQ(trace.eventCount(), 1u);
    EXPECT_EQ(trace.track(trace.trackOf(EventIndex(0))).name, "thread 4");
}

}  // namespace
}  // namespace overlane
