#include <algorithm>
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <vector>

#include "core/spool/spool_crc.h"
#include "core/spool/spool_reader.h"
#include "core/spool/spool_writer.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using test::readFile;
using test::TempDir;
using testing::ElementsAre;

struct Content {
    std::vector<spool::Kernel> kernels;
    std::vector<spool::ApiCall> calls;
    std::vector<std::string> names;  // of the kernels
};

Content readAll(SpoolReader& reader)
{
    Content content;
    SpoolFrame frame;
    while (reader.next(frame)) {
        if (frame.header.kind == spool::FrameKind::Kernels)
            frame.each<spool::Kernel>([&](const spool::Kernel& kernel) {
                content.kernels.push_back(kernel);
                content.names.emplace_back(reader.text(kernel.name));
            });
        if (frame.header.kind == spool::FrameKind::ApiCalls)
            frame.each<spool::ApiCall>([&](const spool::ApiCall& call) { content.calls.push_back(call); });
    }
    return content;
}

Content readAll(const std::string& path)
{
    Result<SpoolReader> reader = SpoolReader::open(path);
    EXPECT_TRUE(reader.ok());
    return readAll(reader.value());
}

spool::Kernel kernel(SpoolWriter& writer, std::int64_t startNs, const char* name)
{
    spool::Kernel kernel;
    kernel.startNs = startNs;
    kernel.endNs = startNs + 10;
    kernel.name = writer.intern(name);
    return kernel;
}

// Three flushes: a kernel with its name, a call, two kernels that share the name.
std::string writeSample(const TempDir& dir)
{
    SpoolWriter writer;
    EXPECT_TRUE(writer.open(dir.path().string(), 77, 1000));
    writer.add(kernel(writer, 100, "saxpy"));
    EXPECT_TRUE(writer.flush());
    spool::ApiCall call;
    call.correlation = 5;
    writer.add(call);
    EXPECT_TRUE(writer.flush());
    writer.add(kernel(writer, 200, "saxpy"));
    writer.add(kernel(writer, 300, "gemm"));
    EXPECT_TRUE(writer.flush());
    return writer.path();
}

// A batch that is framed because it is large must not come before the names that it refers to.
TEST(Spool, NamesComeBeforeABatchThatIsFramedEarly)
{
    const TempDir dir;
    SpoolWriter writer;
    ASSERT_TRUE(writer.open(dir.path().string(), 77, 1000));
    constexpr std::size_t kMoreThanAFrame = (std::size_t{6} << 20) / sizeof(spool::Kernel);
    for (std::size_t i = 0; i < kMoreThanAFrame; ++i)
        writer.add(kernel(writer, static_cast<std::int64_t>(i) * 20, "saxpy"));
    ASSERT_TRUE(writer.flush());
    const Content content = readAll(writer.path());
    ASSERT_EQ(content.names.size(), kMoreThanAFrame);
    EXPECT_EQ(content.names.front(), "saxpy");
    EXPECT_EQ(content.names.back(), "saxpy");
}

TEST(SpoolCrc, IsThatOfZlib)
{
    // The check value of CRC-32 in every catalogue of checksums.
    EXPECT_EQ(spoolCrc(0, "123456789", 9), 0xCBF43926u);
    const std::string text = "a longer text whose length is no multiple of eight";
    for (std::size_t split = 0; split <= text.size(); ++split)
        EXPECT_EQ(spoolCrc(spoolCrc(0, text.data(), split), text.data() + split, text.size() - split),
                  spoolCrc(0, text.data(), text.size()));
}

TEST(Spool, GivesBackWhatWasWritten)
{
    const TempDir dir;
    const std::string path = writeSample(dir);
    EXPECT_TRUE(path.ends_with("/77-1000.spool")) << path;
    const Content content = readAll(path);
    EXPECT_THAT(content.names, ElementsAre("saxpy", "saxpy", "gemm"));
    ASSERT_EQ(content.calls.size(), 1u);
    EXPECT_EQ(content.calls[0].correlation, 5u);
    EXPECT_EQ(content.kernels[2].startNs, 300);
}

TEST(Spool, IsReadWhileItGrows)
{
    const TempDir dir;
    SpoolWriter writer;
    ASSERT_TRUE(writer.open(dir.path().string(), 1, 1));
    Result<SpoolReader> reader = SpoolReader::open(writer.path());
    ASSERT_TRUE(reader.ok());
    EXPECT_TRUE(readAll(reader.value()).kernels.empty());
    for (int round = 1; round <= 3; ++round) {
        writer.add(kernel(writer, round, "k"));
        EXPECT_TRUE(readAll(reader.value()).kernels.empty()) << "nothing may be seen before the flush";
        ASSERT_TRUE(writer.flush());
        EXPECT_THAT(readAll(reader.value()).names, ElementsAre("k"));
    }
    EXPECT_EQ(reader.value().tailBytes(), 0u);
    EXPECT_EQ(reader.value().readBytes(), writer.writtenBytes());
}

TEST(Spool, CutAtAnyByteKeepsEveryWholeFrame)
{
    const TempDir dir;
    const std::string whole = readFile(writeSample(dir));
    std::size_t kernelsBefore = 0;
    for (std::size_t length = 0; length <= whole.size(); ++length) {
        const std::string path = dir.write("cut.spool", whole.substr(0, length));
        Result<SpoolReader> reader = SpoolReader::open(path);
        ASSERT_TRUE(reader.ok());
        const Content content = readAll(reader.value());
        ASSERT_GE(content.kernels.size(), kernelsBefore) << "at " << length;
        ASSERT_EQ(reader.value().damagedFrames(), 0u) << "at " << length;
        ASSERT_EQ(reader.value().readBytes() + reader.value().tailBytes(), length);
        for (const std::string& name : content.names)
            ASSERT_FALSE(name.empty()) << "at " << length;
        kernelsBefore = content.kernels.size();
    }
    EXPECT_EQ(kernelsBefore, 3u);
}

TEST(Spool, AnyDamagedByteCostsOneFrame)
{
    const TempDir dir;
    const std::string whole = readFile(writeSample(dir));
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
        Result<SpoolReader> reader = SpoolReader::open(dir.write("damaged.spool", damaged));
        ASSERT_TRUE(reader.ok());
        const Content content = readAll(reader.value());
        ASSERT_EQ(reader.value().damagedFrames(), 1u) << "at " << at;
        ASSERT_GE(content.kernels.size() + content.calls.size(), 2u) << "at " << at;
        ASSERT_EQ(reader.value().tailBytes(), 0u) << "at " << at;
        for (const spool::Kernel& kernel : content.kernels)
            ASSERT_EQ(kernel.endNs, kernel.startNs + 10) << "at " << at;
    }
}

std::string frame(spool::FrameHeader header, const std::string& payload)
{
    header.bytes = header.bytes == 0 ? static_cast<std::uint32_t>(payload.size()) : header.bytes;
    header.crc = spoolCrc(0, payload.data(), payload.size());
    header.headerCrc = spoolCrc(0, &header, offsetof(spool::FrameHeader, headerCrc));
    return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + payload;
}

TEST(Spool, LengthsThatCannotBeAreDamage)
{
    const TempDir dir;
    spool::FrameHeader huge;
    huge.kind = spool::FrameKind::Kernels;
    huge.count = 0xFFFFFFFF;
    huge.recordBytes = 0xFFFFFFFF;
    huge.bytes = 0xFFFFFFFF;
    spool::FrameHeader unequal;
    unequal.kind = spool::FrameKind::Kernels;
    unequal.count = 3;
    unequal.recordBytes = 40;
    unequal.bytes = 80;
    // Records of nothing: a few bytes could stand for four billion of them.
    spool::FrameHeader empty;
    empty.kind = spool::FrameKind::Kernels;
    empty.count = 0xFFFFFFFF;
    const std::string whole = readFile(writeSample(dir));
    for (const spool::FrameHeader& header : {huge, unequal, empty}) {
        Result<SpoolReader> reader = SpoolReader::open(dir.write("huge.spool", frame(header, "") + whole));
        ASSERT_TRUE(reader.ok());
        EXPECT_EQ(readAll(reader.value()).kernels.size(), 3u);
        EXPECT_EQ(reader.value().damagedFrames(), 1u);
    }
}

TEST(Spool, FramesThatPromiseMuchAndHoldNothingAreNotAllCheckedToTheirEnd)
{
    const TempDir dir;
    spool::FrameHeader greedy;
    greedy.kind = spool::FrameKind::Strings;
    greedy.bytes = 4u << 20;
    std::string text;
    while (text.size() < 12u << 20)
        text += frame(greedy, "x");
    Result<SpoolReader> reader = SpoolReader::open(dir.write("greedy.spool", text));
    ASSERT_TRUE(reader.ok());
    EXPECT_TRUE(readAll(reader.value()).kernels.empty());
    EXPECT_GE(reader.value().damagedFrames(), 1u);
    EXPECT_LE(reader.value().recheckedBytes(), (std::uint64_t{80} << 20) + text.size());
}

TEST(Spool, StringsThatReachBeyondTheirFrameAreLeftOut)
{
    const TempDir dir;
    spool::FrameHeader header;
    header.kind = spool::FrameKind::Strings;
    header.count = 2;
    const spool::StringHeader good{0, 2};
    const spool::StringHeader wild{1, 0x7FFFFFFF};
    std::string payload(reinterpret_cast<const char*>(&good), sizeof(good));
    payload += "ok";
    payload.append(reinterpret_cast<const char*>(&wild), sizeof(wild));
    Result<SpoolReader> reader = SpoolReader::open(dir.write("strings.spool", frame(header, payload)));
    ASSERT_TRUE(reader.ok());
    readAll(reader.value());
    EXPECT_EQ(reader.value().text(0), "ok");
    EXPECT_EQ(reader.value().text(1), "");
    EXPECT_FALSE(reader.value().hasText(1));
}

TEST(Spool, RecordsOfOtherLengthsAreReadAsFarAsTheyGo)
{
    const TempDir dir;
    spool::ApiCall call;
    call.startNs = 1;
    call.endNs = 2;
    call.thread = 3;
    call.result = 4;
    const std::string bytes(reinterpret_cast<const char*>(&call), sizeof(call));
    spool::FrameHeader longer;
    longer.kind = spool::FrameKind::ApiCalls;
    longer.count = 2;
    longer.recordBytes = sizeof(call) + 8;
    spool::FrameHeader shorter = longer;
    shorter.recordBytes = 16;
    shorter.count = 1;
    const std::string file =
        frame(longer, bytes + "newfield" + bytes + "newfield") + frame(shorter, bytes.substr(0, 16));
    const Content content = readAll(dir.write("lengths.spool", file));
    ASSERT_EQ(content.calls.size(), 3u);
    EXPECT_EQ(content.calls[1].thread, 3u);
    EXPECT_EQ(content.calls[1].result, 4u);
    EXPECT_EQ(content.calls[2].endNs, 2);
    EXPECT_EQ(content.calls[2].result, 0u) << "what a shorter record lacks has its default";
}

TEST(Spool, OfANewerVersionIsLeftAlone)
{
    const TempDir dir;
    spool::FrameHeader header;
    header.version = spool::kVersion + 1;
    header.kind = spool::FrameKind::Kernels;
    Result<SpoolReader> reader = SpoolReader::open(dir.write("newer.spool", frame(header, "")));
    ASSERT_TRUE(reader.ok());
    EXPECT_TRUE(readAll(reader.value()).kernels.empty());
    EXPECT_EQ(reader.value().tooNewVersion(), spool::kVersion + 1);
}

TEST(Spool, ManyRecordsAndLongTextsAreSplitIntoFrames)
{
    const TempDir dir;
    SpoolWriter writer;
    ASSERT_TRUE(writer.open(dir.path().string(), 1, 1));
    constexpr std::size_t kCount = 300'000;
    for (std::size_t at = 0; at < kCount; ++at)
        writer.add(kernel(writer, static_cast<std::int64_t>(at), "k"));
    const std::uint32_t text = writer.intern(std::string(1'000'000, 'x'));
    ASSERT_TRUE(writer.flush());
    Result<SpoolReader> reader = SpoolReader::open(writer.path());
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(readAll(reader.value()).kernels.size(), kCount);
    EXPECT_EQ(reader.value().damagedFrames(), 0u);
    EXPECT_EQ(reader.value().text(text), std::string(std::size_t{64} << 10, 'x')) << "texts are cut to 64 KiB";
}

TEST(Spool, ThatCannotGrowKeepsItsWholeFramesAndSaysWhy)
{
    const TempDir dir;
    SpoolWriter writer;
    ASSERT_TRUE(writer.open(dir.path().string(), 1, 1));
    writer.add(kernel(writer, 1, "k"));
    ASSERT_TRUE(writer.flush());
    const std::uint64_t before = writer.writtenBytes();

    struct rlimit limit = {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const struct rlimit old = limit;
    limit.rlim_cur = before + 1000;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (int at = 0; at < 100; ++at)
        writer.add(kernel(writer, at, "k"));
    EXPECT_FALSE(writer.flush()) << "and the signal of such a write ends no program";
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
    sigset_t pending;
    ASSERT_EQ(sigpending(&pending), 0);
    EXPECT_EQ(sigismember(&pending, SIGXFSZ), 0);
    sigset_t mask;
    ASSERT_EQ(pthread_sigmask(SIG_SETMASK, nullptr, &mask), 0);
    EXPECT_EQ(sigismember(&mask, SIGXFSZ), 0);

    EXPECT_EQ(writer.error(), EFBIG);
    EXPECT_FALSE(writer.flush()) << "it stays failed";
    Result<SpoolReader> reader = SpoolReader::open(writer.path());
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(readAll(reader.value()).kernels.size(), 1u);
    EXPECT_EQ(reader.value().tailBytes(), 0u);
}

TEST(Spool, ThatCannotGrowKeepsNothingInMemory)
{
    const auto heap = [] {
        const struct mallinfo2 info = mallinfo2();
        return info.uordblks + info.hblkhd;
    };
    constexpr int kRecords = 200'000;
    const TempDir dir;
    const std::size_t before = heap();
    SpoolWriter writer;
    ASSERT_TRUE(writer.open(dir.path().string(), 1, 1));
    const auto work = [&] {
        for (int at = 0; at < kRecords; ++at)
            writer.add(kernel(writer, at, std::to_string(at).c_str()));
    };
    struct rlimit limit = {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const struct rlimit little = {1000, limit.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
    work();
    EXPECT_GT(writer.pendingBytes(), std::size_t{kRecords});
    EXPECT_FALSE(writer.flush());
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    work();
    EXPECT_EQ(writer.pendingBytes(), 0u);
    EXPECT_LT(heap(), before + (64u << 10));
}

TEST(Spool, IsNotMadeTwice)
{
    const TempDir dir;
    SpoolWriter first;
    SpoolWriter second;
    ASSERT_TRUE(first.open(dir.path().string(), 1, 1));
    EXPECT_FALSE(second.open(dir.path().string(), 1, 1));
    EXPECT_EQ(second.error(), EEXIST);
    EXPECT_FALSE(second.flush());
}

}  // namespace
}  // namespace overlane
