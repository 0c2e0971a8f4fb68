// A job that throws is an Error for the one who asked for it, stale answers are dropped, and the worker goes on.
#include "app/session/background_worker.h"

#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <QTest>

#include "tests/widget/expect_text.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

class BackgroundWorkerTest : public testing::Test
{
protected:
    static constexpr int kLongestWaitMs = 60'000;
    using Stale = BackgroundWorker::Stale;

    template <typename Job>
    void run(Job job, const QString& title = "Counting", Stale stale = Stale::Drop)
    {
        m_worker.run(
            title, std::move(job),
            [this](const Result<int>& answer) {
                if (answer.ok())
                    m_answers.push_back(answer.value());
                else
                    m_failures.push_back(answer.error());
            },
            stale);
    }
    // A job that ends when it may, with this answer.
    auto gated(int answer)
    {
        return [this, answer](Progress&) -> Result<int> {
            m_runs = true;
            m_runs.notify_all();
            m_go.wait(false);
            return answer;
        };
    }
    void open()
    {
        m_go = true;
        m_go.notify_all();
    }
    void settle()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !m_worker.busy(); }, kLongestWaitMs));
    }
    void expectAlive()
    {
        m_answers.clear();
        run([](Progress&) -> Result<int> { return 42; });
        settle();
        EXPECT_THAT(m_answers, ElementsAre(42));
    }

    std::atomic<bool> m_runs = false;
    std::atomic<bool> m_go = false;
    BackgroundWorker m_worker;
    std::vector<int> m_answers;
    std::vector<std::string> m_failures;
};

TEST_F(BackgroundWorkerTest, AJobOutOfMemorySaysSoAndTheNextOneRuns)
{
    run([](Progress&) -> Result<int> { throw std::bad_alloc(); }, "Opening big.json");
    settle();
    test::expectText(m_failures);
    expectAlive();
    EXPECT_EQ(m_failures.size(), 1u);
}

TEST_F(BackgroundWorkerTest, WhateverElseAJobThrowsIsToldToo)
{
    run([](Progress&) -> Result<int> { throw std::runtime_error("no such step"); });
    settle();
    run([](Progress&) -> Result<int> { throw 7; });
    settle();
    test::expectText(m_failures);
    expectAlive();
}

TEST_F(BackgroundWorkerTest, AnAnswerThatCannotBeTakenIsToldOnThisThread)
{
    m_worker.run(
        "Counting", [](Progress&) -> Result<int> { return 1; },
        [this](const Result<int>& answer) {
            if (answer.ok())
                throw std::bad_alloc();
            m_failures.push_back(answer.error());
        });
    settle();
    EXPECT_EQ(m_failures.size(), 1u);
    expectAlive();
}

TEST_F(BackgroundWorkerTest, AJobThatWasReplacedHasNoAnswer)
{
    run(gated(1), "Counting", Stale::Take);
    m_runs.wait(false);
    // Two that wait: only the latter runs.
    run([](Progress&) -> Result<int> { return 2; }, "Counting", Stale::Take);
    run([](Progress&) -> Result<int> { return 3; }, "Counting", Stale::Take);
    open();
    settle();
    EXPECT_THAT(m_answers, ElementsAre(1, 3));
}

TEST_F(BackgroundWorkerTest, AnAnswerThatIsStaleIsDropped)
{
    run(gated(1));
    m_runs.wait(false);
    run([](Progress&) -> Result<int> { return 2; });
    open();
    settle();
    EXPECT_THAT(m_answers, ElementsAre(2));
    EXPECT_THAT(m_failures, IsEmpty());
}

TEST_F(BackgroundWorkerTest, WhatIsForgottenHasNoAnswer)
{
    run(gated(1));
    m_runs.wait(false);
    m_worker.forget();
    open();
    settle();
    EXPECT_THAT(m_answers, IsEmpty());
    EXPECT_THAT(m_failures, IsEmpty());
    expectAlive();
}

TEST_F(BackgroundWorkerTest, WhatIsCancelledAnswersThatItWas)
{
    m_worker.run(
        "Counting",
        [&](Progress& progress) -> Result<int> {
            m_runs = true;
            m_runs.notify_all();
            m_go.wait(false);
            return progress.cancelled() ? Result<int>(Error::cancelled()) : Result<int>(1);
        },
        [this](const Result<int>& answer) { m_answers.push_back(!answer.ok() && answer.isCancelled() ? -1 : 1); });
    m_runs.wait(false);
    m_worker.cancel();
    open();
    settle();
    EXPECT_THAT(m_answers, ElementsAre(-1));
}

}  // namespace
}  // namespace overlane
