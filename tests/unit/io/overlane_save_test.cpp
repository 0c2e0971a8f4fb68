// Two programs that save the same file.
#include "core/io/overlane_save.h"

#include <gtest/gtest.h>

#include "core/io/overlane_format.h"
#include "core/io/overlane_on_disk.h"
#include "tests/support/expect_text.h"
#include "tests/support/torn_recording.h"
#include "tests/unit/io/overlane_checksums.h"
#include "tests/unit/io/overlane_trace_text.h"

namespace overlane
{
namespace
{

class OverlaneSaveTest : public test::TemporaryFolder
{
protected:
    // One window's view of the file.
    struct Window {
        Trace trace;
        OverlaneOnDisk disk;
    };

    void SetUp() override
    {
        Trace trace = test::randomTrace(1, 300);
        ASSERT_TRUE(writeOverlane(trace, m_path, m_progress, {MadeByHand{"first", "5\tstart\n", "[]"}, {}}).ok());
    }
    Window open()
    {
        const auto stamp = stampOf(m_path);
        Result<Trace> trace = overlaneFormat().read(m_path, m_progress);
        EXPECT_TRUE(trace.ok()) << trace.error();
        const MadeByHand hand = madeByHand(trace.value().metadata());
        return {std::move(trace).value(), {m_path, *stamp, hand}};
    }
    Result<OverlaneSaved> save(Window& window, const MadeByHand& hand)
    {
        Result<OverlaneSaved> saved = writeOverlane(window.trace, m_path, m_progress, {hand, window.disk});
        if (saved.ok())
            window.disk = saved.value().disk;
        return saved;
    }

    const std::string m_path = file("shared.overlane");
    Progress m_progress;
};

TEST_F(OverlaneSaveTest, WhatTwoWindowsWroteSurvives)
{
    Window one = open();
    Window two = open();
    const auto first = save(one, {"first\nof one", "5\tstart\n7\tone\n", "[1]"});
    ASSERT_TRUE(first.ok()) << first.error();
    EXPECT_FALSE(first.value().merged);
    const auto second = save(two, {"first\nof two", "5\tstart\n9\ttwo\n", "[2]"});
    ASSERT_TRUE(second.ok()) << second.error();
    EXPECT_TRUE(second.value().merged);
    const MadeByHand both{"first\nof two\nof one", "5\tstart\n7\tone\n9\ttwo\n", "[2]"};
    EXPECT_EQ(second.value().disk.hand, both);
    EXPECT_EQ(madeByHand(open().trace.metadata()), both);
    EXPECT_EQ(open().trace.eventCount(), 300u);
    // The first window again, which knows nothing of it, and the second, which does.
    ASSERT_TRUE(save(one, {"first\nof one\nmore", "5\tstart\n7\tone\n", "[1]"}).value().merged);
    EXPECT_EQ(open().disk.hand.notes, "first\nof one\nmore\nof two");
    EXPECT_FALSE(save(one, one.disk.hand).value().merged);
    EXPECT_EQ(fileCount(), 1u);
}

TEST_F(OverlaneSaveTest, AnotherTraceOfTheSameNameIsNotReplaced)
{
    Window one = open();
    ASSERT_TRUE(overlaneFormat().write(test::randomTrace(2, 300), m_path, m_progress).ok());
    const std::string other = test::bytesOf(m_path);
    const auto saved = save(one, {"mine", {}, {}});
    ASSERT_FALSE(saved.ok());
    test::expectText(saved.error());
    EXPECT_EQ(test::bytesOf(m_path), other);
    EXPECT_EQ(fileCount(), 1u);
    // A file of no known content, too.
    test::setBytes(m_path, "somebody's text");
    EXPECT_FALSE(save(one, {"mine", {}, {}}).ok());
    EXPECT_EQ(test::bytesOf(m_path), "somebody's text");
}

TEST_F(OverlaneSaveTest, AFileThatIsGoneOrOfAnotherNameIsJustWritten)
{
    Window one = open();
    std::filesystem::remove(m_path);
    ASSERT_TRUE(save(one, {"mine", {}, {}}).ok());
    EXPECT_EQ(open().disk.hand.notes, "mine");
    const std::string elsewhere = file("elsewhere.overlane");
    test::setBytes(elsewhere, "to be replaced");
    ASSERT_TRUE(writeOverlane(one.trace, elsewhere, m_progress, {MadeByHand{"mine", {}, {}}, one.disk}).ok());
    EXPECT_TRUE(overlaneFormat().read(elsewhere, m_progress).ok());
}

TEST_F(OverlaneSaveTest, TheLongestNamesCanBeSaved)
{
    for (const std::size_t length : {240u, 255u}) {
        const std::string path = file(std::string(length - 9, 'n') + ".overlane");
        const Result<void> saved = overlaneFormat().write(test::randomTrace(1, 10), path, m_progress);
        ASSERT_TRUE(saved.ok()) << saved.error();
        EXPECT_TRUE(overlaneFormat().read(path, m_progress).ok());
    }
}

}  // namespace
}  // namespace overlane
