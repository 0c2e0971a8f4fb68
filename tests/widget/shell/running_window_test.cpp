// A start of the program that hands its files to a window that runs already.
#include "app/shell/running_window.h"

#include <algorithm>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace overlane
{
namespace
{

class RunningWindowTest : public testing::Test
{
protected:
    // The asking side blocks, as another process would.
    Result<bool> ask(const QStringList& paths)
    {
        std::optional<Result<bool>> answer;
        std::atomic<bool> done = false;
        std::thread asking([&] {
            answer = RunningWindow::handOver(folder(), paths);
            done = true;
        });
        EXPECT_TRUE(QTest::qWaitFor([&] { return done.load(); }, 2 * RunningWindow::kPatienceMs));
        asking.join();
        return *answer;
    }
    QString folder() const { return m_folder.filePath("own"); }

    QTemporaryDir m_folder;
};

TEST_F(RunningWindowTest, WithoutAWindowTheFilesAreNotTaken)
{
    const Result<bool> answer = ask({"/a"});
    ASSERT_TRUE(answer.ok());
    EXPECT_FALSE(answer.value());
}

TEST_F(RunningWindowTest, TheFirstWindowTakesThemAndTheNextTakesOver)
{
    auto first = std::make_unique<RunningWindow>();
    ASSERT_TRUE(first->listen(folder()).value());
    RunningWindow second;
    EXPECT_FALSE(second.listen(folder()).value());
    QSignalSpy given(first.get(), &RunningWindow::filesGiven);
    const Result<bool> answer = ask({"/a b", "/c\n"});
    ASSERT_TRUE(answer.ok()) << answer.error();
    EXPECT_TRUE(answer.value());
    ASSERT_EQ(given.count(), 1);
    EXPECT_EQ(given[0][0].toStringList(), QStringList({"/a b", "/c\n"}));
    EXPECT_TRUE(ask({}).value());
    EXPECT_EQ(given.count(), 2);
    QSignalSpy givenNext(&second, &RunningWindow::filesGiven);
    first.reset();
    ASSERT_TRUE(QTest::qWaitFor([&] { return second.listening(); }, 2 * RunningWindow::kPatienceMs));
    EXPECT_TRUE(ask({"/b"}).value());
    EXPECT_EQ(givenNext.count(), 1);
}

// Of several that wait one listens, and the next once that ends.
TEST_F(RunningWindowTest, WindowsThatWaitListenOneAfterTheOther)
{
    std::vector<std::unique_ptr<RunningWindow>> windows;
    for (int window = 0; window < 3; ++window) {
        windows.push_back(std::make_unique<RunningWindow>());
        EXPECT_EQ(windows.back()->listen(folder()).value(), window == 0);
    }
    const auto listening = [&] {
        return std::ranges::count_if(windows, [](const auto& window) { return window->listening(); });
    };
    while (windows.size() > 1) {
        windows.erase(std::ranges::find_if(windows, [](const auto& window) { return window->listening(); }));
        ASSERT_TRUE(QTest::qWaitFor([&] { return listening() == 1; }, 2 * RunningWindow::kPatienceMs));
        EXPECT_TRUE(ask({"/a"}).value());
    }
    windows.clear();
    EXPECT_FALSE(ask({"/a"}).value());
}

// The lock stays where a process is killed, and its file is closed by the kernel.
TEST_F(RunningWindowTest, AWindowTakesOverFromOneThatCrashed)
{
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    ASSERT_EQ(mkdir(folder().toLocal8Bit().constData(), 0700), 0);
    const pid_t child = fork();
    if (child == 0) {
        QLockFile lock(folder() + "/window.lock");
        (void)!write(ready[1], lock.tryLock() ? "1" : "0", 1);
        pause();
    }
    char locked = 0;
    ASSERT_EQ(read(ready[0], &locked, 1), 1);
    ASSERT_EQ(locked, '1');
    RunningWindow window;
    EXPECT_FALSE(window.listen(folder()).value());
    kill(child, SIGKILL);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    EXPECT_TRUE(QTest::qWaitFor([&] { return window.listening(); }, 2 * RunningWindow::kPatienceMs));
    close(ready[0]);
    close(ready[1]);
}

TEST_F(RunningWindowTest, AStaleSocketIsReplaced)
{
    ASSERT_EQ(mkdir(folder().toLocal8Bit().constData(), 0700), 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray name = (folder() + "/window").toLocal8Bit();
    memcpy(address.sun_path, name.constData(), static_cast<std::size_t>(name.size()));
    const int old = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    ASSERT_EQ(bind(old, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    close(old);  // as after a crash: the name stays
    EXPECT_FALSE(ask({"/a"}).value());
    RunningWindow window;
    EXPECT_TRUE(window.listen(folder()).value());
    EXPECT_TRUE(ask({"/a"}).value());
    struct stat found {
    };
    ASSERT_EQ(lstat(name.constData(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777U, 0600U);
}

TEST_F(RunningWindowTest, AFolderThatOthersMayEnterIsRefused)
{
    ASSERT_EQ(mkdir(folder().toLocal8Bit().constData(), 0700), 0);
    ASSERT_EQ(chmod(folder().toLocal8Bit().constData(), 0755), 0);
    RunningWindow window;
    EXPECT_FALSE(window.listen(folder()).ok());
    EXPECT_FALSE(ask({"/a"}).value());
}

TEST_F(RunningWindowTest, WhatIsNoMessageOrTooMuchIsNotTaken)
{
    RunningWindow window;
    ASSERT_TRUE(window.listen(folder()).value());
    QSignalSpy given(&window, &RunningWindow::filesGiven);
    EXPECT_FALSE(ask({"relative"}).ok());
    QStringList many;
    for (int file = 0; file <= RunningWindow::kMostPaths; ++file)
        many << "/a";
    EXPECT_FALSE(ask(many).ok());
    EXPECT_FALSE(ask({"/" + QString(5'000, 'x')}).ok());
    EXPECT_EQ(given.count(), 0);
    EXPECT_TRUE(ask({"/a"}).value());
}

}  // namespace
}  // namespace overlane
