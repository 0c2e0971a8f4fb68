#include "app/session/freed_on_pool.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

#include <QThread>
#include <QThreadPool>

namespace overlane
{
namespace
{

class FreedOnPoolTest : public testing::Test
{
protected:
    // Says which thread frees it.
    struct Large {
        explicit Large(FreedOnPoolTest& test) : m_test(test) {}
        Large(const Large&) = delete;
        Large& operator=(const Large&) = delete;
        ~Large()
        {
            m_test.m_thread = std::this_thread::get_id();
            ++m_test.m_freed;
        }

    private:
        FreedOnPoolTest& m_test;
    };

    std::atomic<int> m_freed = 0;
    std::atomic<std::thread::id> m_thread;
};

TEST_F(FreedOnPoolTest, TheLastToLetGoOnTheGuiThreadDoesNotFree)
{
    auto large = madeFreedOnPool<Large>(*this);
    std::shared_ptr<const Large> shared = large;
    large.reset();
    QThreadPool::globalInstance()->waitForDone();
    EXPECT_EQ(m_freed, 0) << "it is shared";
    shared.reset();
    QThreadPool::globalInstance()->waitForDone();
    EXPECT_EQ(m_freed, 1);
    EXPECT_NE(m_thread.load(), std::this_thread::get_id());
}

TEST_F(FreedOnPoolTest, AWorkerFreesWhatItWasTheLastToHold)
{
    std::thread::id worker;
    std::thread([&, large = madeFreedOnPool<Large>(*this)]() mutable {
        worker = std::this_thread::get_id();
        large.reset();
    }).join();
    EXPECT_EQ(m_freed, 1);
    EXPECT_EQ(m_thread.load(), worker);
}

}  // namespace
}  // namespace overlane
