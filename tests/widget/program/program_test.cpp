// The program as a shell sees it: exit codes and sentences.
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QImage>
#include <QMap>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include "tests/widget/expect_text.h"

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
    Ended run(const QStringList& arguments, const QMap<QString, QString>& also = {},
              const QString& program = QStringLiteral(OVERLANE_UI_PROGRAM))
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("XDG_CONFIG_HOME", m_folder.path());
        for (auto one = also.begin(); one != also.end(); ++one)
            environment.insert(one.key(), one.value());
        process.setProcessEnvironment(environment);
        process.start(program, arguments);
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
    // QProcess has no argument that is not UTF-8; the shell writes it.
    Ended runBytes(const std::string& file)
    {
        std::string octal;
        for (const char byte : file)
            octal += QString::asprintf("\\%03o", static_cast<unsigned char>(byte)).toStdString();
        const QString command = QStringLiteral("exec \"%1\" \"$(printf '%2')\" --screenshot \"%3\"")
                                    .arg(OVERLANE_UI_PROGRAM, QString::fromStdString(octal), picture());
        return run({"-c", command}, {}, QStringLiteral("/bin/sh"));
    }
    // Whether a window answers there; it takes a connection that says nothing for nothing.
    static bool listens(const QString& file)
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const QByteArray name = QFile::encodeName(file);
        EXPECT_LT(static_cast<std::size_t>(name.size()), sizeof address.sun_path);
        std::memcpy(address.sun_path, name.constData(), static_cast<std::size_t>(name.size()));
        const int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        const bool taken = ::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        close(connection);
        return taken;
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

// A second start hands its files to the first, which shows them; both are the real program.
TEST_F(ProgramTest, AskedToReuseASecondStartHandsItsFilesToTheFirst)
{
    const QString runtime = m_folder.filePath("runtime");
    ASSERT_TRUE(QDir().mkdir(runtime));
    QFile::setPermissions(runtime, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QMap<QString, QString> also = {{"XDG_RUNTIME_DIR", runtime}, {"XDG_DATA_HOME", m_folder.filePath("data")}};
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    environment.insert("XDG_CONFIG_HOME", m_folder.path());
    for (auto one = also.begin(); one != also.end(); ++one)
        environment.insert(one.key(), one.value());
    const QString first = OVERLANE_SOURCE_DIR "/resources/samples/two_gpus.overlane";
    const QString copy = m_folder.filePath("copy.overlane");
    ASSERT_TRUE(QFile::copy(first, copy));
    QProcess window;
    window.setProcessEnvironment(environment);
    window.start(OVERLANE_UI_PROGRAM, {"--reuse", first});  // none runs: it opens one
    ASSERT_TRUE(QTest::qWaitFor([&] { return listens(runtime + "/overlane/window"); }, kLongestWaitMs));
    const Ended second = run({"--reuse", copy}, also);
    EXPECT_EQ(second.code, 0) << second.err.toStdString();
    EXPECT_EQ(second.err.toStdString(), "");
    const auto opened = [settings = m_folder.filePath("overlane/overlane-ui.conf")](const char* name) {
        return QTest::qWaitFor(
            [&] {
                QFile file(settings);
                return file.open(QIODevice::ReadOnly) && file.readAll().contains(name);
            },
            kLongestWaitMs);
    };
    EXPECT_TRUE(opened("copy.overlane"));
    EXPECT_EQ(window.state(), QProcess::Running);

    // A further window stays when the first is killed, and takes files in its place.
    const QString third = m_folder.filePath("third.overlane");
    const QString fourth = m_folder.filePath("fourth.overlane");
    ASSERT_TRUE(QFile::copy(first, third) && QFile::copy(first, fourth));
    QProcess further;
    further.setProcessEnvironment(environment);
    further.start(OVERLANE_UI_PROGRAM, {third});
    EXPECT_TRUE(opened("third.overlane"));
    window.kill();
    EXPECT_TRUE(window.waitForFinished(kLongestWaitMs));
    ASSERT_TRUE(QTest::qWaitFor([&] { return listens(runtime + "/overlane/window"); }, kLongestWaitMs));
    EXPECT_EQ(run({"--reuse", fourth}, also).code, 0);
    EXPECT_TRUE(opened("fourth.overlane"));
    further.kill();
    EXPECT_TRUE(further.waitForFinished(kLongestWaitMs));
}

// At three times the size the whole run is drawn in single pixels of the display, not in blocks of three.
TEST_F(ProgramTest, OnAFineDisplayTheOverviewIsFine)
{
    const Ended ended =
        run({"--screenshot", picture(), "--size", "1000x700", "--theme", "light"}, {{"QT_SCALE_FACTOR", "3"}});
    EXPECT_EQ(ended.code, 0);
    const QImage shown(picture());
    ASSERT_EQ(shown.size(), QSize(3000, 2100));
    // The row with the most edges lies in the overview or in a lane; count rows whose edges lie between blocks.
    int fineRows = 0;
    int coarseRows = 0;
    for (int y = 0; y < shown.height(); ++y) {
        int edges = 0;
        int between = 0;
        for (int x = 1; x < shown.width(); ++x)
            if (shown.pixel(x, y) != shown.pixel(x - 1, y)) {
                ++edges;
                between += x % 3 != 0 ? 1 : 0;
            }
        if (edges > 100)
            ++(between > edges / 4 ? fineRows : coarseRows);
    }
    EXPECT_GT(fineRows, 30);
    EXPECT_EQ(coarseRows, 0);
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

TEST_F(ProgramTest, WithoutFontsThereIsNoPictureOfBoxes)
{
    QFile config(m_folder.filePath("fonts.conf"));
    ASSERT_TRUE(config.open(QIODevice::WriteOnly));
    config.write("<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig></fontconfig>");
    config.close();
    const Ended ended = run({"--screenshot", picture()},
                            {{"FONTCONFIG_FILE", config.fileName()}, {"XDG_DATA_HOME", m_folder.filePath("none")}});
    EXPECT_EQ(ended.code, 2) << ended.err.toStdString();
    test::expectText(ended.err);
    EXPECT_FALSE(QFile::exists(picture()));
}

TEST_F(ProgramTest, ADisplayThatDoesNotAnswerIsASentence)
{
    const Ended silent = run({}, {{"QT_QPA_PLATFORM", "xcb"}, {"DISPLAY", ":4711"}});
    EXPECT_EQ(silent.code, 2);
    EXPECT_EQ(silent.err.count('\n'), 1) << silent.err.toStdString();
    test::expectText(silent.err);
    for (const char* way : {"ssh -X", "--screenshot", "overlane info"})
        EXPECT_TRUE(silent.err.contains(way)) << way;
    const Ended unknown = run({}, {{"QT_QPA_PLATFORM", "steam"}});
    EXPECT_EQ(unknown.code, 2);
    const QString ours = "overlane-ui: Qt cannot open a window here:";  // behind it, what Qt says
    EXPECT_TRUE(unknown.err.startsWith(ours)) << unknown.err.toStdString();
    EXPECT_TRUE(unknown.err.contains("steam")) << unknown.err.toStdString();
}

// Names are bytes; those that are no UTF-8 come from archives, old disks and other languages' machines.
TEST_F(ProgramTest, AFileWhoseNameIsNotUtf8Opens)
{
    namespace fs = std::filesystem;
    const fs::path sample = OVERLANE_SOURCE_DIR "/resources/samples/two_gpus.overlane";
    const fs::path folder = fs::path(m_folder.path().toStdString()) / "mesur\xe9";
    fs::create_directory(folder);
    const fs::path file = folder / "caf\xe9.overlane";
    fs::copy_file(sample, file);
    const Ended ended = runBytes(file.string());
    EXPECT_EQ(ended.code, 0) << ended.err.toStdString();
    EXPECT_TRUE(QFile::exists(picture()));
    // Two that read alike: never the other one.
    fs::copy_file(sample, folder / "caf\xe8.overlane");
    const Ended twins = runBytes(file.string());
    EXPECT_EQ(twins.code, 2);
    test::expectText(twins.err);
    fs::remove_all(folder);  // QTemporaryDir cannot
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
