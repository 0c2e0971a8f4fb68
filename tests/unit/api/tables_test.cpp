// Tables as Arrow streams: shapes, values against the trace, and releases in every order.
#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>
#include <vector>

#include "core/io/format.h"
#include "tests/unit/api/called_library.h"

namespace overlane::test
{
namespace
{

constexpr const char* kNames[] = {"copies", "kernels", "calls",  "host",   "ranges",  "iterations",
                                  "idle",   "names",   "events", "tracks", "counters"};

std::vector<ArrowArray> batchesOf(ArrowArrayStream& stream)
{
    std::vector<ArrowArray> batches;
    for (;;) {
        ArrowArray batch;
        EXPECT_EQ(stream.get_next(&stream, &batch), 0);
        if (batch.release == nullptr)
            return batches;
        batches.push_back(batch);
    }
}

bool areDistinct(const ArrowArray& texts)
{
    const auto* offsets = static_cast<const std::int32_t*>(texts.buffers[1]);
    const auto* bytes = static_cast<const char*>(texts.buffers[2]);
    std::set<std::string_view> seen;
    for (std::int64_t at = 0; at < texts.length; ++at)
        if (!seen.emplace(bytes + offsets[at], static_cast<std::size_t>(offsets[at + 1] - offsets[at])).second)
            return false;
    return true;
}

TEST(Tables, HaveTheRowsAndColumnsTheyAnnounce)
{
    const OpenTrace trace = sample("two_gpus.overlane");
    for (const char* name : kNames) {
        ArrowArrayStream stream;
        const LibraryAnswer answer = table(trace, name, &stream);
        ASSERT_EQ(answer.code, OVERLANE_OK) << name;
        ArrowSchema schema;
        ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
        ASSERT_STREQ(schema.format, "+s");
        ASSERT_EQ(static_cast<std::size_t>(schema.n_children), answer.json["columns"].size()) << name;
        std::int64_t rows = 0;
        for (ArrowArray& batch : batchesOf(stream)) {
            EXPECT_LE(batch.length, 65'536);
            ASSERT_EQ(batch.n_children, schema.n_children);
            rows += batch.length;
            for (std::int64_t at = 0; at < batch.n_children; ++at) {
                const ArrowSchema& field = *schema.children[at];
                const ArrowArray& column = *batch.children[at];
                EXPECT_EQ(answer.json["columns"][static_cast<std::size_t>(at)], field.name);
                EXPECT_EQ(column.length, batch.length);
                EXPECT_EQ(column.n_buffers, std::strcmp(field.format, "u") == 0 ? 3 : 2) << field.name;
                EXPECT_EQ(field.dictionary != nullptr, column.dictionary != nullptr) << field.name;
                if (column.dictionary != nullptr) {
                    EXPECT_TRUE(areDistinct(*column.dictionary)) << name << " " << field.name;
                }
                if (column.null_count > 0) {
                    EXPECT_NE(field.flags & ARROW_FLAG_NULLABLE, 0) << field.name;
                }
            }
            batch.release(&batch);
        }
        EXPECT_EQ(rows, answer.json["rows"].get<std::int64_t>()) << name;
        schema.release(&schema);
        EXPECT_EQ(schema.release, nullptr);
        stream.release(&stream);
        EXPECT_EQ(stream.release, nullptr);
    }
}

TEST(Tables, EventsAreTheTracesOwnColumns)
{
    const std::string file = OVERLANE_SOURCE_DIR "/resources/samples/two_gpus.overlane";
    Progress progress;
    const Trace expected = readTrace(file, progress).value();
    ASSERT_GT(expected.eventCount(), 0U);
    const OpenTrace trace = sample("two_gpus.overlane");
    ArrowArrayStream stream;
    table(trace, "events", &stream);
    std::size_t event = 0;
    for (ArrowArray& batch : batchesOf(stream)) {
        const auto* starts = static_cast<const std::int64_t*>(batch.children[1]->buffers[1]);
        const ArrowArray& names = *batch.children[3];
        const auto* places = static_cast<const std::int32_t*>(names.buffers[1]);
        const auto* offsets = static_cast<const std::int32_t*>(names.dictionary->buffers[1]);
        const auto* bytes = static_cast<const char*>(names.dictionary->buffers[2]);
        const auto* tracks = static_cast<const std::uint32_t*>(batch.children[5]->buffers[1]);
        for (std::int64_t row = 0; row < batch.length; ++row, ++event) {
            const EventIndex index(event);
            ASSERT_EQ(starts[row], expected.interval(index).startNs);
            ASSERT_EQ(tracks[row], expected.trackOf(index).value());
            const std::int32_t at = offsets[places[row]];
            ASSERT_EQ(std::string_view(bytes + at, static_cast<std::size_t>(offsets[places[row] + 1] - at)),
                      expected.name(index));
        }
        batch.release(&batch);
    }
    EXPECT_EQ(event, expected.eventCount());
    stream.release(&stream);
}

// A stream twice made hands out the same memory: nothing was copied.
TEST(Tables, EventsAreNotCopied)
{
    const OpenTrace trace = sample("pipeline_pinned.overlane");
    const void* places[2];
    for (const void*& place : places) {
        ArrowArrayStream stream;
        table(trace, "events", &stream);
        ArrowArray batch;
        ASSERT_EQ(stream.get_next(&stream, &batch), 0);
        place = batch.children[1]->buffers[1];
        batch.release(&batch);
        stream.release(&stream);
    }
    EXPECT_EQ(places[0], places[1]);
}

TEST(Tables, AreReleasedInEveryOrder)
{
    // What goes first, second and third: the trace, the stream, a batch of it. Read and left half read.
    std::vector<int> order{0, 1, 2};
    do {
        for (const char* name : kNames) {
            OpenTrace trace = sample("two_gpus.overlane");
            ArrowArrayStream* stream = overlane_stream_new();
            ASSERT_EQ(table(trace, name, stream).code, OVERLANE_OK);
            ArrowArray batch;
            ASSERT_EQ(stream->get_next(stream, &batch), 0);
            ASSERT_NE(batch.release, nullptr) << name;
            std::int64_t last = 0;
            const auto read = [&] {  // what is still held can be read
                for (std::int64_t at = 0; at < batch.n_children; ++at)
                    last += static_cast<const char*>(batch.children[at]->buffers[1])[0];
            };
            for (const int which : order) {
                if (which == 0)
                    trace.reset();
                else if (which == 1)
                    overlane_stream_free(stream);
                else
                    batch.release(&batch);
                if (batch.release != nullptr)
                    read();
            }
        }
    } while (std::next_permutation(order.begin(), order.end()));
}

// A consumer may move a column out of its batch and keep it longer than all else.
TEST(Tables, AColumnOutlivesItsBatch)
{
    OpenTrace trace = sample("two_gpus.overlane");
    ArrowArrayStream stream;
    table(trace, "copies", &stream);
    ArrowArray batch;
    ASSERT_EQ(stream.get_next(&stream, &batch), 0);
    ArrowArray starts = *batch.children[1];
    batch.children[1]->release = nullptr;
    const auto* values = static_cast<const std::int64_t*>(starts.buffers[1]);
    const std::vector<std::int64_t> before(values, values + starts.length);
    batch.release(&batch);
    stream.release(&stream);
    trace.reset();
    EXPECT_EQ(std::vector<std::int64_t>(values, values + starts.length), before);
    EXPECT_TRUE(std::is_sorted(before.begin(), before.end()));
    starts.release(&starts);
}

TEST(Tables, WithoutAStreamOnlyTheShapeIsAnswered)
{
    const OpenTrace trace = sample("pipeline_pinned.overlane");
    EXPECT_GT(table(trace, "kernels", nullptr).json["rows"], 0);
}

TEST(Tables, UnknownNamesAndArgumentsAreTheCallersMistake)
{
    const OpenTrace trace = sample("pipeline_pinned.overlane");
    ArrowArrayStream stream{};
    EXPECT_EQ(table(trace, "kernel", &stream).code, OVERLANE_USAGE);
    EXPECT_EQ(table(trace, "events", &stream, R"({"iteration": "1"})").code, OVERLANE_USAGE);
    EXPECT_EQ(table(trace, "names", &stream, R"({"of": "kernel"})").code, OVERLANE_USAGE);
    EXPECT_EQ(table(trace, "kernels", &stream, R"({"iteration": "no such loop"})").code, OVERLANE_FAILED);
    EXPECT_EQ(table({}, "kernels", &stream).code, OVERLANE_USAGE);
    EXPECT_EQ(stream.release, nullptr);
}

}  // namespace
}  // namespace overlane::test
