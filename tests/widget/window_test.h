// WindowTest: a window that remembers nothing, shown offscreen, with the run of a first start in it.
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/shell/main_window.h"

namespace overlane
{

class WindowTest : public testing::Test
{
protected:
    static constexpr int kLongestWaitMs = 60'000;

    void SetUp() override
    {
        m_window.show();
        m_window.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&m_window));
        document()->simulate();
        settle();
        ASSERT_NE(document()->trace(), nullptr);
    }

    Document* document() { return m_window.document(); }
    const Scenario& scenario() { return document()->laboratory()->scenario(); }

    // Until nothing runs in the background.
    void settle()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !document()->busy(); }, kLongestWaitMs));
    }

    template <typename Widget>
    Widget* control(const char* name)
    {
        auto* found = m_window.findChild<Widget*>(QString::fromUtf8(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }

    DeviceSummary device()
    {
        const Summary summary = document()->summary();
        return summary.worst() != nullptr ? *summary.worst() : DeviceSummary{};
    }

    static QString recorded(const char* name)
    {
        return QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/h200/") + QString::fromUtf8(name);
    }
    void open(const QString& path)
    {
        document()->open(path);
        settle();
    }

    MainWindow m_window{false};
};

inline const char* const kPinnedRun = "w8_pin_nb_side_d16.pt.trace.json.gz";
inline const char* const kPageableRun = "w8_page_nb_side_d16.pt.trace.json.gz";

}  // namespace overlane
