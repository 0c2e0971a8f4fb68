#include <gtest/gtest.h>

#include "app/theme/palette.h"

namespace
{

// What the platform without a screen cannot do says nothing of the timeline; all else is heard.
QtMessageHandler g_before = nullptr;

void hear(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    if (!message.startsWith(QLatin1String("This plugin does not support")))
        g_before(type, context, message);
}

}  // namespace

int main(int argc, char** argv)
{
    g_before = qInstallMessageHandler(hear);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    overlane::applyTheme(application, overlane::Theme::Light);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
