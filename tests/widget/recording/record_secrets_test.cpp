// What the record dialog keeps of the environment for the next time, and what it does not.
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>

#include "app/recording/record_dialog.h"
#include "app/session/environment_text.h"
#include "app/session/recorder.h"
#include "core/spool/record_environment.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

TEST(EnvironmentTextTest, NamesAndAddressesThatLookSecretAreLeftOut)
{
    const StorableEnvironment kept = storableEnvironment(
        "CUDA_VISIBLE_DEVICES=0\nHF_TOKEN=abc\n wandb_api_key = "
        "x\nDB=postgres://me:pass@host/db\nURL=http://host:80/a\n"
        "half a line\nMY_SECRET=1\nDB_PASSWORD=2\nHF_TOKEN=again");
    EXPECT_EQ(kept.lines.toStdString(), "CUDA_VISIBLE_DEVICES=0\nURL=http://host:80/a\nhalf a line");
    EXPECT_EQ(kept.leftOut, (QStringList{"HF_TOKEN", "wandb_api_key", "DB", "MY_SECRET", "DB_PASSWORD"}));
}

class RecordSecretsTest : public testing::Test
{
protected:
    RecordSecretsTest()
    {
        qunsetenv(record_environment::kCudaInjection);
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    }
    ~RecordSecretsTest() override { QSettings().clear(); }

    std::unique_ptr<RecordDialog> show(Recorder& recorder)
    {
        auto dialog = std::make_unique<RecordDialog>(&recorder, true, FileChooser(), "/dev/null");
        dialog->show();
        EXPECT_TRUE(QTest::qWaitForWindowActive(dialog.get()));
        return dialog;
    }
    static QPlainTextEdit* environment(const RecordDialog& dialog)
    {
        return dialog.findChild<QPlainTextEdit*>("recordEnvironment");
    }
    static QLabel* note(const RecordDialog& dialog) { return dialog.findChild<QLabel*>("recordSecrets"); }

    QTemporaryDir m_folder;
};

TEST_F(RecordSecretsTest, AreUsedNotStoredAndSaid)
{
    {
        Recorder recorder;
        const auto dialog = show(recorder);
        EXPECT_FALSE(note(*dialog)->isVisible());
        QTest::keyClicks(dialog->findChild<QLineEdit*>("recordCommand"), "true");
        auto* output = dialog->findChild<QLineEdit*>("recordOutputFile");
        output->setText(m_folder.filePath("r.overlane"));
        environment(*dialog)->setFocus();
        QTest::keyClicks(environment(*dialog), "A=1");
        QTest::keyClick(environment(*dialog), Qt::Key_Return);
        EXPECT_FALSE(note(*dialog)->isVisible());
        QTest::keyClicks(environment(*dialog), "HF_TOKEN=hf_precious");
        ASSERT_TRUE(note(*dialog)->isVisible());
        test::expectText(note(*dialog)->text());
        EXPECT_TRUE(note(*dialog)->text().contains("HF_TOKEN"));
        const auto options = dialog->options();
        ASSERT_TRUE(options.ok());
        EXPECT_EQ(options.value().program.environment.back(),
                  (std::pair<std::string, std::string>("HF_TOKEN", "hf_precious")));
        QSignalSpy finished(&recorder, &Recorder::finished);
        QTest::mouseClick(dialog->findChild<QPushButton*>("recordStart"), Qt::LeftButton);
        ASSERT_TRUE(finished.wait(60'000)) << dialog->error().toStdString();
    }
    QSettings settings;
    for (const QString& key : settings.allKeys())
        EXPECT_FALSE(settings.value(key).toString().contains("precious")) << key.toStdString();
    Recorder recorder;
    const auto again = show(recorder);
    EXPECT_EQ(environment(*again)->toPlainText(), "A=1");
    ASSERT_TRUE(note(*again)->isVisible());
    EXPECT_TRUE(note(*again)->text().contains("HF_TOKEN")) << note(*again)->text().toStdString();
    test::expectText(note(*again)->text());
}

TEST_F(RecordSecretsTest, SentencesAreInTheWordsOfTheWindow)
{
    Recorder recorder;
    const auto dialog = show(recorder);
    QTest::keyClicks(dialog->findChild<QLineEdit*>("recordCommand"), "true");
    dialog->findChild<QLineEdit*>("recordOutputFile")->setText(m_folder.filePath("r.overlane"));
    const auto options = dialog->options();
    ASSERT_TRUE(options.ok());
    // Comes into being between the dialog's own look and the start.
    QFile there(m_folder.filePath("r.overlane"));
    ASSERT_TRUE(there.open(QIODevice::WriteOnly));
    const auto started = RecordSession::start(options.value());
    ASSERT_FALSE(started.ok());
    EXPECT_EQ(started.error().find("--"), std::string::npos) << started.error();
    EXPECT_NE(started.error().find("tick"), std::string::npos) << started.error();
}

}  // namespace
}  // namespace overlane
