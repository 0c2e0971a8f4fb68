#include <gtest/gtest.h>

#include <QTemporaryDir>

#include "app/theme/palette.h"

namespace
{

// Qt speaks up where something is wrong with the program: that is a failure of the test under way.
void failOnWarning(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (type == QtDebugMsg || type == QtInfoMsg)
        return;
    // What the offscreen platform cannot do, and need not.
    if (text.startsWith(QLatin1String("This plugin does not support")))
        return;
    ADD_FAILURE() << "Qt warns: " << text.toStdString() << " ("
                  << (context.category != nullptr ? context.category : "no category") << ")";
}

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir own;  // notes and settings of windows that remember are neither the person's nor another test's
    qputenv("XDG_DATA_HOME", own.path().toLocal8Bit());
    qputenv("XDG_CONFIG_HOME", own.path().toLocal8Bit());
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName("overlane-tests");
    QCoreApplication::setApplicationName("window_test");
    qInstallMessageHandler(failOnWarning);
    overlane::applyTheme(application, overlane::Theme::Light);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
