// The program as a shell sees it: exit codes and sentences.
#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>

namespace overlane
{
namespace
{

constexpr int kLongestWaitMs = 120'000;

struct Ended {
    int code = -1;
    QString out;
    QString err;
};

class ProgramTest : public testing::Test
{
protected:
    Ended run(const QStringList& arguments)
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("XDG_CONFIG_HOME", m_folder.path());
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(OVERLANE_UI_PROGRAM), arguments);
        EXPECT_TRUE(process.waitForFinished(kLongestWaitMs)) << arguments.join(' ').toStdString();
        EXPECT_EQ(process.exitStatus(), QProcess::NormalExit);
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }
    // One line of error, nothing else, and this exit code.
    void expectRefusal(const QStringList& arguments, int code, const QString& part)
    {
        const Ended ended = run(arguments);
        const std::string what = arguments.join(' ').toStdString() + ": " + ended.err.toStdString();
        EXPECT_EQ(ended.code, code) << what;
        EXPECT_TRUE(ended.out.isEmpty()) << what;
        EXPECT_TRUE(ended.err.startsWith("overlane-ui: ")) << what;
        EXPECT_EQ(ended.err.count('\n'), 1) << what;
        EXPECT_TRUE(ended.err.contains(part)) << what;
    }
    QString picture() const { return m_folder.filePath("picture.png"); }

    QTemporaryDir m_folder;
};

TEST_F(ProgramTest, ScreenshotHasTheSizeAskedForAndNothingIsSaid)
{
    const Ended ended = run({"--screenshot", picture(), "--size", "1000x700", "--theme", "dark"});
    EXPECT_EQ(ended.code, 0);
    EXPECT_EQ(ended.err.toStdString(), "");
    EXPECT_EQ(ended.out.toStdString(), "");
    EXPECT_EQ(QImage(picture()).size(), QSize(1000, 700));
}

TEST_F(ProgramTest, AskedForTheImpossibleItSaysOneSentence)
{
    expectRefusal({"--screenshot", m_folder.filePath("no/folder/x.png")}, 1, m_folder.filePath("no/folder/x.png"));
    for (const char* size : {"huge", "0x0", "1280", "99999x99999", "-1x-1", "1280x800x2"})
        expectRefusal({"--screenshot", picture(), QStringLiteral("--size=%1").arg(size)}, 2, size);
    expectRefusal({"--screenshot", picture(), "--theme", "pink"}, 2, "pink");
    expectRefusal({"--preset", "nothing", "--screenshot", picture()}, 2, "nothing");
    expectRefusal({"--device", "abacus", "--screenshot", picture()}, 2, "abacus");
    expectRefusal({"--engine", "steam", "--screenshot", picture()}, 2, "steam");
    expectRefusal({"--engine", "gpu", m_folder.filePath("a.json"), "--screenshot", picture()}, 2, "laboratory");
    expectRefusal({"--set", "workers", "--screenshot", picture()}, 2, "workers");
    expectRefusal({"--set", "workers=-3", "--screenshot", picture()}, 2, "workers");
    expectRefusal({"--no-such-option"}, 2, "--no-such-option");
    expectRefusal({"--screenshot"}, 2, "--screenshot");
    EXPECT_FALSE(QFile::exists(picture()));
}

TEST_F(ProgramTest, AFileThatCannotBeOpenedFailsTheScreenshot)
{
    expectRefusal({m_folder.filePath("missing.json"), "--screenshot", picture()}, 1, "missing.json");
    expectRefusal({m_folder.path(), "--screenshot", picture()}, 1, m_folder.path());
    EXPECT_FALSE(QFile::exists(picture()));
}

TEST_F(ProgramTest, HelpAndVersionAreAnswersNotErrors)
{
    const Ended help = run({"--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(help.err.isEmpty());
    for (const char* part : {"--screenshot", "--theme", "pinned_side_stream", "h200"})
        EXPECT_TRUE(help.out.contains(part)) << part;
    const Ended version = run({"--version"});
    EXPECT_EQ(version.code, 0);
    EXPECT_TRUE(version.out.startsWith("overlane-ui "));
}

}  // namespace
}  // namespace overlane
