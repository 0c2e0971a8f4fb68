// A job that throws is a sentence for the one who asked for it, and the worker goes on.
#include "app/session/background_worker.h"

#include <atomic>
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>

#include <QStringList>
#include <QTest>

namespace overlane
{
namespace
{

class BackgroundWorkerTest : public testing::Test
{
protected:
    static constexpr int kLongestWaitMs = 60'000;

    void post(BackgroundWorker::Work work, const QString& title = "Counting")
    {
        m_worker.post(
            title, [this](const QString& why) { m_failures << why; }, std::move(work));
    }
    void settle()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !m_worker.busy(); }, kLongestWaitMs));
    }
    void expectAlive()
    {
        bool answered = false;
        post([&answered](Progress&) { return [&answered] { answered = true; }; });
        settle();
        EXPECT_TRUE(answered);
    }

    BackgroundWorker m_worker;
    QStringList m_failures;
};

TEST_F(BackgroundWorkerTest, AJobOutOfMemorySaysSoAndTheNextOneRuns)
{
    post([](Progress&) -> BackgroundWorker::Continuation { throw std::bad_alloc(); }, "Opening big.json");
    settle();
    ASSERT_EQ(m_failures.size(), 1);
    EXPECT_TRUE(m_failures[0].startsWith("Opening big.json stopped: there is not enough memory"))
        << m_failures[0].toStdString();
    expectAlive();
    EXPECT_EQ(m_failures.size(), 1);
}

TEST_F(BackgroundWorkerTest, WhateverElseAJobThrowsIsToldToo)
{
    post([](Progress&) -> BackgroundWorker::Continuation { throw std::runtime_error("no such step"); });
    settle();
    post([](Progress&) -> BackgroundWorker::Continuation { throw 7; });
    settle();
    ASSERT_EQ(m_failures.size(), 2);
    EXPECT_TRUE(m_failures[0].contains("no such step")) << m_failures[0].toStdString();
    EXPECT_TRUE(m_failures[1].startsWith("Counting stopped")) << m_failures[1].toStdString();
    expectAlive();
}

TEST_F(BackgroundWorkerTest, AnAnswerThatThrowsIsToldOnThisThread)
{
    post([](Progress&) { return [] { throw std::bad_alloc(); }; });
    settle();
    EXPECT_EQ(m_failures.size(), 1);
    expectAlive();
}

TEST_F(BackgroundWorkerTest, AJobThatWasReplacedTellsNothing)
{
    std::atomic<bool> go = false;
    post([&go](Progress&) -> BackgroundWorker::Continuation {
        go.wait(false);
        return {};
    });
    // Two that wait: only the latter runs.
    post([](Progress&) -> BackgroundWorker::Continuation { throw std::runtime_error("first"); });
    post([](Progress&) -> BackgroundWorker::Continuation { throw std::runtime_error("second"); });
    go = true;
    go.notify_one();
    settle();
    ASSERT_EQ(m_failures.size(), 1);
    EXPECT_TRUE(m_failures[0].contains("second")) << m_failures[0].toStdString();
}

}  // namespace
}  // namespace overlane
