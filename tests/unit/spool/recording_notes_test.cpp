#include "core/spool/recording_notes.h"

#include <cerrno>
#include <gmock/gmock.h>

#include "core/base/units.h"
#include "tests/support/expect_text.h"
#include "tests/unit/spool/counting_sink.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

RecordingNotice notice(std::uint32_t pid, RecordStatus status, std::int32_t detail = 1)
{
    return {std::int64_t{pid} * 1'000'000, pid, status, statusSentence(status, detail, "x")};
}

std::string reason(RecordStatus status)
{
    return "recording_note_" + std::to_string(static_cast<std::uint32_t>(status));
}

TEST(RecordingNotes, EverythingAlarmingIsToldAndKept)
{
    for (std::uint32_t code = 1; code <= static_cast<std::uint32_t>(RecordStatus::PeerCopiesLeftOut); ++code) {
        const auto status = static_cast<RecordStatus>(code);
        test::CountingSink sink;
        RecordingNotes notes(sink);
        notes.add({notice(7, status)});
        if (!isAlarming(status)) {
            EXPECT_THAT(notes.take(), IsEmpty()) << code;
            continue;
        }
        const std::string sentence = statusSentence(status, 1, "x");
        EXPECT_THAT(notes.take(), ElementsAre(sentence));
        EXPECT_THAT(notes.take(), IsEmpty()) << "told once";
        EXPECT_THAT(notes.all(), ElementsAre(sentence)) << "and again at the end";
        EXPECT_EQ(sink.metadata().properties.at("process 7: " + formatDuration(7'000'000)), sentence);
        if (status == RecordStatus::RecordsDropped)
            continue;  // counted as records
        ASSERT_EQ(sink.stats().count(reason(status)), 1) << code;
        EXPECT_THAT(sink.stats().all().front().explanation, HasSubstr(sentence));
    }
}

TEST(RecordingNotes, ASpoolThatCouldNotBeWrittenIsToldInItsStead)
{
    test::CountingSink sink;
    RecordingNotes notes(sink);
    EXPECT_FALSE(notes.addWriteError(0));
    EXPECT_TRUE(notes.addWriteError(ENOSPC));
    EXPECT_FALSE(notes.addWriteError(ENOSPC));
    test::expectText(notes.take());
    EXPECT_EQ(sink.stats().count(reason(RecordStatus::DiskFull)), 1);
    RecordingNotes others(sink);
    EXPECT_TRUE(others.addWriteError(EFBIG));
    test::expectText(others.take());
    EXPECT_EQ(sink.stats().count(reason(RecordStatus::WriteFailed)), 1);
}

TEST(RecordingNotes, OfThousandsOfProcessesAreBounded)
{
    test::CountingSink sink;
    RecordingNotes notes(sink);
    constexpr std::uint32_t kProcesses = 5'000;
    for (std::uint32_t pid = 1; pid <= kProcesses; ++pid)
        notes.add({notice(pid, RecordStatus::NoPermission),
                   notice(pid, RecordStatus::RecordsDropped, static_cast<std::int32_t>(pid))});
    EXPECT_THAT(notes.take(), SizeIs(2)) << "of drops the first; the totals have their number";
    EXPECT_EQ(sink.stats().count(reason(RecordStatus::NoPermission)), kProcesses);
    EXPECT_LE(sink.metadata().properties.size(), 101u);
    EXPECT_EQ(sink.metadata().properties.at("further notices of processes"), std::to_string(2 * kProcesses - 100));
}

}  // namespace
}  // namespace overlane
