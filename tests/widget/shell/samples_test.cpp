// The recordings that come with Overlane, from the File menu.
#include "app/shell/samples.h"

#include <QDir>
#include <QMenu>

#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

using SamplesTest = WindowTest;

const QString kFolder = QStringLiteral(OVERLANE_SOURCE_DIR "/resources/samples");

TEST_F(SamplesTest, EveryRecordingOfTheFolderHasATitle)
{
    const std::vector<Sample> found = samplesIn(kFolder);
    EXPECT_EQ(static_cast<qsizetype>(found.size()), QDir(kFolder).entryList({"*.overlane"}).size());
    for (const Sample& sample : found) {
        EXPECT_FALSE(sample.title.isEmpty()) << sample.path.toStdString();
        EXPECT_FALSE(sample.meaning.isEmpty()) << sample.path.toStdString();
    }
}

TEST_F(SamplesTest, EachOpens)
{
    for (const Sample& sample : samplesIn(kFolder)) {
        QSignalSpy failed(document(), &Document::failed);
        open(sample.path);
        EXPECT_EQ(failed.count(), 0) << sample.path.toStdString();
        EXPECT_EQ(document()->path(), sample.path);
        EXPECT_GT(device().kernels, 50) << sample.path.toStdString();
    }
}

TEST_F(SamplesTest, AFolderWithoutThemOffersNone)
{
    const QTemporaryDir folder;
    EXPECT_TRUE(samplesIn(folder.path()).empty());
    auto* menu = control<QMenu>("samples");
    ASSERT_FALSE(menu->isEmpty());
    // Where a program has none beside it, as this one, it says so.
    EXPECT_EQ(menu->actions().front()->isEnabled(), !samples().empty());
}

}  // namespace
}  // namespace overlane
